// Sleeping: islands at rest are not advanced (Erleben 2005, section 6.5).
//
// A body is at rest when its kinetic energy per mass was below tol after each of the last W = 5 steps and
// does not rise over them: E_newest - E_oldest <= 0 (the text says "non-decreasing", and means this). tol is
// a small part of what one step of the external acceleration a gives, 1/2 (a dt)^2, so it is free of scales;
// energies below tol/64 are noise of the solver, rising or not. A body that nothing pushes and no joint
// holds is not at rest, however slow it is (no freezing at the apex of a flight). An island sleeps when all
// its bodies are at rest and no kinematic body near it moves. Among 10^4 bodies with jitter the energy of
// some rises at any time; so where all were below tol for kLong steps, it is enough that their total energy
// does not rise. An island wakes as a whole: by an awake or moving body that may touch it within the step, by
// commands to a body, by what removes or moves a support, and by a change of gravity or materials. Sleepers
// keep pose, contacts and impulses; their velocity is 0. The windows are part of the state. After some steps
// a sleeping island leaves the active set (active_set.h).
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "world/state.h"

namespace impuls {
namespace {

// The threshold of speed is a dt / 22: 4.4 mm/s for dt = 0.01 s on earth.
constexpr double kEnergyShare = 0x1p-9, kNoise = 0x1p-6;

bool is_on(const WorldState& s) {
    return s.method.sleep == Switch::On;
}

bool is_moving(const WorldState& s, std::uint32_t k) {
    if (s.bodies.surface_velocity[k] != Vec3{}) return true;
    return s.bodies.kind[k] == BodyKind::Kinematic && (s.bodies.v[k] != Vec3{} || s.bodies.w[k] != Vec3{});
}

void wake_one(WorldState& s, std::uint32_t k) {
    s.bodies.is_asleep[k] = 0;
    s.bodies.rest[k].count = s.bodies.rest[k].slow = 0;
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
        const auto edge = s.islands.groups.joints[e], j = edge < count ? edge : edge - count;
        IMPULS_ASSERT_INDEX(j, count);
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

// The state of rest of an island, over all its bodies.
struct Rest {
    bool is_full = true, is_long = true;  // all at rest; all slow for kLong steps
    double rise = 0;                      // of their energy over the window
};

void add_to(Rest& rest, WorldState& s, std::uint32_t k) {
    RestWindow& window = s.bodies.rest[k];
    const Vec3 a = external_acceleration(s.bodies, k, s.gravity);
    const double tol = kEnergyShare * 0.5 * length_squared(a) * s.dt * s.dt;
    const double now = kinetic_energy(s.bodies, k) / s.bodies.mass[k];
    window.add(now, now < tol);
    const double rise = now - window.energy.front();
    rest.rise += s.bodies.mass[k] * rise;
    rest.is_long &= s.islands.is_supported[k] && window.slow == RestWindow::kLong;
    rest.is_full &=
        s.islands.is_supported[k] && window.slow >= RestWindow::kSteps && (rise <= 0 || now < kNoise * tol);
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
}

}  // namespace

bool is_awake(const WorldState& s, std::uint32_t k) {
    return s.bodies.is_dynamic(k) ? !s.bodies.is_asleep[k] : is_moving(s, k);
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
        const bool is_at_rest = rest.is_full || (rest.is_long && rest.rise <= 0);
        if (!is_at_rest || has_mover_near(s, i)) continue;
        for_bodies(s, i, [&](std::uint32_t k) {
            s.bodies.is_asleep[k] = 1;
            s.bodies.v[k] = s.bodies.w[k] = {};
            s.bodies.rest[k].count = s.bodies.rest[k].slow = 0;
        });
    }
}

// Whether nothing moved in this step, nothing will until a command comes, and no event is due meanwhile.
bool sleeps_on(const WorldState& s) {
    if (!is_on(s) || !s.output.status.ok) return false;
    if (std::find(s.islands.is_asleep.begin(), s.islands.is_asleep.end(), 0) != s.islands.is_asleep.end())
        return false;
    for (const EventKind kind : s.first_structure->settings.events)
        if (kind == EventKind::TouchPersist || kind == EventKind::ProximityPersist ||
            (kind == EventKind::TimerTick && !s.first_structure->timers.empty()))
            return false;
    const auto& bodies = s.active.lists.bodies;
    const auto is_busy = [&](auto k) { return is_awake(s, k) || s.active.quiet_steps[k] < kSettled; };
    if (std::any_of(bodies.begin(), bodies.end(), is_busy)) return false;
    return s.output.events.empty();
}

// A body that is removed or moved may have supported its neighbours: they wake as well.
void wake(WorldState& s, std::uint32_t body) {
    if (!is_on(s)) return;
    auto& neighbours = s.active.dormant.neighbours;
    neighbours.assign(1, body);
    activate(s, neighbours);
    const auto add = [&](std::uint32_t k) {
        if (k != kNoBody && s.bodies.is_dynamic(k)) neighbours.push_back(k);
    };
    IMPULS_ASSERT_INDEX(body, s.bodies.size());
    const auto& uids = s.bodies.uid;
    const auto add_uid = [&](std::uint64_t other) {
        const auto at = std::lower_bound(uids.begin(), uids.end(), other);
        if (at != uids.end() && *at == other) add(static_cast<std::uint32_t>(at - uids.begin()));
    };
    for (const ContactPoint& c : s.contacts) {
        if (c.key.uid_a == uids[body]) add_uid(c.key.uid_b);
        if (c.key.uid_b == uids[body]) add_uid(c.key.uid_a);
    }
    update_active_lists(s);
    for (const auto j : s.active.lists.joints) {
        const std::array ends{s.joints.a[j], s.joints.b[j], s.joints.c[j]};
        if (std::find(ends.begin(), ends.end(), body) != ends.end())
            for (const auto k : ends) add(k);
    }
    activate(s, neighbours);
    for (const auto k : neighbours) wake_one(s, k);
}

void wake_all(WorldState& s) {
    activate_all(s);
    for (std::uint32_t k = 0; k < s.bodies.size(); ++k) wake_one(s, k);
}

}  // namespace impuls
