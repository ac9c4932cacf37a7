// Sleeping: islands at rest are not advanced (Erleben 2005, section 6.5).
//
// The text's test, a small energy that does not rise over a few steps, also holds at a turning point, for a
// ball that rolls slowly and for a pendulum that leaves the vertical. Asleep may be only what would not move
// anyway; so a body, r the mean distance (rms) of its mass from its centre, is at rest, by either of two
// signs, when
//     it has stayed within P = 2^-8 r of one pose for the time T = 8 sqrt(r/a), a the external acceleration
//     (an oscillation, however slow, or a steady motion leaves the place; trembling does not); or
//     at its speeds u of the last W = 5 steps it cannot get so far in that time: a constant acceleration
//     makes them differ by no more than 2 u in W dt, so that u (T + T^2/(W dt)) <= d = 2^-11 r.
// Neither holds while its energy has risen in each of these steps: what leaves an unstable place does so from
// arbitrarily small speeds. Trembling rises as often as not, so for the first sign it is the energy of all
// bodies of the island together that must not rise. All is free of scales; without external acceleration
// nothing sleeps. A body that nothing pushes and no joint holds is not at rest, however slow it is (no
// freezing at the apex of a flight). An island sleeps when all its bodies are at rest and no kinematic body
// near it moves. An island wakes as a whole: by an awake or moving body that may touch it within the step, by
// commands to a body, by what removes or moves a support, and by a change of gravity or materials. Sleepers
// keep pose, contacts and impulses; their velocity is 0. The windows are part of the state. After some steps
// a sleeping island leaves the active set (active_set.h).
#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "dynamics/acting_forces.h"
#include "world/state.h"

namespace impuls {
namespace {

// Of the radius: the place P, and the way d. Half of the slop of contacts is 2^-11; the place has to hold
// what blocks creep in a pile that stands: of 512 cubes the median moves by 2^-11, the 99th percentile by
// 2^-9 of the radius in T.
constexpr double kPlace = 0x1p-8, kWay = 0x1p-11;
// Times in which the external acceleration moves a body by half its radius: T. Twice the period of a pendulum
// as long as the body is large is 12.6.
constexpr double kTimes = 8;
// Of the radius, in a step: a way that rounding hides.
constexpr double kRounding = 0x1p-50;

bool is_on(const WorldState& s) {
    return s.method.sleep == Switch::On;
}

bool is_moving(const WorldState& s, std::uint32_t k) {
    if (s.bodies.surface_velocity[k] != Vec3{}) return true;
    return s.bodies.kind[k] == BodyKind::Kinematic && (s.bodies.v[k] != Vec3{} || s.bodies.w[k] != Vec3{});
}

void wake_one(WorldState& s, std::uint32_t k) {
    s.bodies.is_asleep[k] = 0;
    s.bodies.forget_rest(k);
    if (k < s.active.quiet_steps.size()) s.active.quiet_steps[k] = 0;
}

template <class Visit>
void for_bodies(const WorldState& s, std::size_t island, Visit&& visit) {
    IMPULS_ASSERT(island < s.islands.groups.size() &&
                  s.islands.groups.body_start[island + 1] <= s.islands.groups.bodies.size());
    for (auto k = s.islands.groups.body_start[island]; k < s.islands.groups.body_start[island + 1]; ++k)
        visit(s.islands.groups.bodies[k]);
}

bool has_mover_near(const WorldState& s, std::size_t i) {
    bool is_any = false;
    for (auto p = s.islands.groups.pair_start[i]; p < s.islands.groups.pair_start[i + 1] && !is_any; ++p) {
        const auto [a, b] = s.pairs.bodies[s.islands.groups.pairs[p]];
        is_any = is_moving(s, a) || is_moving(s, b);
    }
    const auto count = static_cast<std::uint32_t>(s.joints.size());
    for (auto e = s.islands.groups.joint_start[i]; e < s.islands.groups.joint_start[i + 1] && !is_any; ++e) {
        const auto edge = s.islands.groups.joints[e];
        if (edge >= 2 * count + s.forces.size()) continue;  // a body of particles by itself
        if (edge >= 2 * count) {
            for (const auto k : {s.forces.a[edge - 2 * count], s.forces.b[edge - 2 * count]})
                is_any |= k != kNoBody && is_moving(s, k);
            is_any |= s.forces.magnitude[edge - 2 * count].varies();
            continue;
        }
        const auto j = edge < count ? edge : edge - count;
        IMPULS_ASSERT_INDEX(j, count);
        is_any |= s.joints.is_timed[j] != 0;
        for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]})
            is_any |= k != kNoBody && is_moving(s, k);
    }
    return is_any;
}

bool is_disturbed(const WorldState& s, std::size_t i) {
    bool is_any = has_mover_near(s, i);
    for_bodies(s, i, [&](std::uint32_t k) { is_any |= is_awake(s, k); });
    return is_any;
}

