// A world of a changed scene that goes on from where another world is: what changed in the scene holds from
// then on, everything else is as it was, bit for bit. Bodies and joints must be the same ones, since the
// state is theirs; what a changed body or joint remembers of its contacts and impulses is left behind.
//
// A body's state is kept in its principal frame P, which moves within the body B when its masses change:
//     X_WP' = X_WP X_PB X_BP',   v' = v + w x (c' - c)   (velocity of the new centre of mass)
// Called by World::branch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/scene_file.h"
#include "world/state.h"

namespace impuls {
namespace {

template <class Thing>
void require_same_names(const std::vector<Thing>& old, const std::vector<Thing>& changed, const char* kind) {
    const auto [x, y] =
        std::mismatch(old.begin(), old.end(), changed.begin(), changed.end(),
                      [](const Thing& one, const Thing& other) { return one.name == other.name; });
    if (x == old.end() && y == changed.end()) return;
    const std::string name = x != old.end() ? x->name : y->name;
    throw InputError(
        fmt::format("a branch goes on with the {} that there are, and '{}' is not in both scenes; "
                    "add and remove by commands of the timeline",
                    kind, name));
}

bool is_same(const BodyDesc& x, const BodyDesc& y) {
    return to_json(Command(Put{.bodies = {x}})) == to_json(Command(Put{.bodies = {y}}));
}
bool is_same(const JointDesc& x, const JointDesc& y) {
    return to_json(Command(Put{.joints = {x}})) == to_json(Command(Put{.joints = {y}}));
}

// Time is counted in steps: the branch must begin at a whole number of its own.
std::int64_t step_at(double time, double dt) {
    const double nearest = std::round(time / dt);
    if (std::abs(time - nearest * dt) > 1e-6 * dt)
        throw InputError(
            fmt::format("settings.dt: the branch begins at {} s, which is no whole number of steps "
                        "of {} s; choose another time, e.g. {} s, or another dt",
                        time, dt, nearest * dt));
    return static_cast<std::int64_t>(nearest);
}

std::size_t count_done(const std::vector<TimedCommand>& timeline, double last_start, double dt) {
    const auto is_later = [&](const TimedCommand& c) { return c.time > last_start + 1e-9 * dt; };
    return static_cast<std::size_t>(std::find_if(timeline.begin(), timeline.end(), is_later) -
                                    timeline.begin());
}

// Where and how they are, unless they are others, or the description says something else of the body.
void carry_particles(const BodySet& from, BodySet& to, std::size_t k, const BodyDesc& old,
                     const BodyDesc& now) {
    const bool is_placed = old.position != now.position || old.orientation != now.orientation ||
                           old.velocity != now.velocity || old.angular_velocity != now.angular_velocity;
    if (!is_placed && from.particles[k] && from.particles[k]->size() == to.particles[k]->size()) {
        const ParticleMotion& before = from.particles[k]->now;
        to.particles[k]->now.x = before.x;
        to.particles[k]->now.v = before.v;
        if (before.impulse.size() == to.particles[k]->now.impulse.size())
            to.particles[k]->now.impulse = before.impulse;
        to.particles[k]->anchor = from.particles[k]->anchor;
    } else {
        to.forget_rest(k);
    }
    to.pose[k].orientation = normalized(now.orientation);
    to.follow_particles(k);
}

// What the description says of the motion holds where it was changed.
void carry_body(const WorldState& from, WorldState& to, std::size_t k, const BodyDesc& old,
                const BodyDesc& now) {
    const Pose& X_BP = to.bodies.X_BP[k];
    Pose X_WP = from.bodies.pose[k];
    if (X_BP != from.bodies.X_BP[k] || old.position != now.position || old.orientation != now.orientation) {
        Pose X_WB = from.bodies.body_pose(k);
        if (old.position != now.position) X_WB.position = now.position;
        if (old.orientation != now.orientation) X_WB.orientation = normalized(now.orientation);
        X_WP = X_WB * X_BP;
    }
    to.bodies.w[k] = old.angular_velocity == now.angular_velocity ? from.bodies.w[k] : now.angular_velocity;
    to.bodies.v[k] = now.velocity;
    if (old.velocity == now.velocity) {
        const Vec3 c = from.bodies.body_pose(k) * X_BP.position, before = from.bodies.pose[k].position;
        to.bodies.v[k] = from.bodies.v[k];
        if (X_BP.position != from.bodies.X_BP[k].position)
            to.bodies.v[k] += cross(from.bodies.w[k], c - before);
    }
    if (now.kind == BodyKind::Static) to.bodies.v[k] = to.bodies.w[k] = {};
    to.bodies.pose[k] = X_WP;
    to.bodies.force.set(k, from.bodies.force[k]);
    to.bodies.torque.set(k, from.bodies.torque[k]);
    if (old.active == now.active) to.bodies.is_active[k] = from.bodies.is_active[k];
    to.bodies.is_asleep[k] = from.bodies.is_asleep[k];
    if (k < from.bodies.rest.size()) to.bodies.window_of(k) = from.bodies.rest[k];
    if (to.bodies.particles[k]) carry_particles(from.bodies, to.bodies, k, old, now);
}

// Joint frames are kept in principal frames, too.
Pose carried_frame(const WorldState& from, const WorldState& to, std::uint32_t body, const Pose& X) {
    if (body == kNoBody || from.bodies.X_BP[body] == to.bodies.X_BP[body]) return X;
    return inverse(to.bodies.X_BP[body]) * from.bodies.X_BP[body] * X;
}

void carry_numbers(const JointNumbers& from, JointNumbers& to, std::size_t j) {
    const auto old = from.of(j);
    const auto now = to.of(j);
    if (old.size() == now.size()) std::copy(old.begin(), old.end(), now.begin());
}

void carry_joint(const WorldState& from, WorldState& to, std::size_t j) {
    const JointDesc &old = from.described.parts().joints[j], &now = to.described.parts().joints[j];
    const JointSet& f = from.joints;
    JointSet& t = to.joints;
    if (old.enabled == now.enabled) t.is_enabled[j] = f.is_enabled[j];
    t.is_broken[j] = f.is_broken[j];
    carry_numbers(f.angle, t.angle, j);
    if (!is_same(old, now)) return;
    t.X_AJ[j] = carried_frame(from, to, f.a[j], f.X_AJ[j]);
    t.X_BJ[j] = carried_frame(from, to, f.b[j], f.X_BJ[j]);
    t.X_CA[j] = carried_frame(from, to, f.c[j], f.X_CA[j]);
    t.X_CB[j] = carried_frame(from, to, f.c[j], f.X_CB[j]);
    t.joint[j] = f.joint[j];
    t.count_rows(j);
    t.pace[j] = f.pace[j];
    t.reaction[j] = f.reaction[j];
    carry_numbers(f.impulse, t.impulse, j);
    carry_numbers(f.axis_force, t.axis_force, j);
}

// Impulses of a step of another length are told as the same mean force.
void carry_contacts(const WorldState& from, WorldState& to, const Scene& old, const Scene& now) {
    std::vector<std::uint64_t> changed;
    for (std::size_t k = 0; k < from.bodies.size(); ++k)
        if (!is_same(old.bodies[k], now.bodies[k])) changed.push_back(from.bodies.uid[k]);
    const auto is_changed = [&](std::uint64_t uid) {
        return std::binary_search(changed.begin(), changed.end(), uid);
    };
    to.contacts.clear();
    for_each_contact(from, [&](const ContactPoint& c) {
        if (is_changed(c.key.uid_a) || is_changed(c.key.uid_b)) return;
        to.contacts.push_back(c);
        if (to.dt != from.dt) to.contacts.back().sum = c.sum * (to.dt / from.dt);
    });
    to.graph.edges.clear();
    for_each_edge(from, [&](const GraphEdge& e) { to.graph.edges.push_back(e); });
}

// What has happened once does not happen again.
void carry_conditions(const WorldState& from, WorldState& to) {
    const auto entry = [](const WorldState& s, const ConditionalCommand& c) -> const TimedCommand& {
        return s.described.first_parts().timeline[c.entry];
    };
    for (ConditionalCommand& now : to.commands.conditional)
        for (const ConditionalCommand& old : from.commands.conditional)
            if (entry(to, now).when == entry(from, old).when &&
                to_json(entry(to, now).command) == to_json(entry(from, old).command))
                now.is_done |= old.is_done;
}

}  // namespace

void carry_over(const WorldState& from, WorldState& to) {
    const SceneRef old_first = from.described.first_scene(), changed_first = to.described.first_scene();
    const Scene &old = *old_first, &changed = *changed_first;
    require_same_names(old.bodies, changed.bodies, "bodies");
    require_same_names(old.joints, changed.joints, "joints");
    const double time = static_cast<double>(from.step) * from.dt;
    to.step = step_at(time, to.dt);
    to.commands.timeline_done = count_done(changed.timeline, time - from.dt, from.dt);
    apply_now(to, from.commands.journal);
    to.commands.pending = from.commands.pending;
    if (old.settings.gravity == changed.settings.gravity) to.gravity = from.gravity;
    const SceneRef before = structure_of(from), after = structure_of(to);
    for (std::size_t k = 0; k < to.bodies.size(); ++k)
        carry_body(from, to, k, before->bodies[k], after->bodies[k]);
    for (std::size_t j = 0; j < to.joints.size(); ++j) carry_joint(from, to, j);
    carry_contacts(from, to, *before, *after);
    to.memories = from.memories;
    carry_grains(from.grains, to.grains);
    update_connected(to);
    update_nodes(to);
    place_scripts(to);
    carry_conditions(from, to);
    wake_all(to);
}

}  // namespace impuls