// How far a body is from another pose: its centre, and a point at the radius about it (by the chord).
double distance(const Pose& a, const Pose& b, double radius) {
    const Quat q = conjugate(a.orientation) * b.orientation;
    return length(b.position - a.position) + 2 * radius * std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
}

// The state of rest of an island, over all its bodies.
struct Rest {
    bool is_full = true;    // all at rest
    bool is_steady = true;  // none of them by the first sign
    double rise = 0;        // of their energy over the window
};

// The mean distance (rms) of a body's mass from its centre.
double rest_radius(const WorldState& s, std::uint32_t k) {
    if (s.bodies.particles[k]) return radius_of(*s.bodies.particles[k]);
    const Vec3 moments = s.bodies.inertia[k];
    return std::sqrt((moments.x + moments.y + moments.z) / (2 * s.bodies.mass[k]));
}

// Whether a body is close to where it was when its window began; each of its particles, if it has some.
bool is_close(WorldState& s, std::uint32_t k, const RestWindow& window, double radius) {
    if (!s.bodies.particles[k]) return distance(window.anchor, s.bodies.pose[k], radius) <= kPlace * radius;
    ParticleRange& range = *s.bodies.particles[k];
    double most = 0;
    if (window.count > 0)
        for (std::size_t i = 0; i < range.size(); ++i)
            most = std::max(most, length_squared(range.now.x[i] - range.anchor[i]));
    const bool stays = window.count > 0 && most <= kPlace * kPlace * radius * radius;
    if (!stays) range.anchor = range.now.x;
    return stays;
}

void add_to(Rest& rest, WorldState& s, std::uint32_t k) {
    RestWindow& window = s.bodies.window_of(k);
    const double a = pull_of(s, k), radius = rest_radius(s, k);
    const double way = kWay * radius, time = kTimes * std::sqrt(radius / a);
    const Pose& pose = s.bodies.pose[k];
    window.add(kinetic_energy(s.bodies, k) / s.bodies.mass[k], pose, is_close(s, k, window, radius));
    rest.rise += s.bodies.mass[k] * (window.energy[window.count - 1u] - window.energy.front());
    if (!(a > 0) || !s.islands.is_supported[k] || window.count < RestWindow::kSteps) {
        rest.is_full = false;
        return;
    }
    const double fastest =
        std::sqrt(2 * *std::max_element(window.energy.begin(), window.energy.end()));  // m/s
    const double hidden = kRounding * radius;
    const bool rises = window.rises() && fastest * s.dt > hidden;
    const bool cannot_leave = fastest * (time + time * time / (RestWindow::kSteps * s.dt)) <= way;
    if (cannot_leave && !rises) return;
    rest.is_steady = false;
    rest.is_full &= window.still >= RestWindow::kSteps && window.still * s.dt >= time;
}

void find_supported(WorldState& s) {
    s.islands.is_supported.resize(s.bodies.size());
    for (const auto k : s.active.lists.bodies) s.islands.is_supported[k] = 0;
    for (std::size_t k = 0; k < s.contacts.size(); ++k) {
        if (s.contacts[k].sum == Vec3{}) continue;
        IMPULS_ASSERT_INDEX(s.pairs.of_contact[k], s.pairs.bodies.size());
        const auto [a, b] = s.pairs.bodies[s.pairs.of_contact[k]];
        s.islands.is_supported[a] = s.islands.is_supported[b] = 1;
    }
    for (const auto j : s.active.lists.joints)
        for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]})
            if (s.joints.holds(j) && k != kNoBody) s.islands.is_supported[k] = 1;
    for (const auto f : s.active.lists.forces)
        for (const auto k : {s.forces.a[f], s.forces.b[f]})
            if (ties(s.forces, s.bodies, f) && k != kNoBody) s.islands.is_supported[k] = 1;
    for (const auto k : s.bodies.of_particles) {
        const auto& pinned = s.bodies.particles[k]->net->is_pinned;
        if (std::find(pinned.begin(), pinned.end(), 1) != pinned.end()) s.islands.is_supported[k] = 1;
    }
}

}  // namespace

bool is_awake(const WorldState& s, std::uint32_t k) {
    return s.bodies.is_dynamic(k) ? !s.bodies.is_asleep[k] : is_moving(s, k) || s.bodies.script[k];
}

bool sleeps_through(const WorldState& s, std::size_t pair) {
    const auto [a, b] = s.pairs.bodies[pair];
    return is_on(s) && !is_awake(s, a) && !is_awake(s, b);
}

bool wake_islands(WorldState& s) {
    s.islands.is_asleep.assign(s.islands.groups.size(), 0);
    if (!is_on(s)) return false;
    bool is_any = false;
    for (const auto k : s.islands.groups.free_bodies) {
        is_any |= s.bodies.is_asleep[k] != 0;
        wake_one(s, k);
    }
    for (std::size_t i = 0; i < s.islands.groups.size(); ++i) {
        s.islands.is_asleep[i] = !is_disturbed(s, i);
        if (s.islands.is_asleep[i]) continue;
        for_bodies(s, i, [&](std::uint32_t k) {
            is_any |= s.bodies.is_asleep[k] != 0;
            s.bodies.is_asleep[k] = 0;
        });
    }
    return is_any;
}

void fall_asleep(WorldState& s) {
    if (!is_on(s) || !s.output.status.ok) return;
    find_supported(s);
    for (std::size_t i = 0; i < s.islands.groups.size(); ++i) {
        if (s.islands.is_asleep[i]) continue;
        Rest rest;
        for_bodies(s, i, [&](std::uint32_t k) { add_to(rest, s, k); });
        const bool is_at_rest = rest.is_full && (rest.is_steady || rest.rise <= 0);
        if (!is_at_rest || has_mover_near(s, i)) continue;
        for_bodies(s, i, [&](std::uint32_t k) {
            s.bodies.is_asleep[k] = 1;
            s.bodies.v[k] = s.bodies.w[k] = {};
            if (s.bodies.particles[k]) std::ranges::fill(s.bodies.particles[k]->now.v, Vec3{});
            s.bodies.forget_rest(k);
        });
    }
}

// Whether nothing moved in this step, nothing will until a command comes, and no event is due meanwhile.
bool sleeps_on(const WorldState& s) {
    if (!is_on(s) || !s.output.status.ok) return false;
    if (std::find(s.islands.is_asleep.begin(), s.islands.is_asleep.end(), 0) != s.islands.is_asleep.end())
        return false;
    for (const EventKind kind : s.described.parts().settings.events)
        if (kind == EventKind::TouchPersist || kind == EventKind::ProximityPersist ||
            (kind == EventKind::TimerTick && !s.described.first_parts().timers.empty()))
            return false;
    const auto& bodies = s.active.lists.bodies;
    const auto is_busy = [&](auto k) { return is_awake(s, k) || s.active.quiet_steps[k] < kSettled; };
    if (std::any_of(bodies.begin(), bodies.end(), is_busy)) return false;
    return s.output.events.empty();
}

// A body that is removed or moved may have supported its neighbours: they wake as well.
void wake(WorldState& s, std::span<const std::uint32_t> bodies) {
    if (!is_on(s)) return;
    auto& neighbours = s.active.dormant.neighbours;
    neighbours.assign(bodies.begin(), bodies.end());
    activate(s, neighbours);
    const auto& uids = s.bodies.uid;
    std::sort(neighbours.begin(), neighbours.end());
    const auto count = static_cast<std::ptrdiff_t>(neighbours.size());  // those of others come behind
    const auto is_woken = [&](std::uint32_t k) {
        return std::binary_search(neighbours.begin(), neighbours.begin() + count, k);
    };
    const auto number_of_uid = [&](std::uint64_t uid) {
        const auto at = std::lower_bound(uids.begin(), uids.end(), uid);
        return at != uids.end() && *at == uid ? static_cast<std::uint32_t>(at - uids.begin()) : kNoBody;
    };
    const auto add = [&](std::uint32_t k) {
        if (k != kNoBody && s.bodies.is_dynamic(k)) neighbours.push_back(k);
    };
    for (const ContactPoint& c : s.contacts) {
        const auto a = number_of_uid(c.key.uid_a), b = number_of_uid(c.key.uid_b);
        if (is_woken(a)) add(b);
        if (is_woken(b)) add(a);
    }
    update_active_lists(s);
    for (const auto j : s.active.lists.joints) {
        const std::array ends{s.joints.a[j], s.joints.b[j], s.joints.c[j]};
        if (std::any_of(ends.begin(), ends.end(), is_woken))
            for (const auto k : ends) add(k);
    }
    for (const auto f : s.active.lists.forces)
        if (is_woken(s.forces.a[f]) || is_woken(s.forces.b[f])) {
            add(s.forces.a[f]);
            add(s.forces.b[f]);
        }
    activate(s, neighbours);
    for (const auto k : neighbours) wake_one(s, k);
}

void wake_all(WorldState& s) {
    activate_all(s);
    for (std::uint32_t k = 0; k < s.bodies.size(); ++k) wake_one(s, k);
}

bool wake_due_forces(WorldState& s) {
    const double now = static_cast<double>(s.step) * s.dt, then = static_cast<double>(s.step + 1) * s.dt;
    std::vector<std::uint32_t> bodies;
    bool is_any = false;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        if (!begins_or_ends(s.forces, f, now, then)) continue;
        is_any = true;
        for (const auto k : {s.forces.a[f], s.forces.b[f]})
            if (k != kNoBody) bodies.push_back(k);
    }
    if (is_any) wake(s, bodies);
    return is_any;
}

}  // namespace impuls
