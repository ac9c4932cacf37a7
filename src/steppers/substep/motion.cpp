// Motion of an island's nodes in a substep (motion.h).
#include "steppers/substep/motion.h"

#include <algorithm>
#include <cmath>

#include "collision/sweep/impact.h"
#include "dynamics/first_order.h"
#include "math/rotation.h"
#include "steppers/finite.h"
#include "steppers/substep/tuning.h"

namespace impuls::substep {

void update_inertia(Substep& s) {
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const IslandNode& node = s.island.nodes[k];
        s.problem.nodes.inv_inertia[k] =
            turned_diagonal(node.pose.orientation, s.view.bodies.inv_inertia[node.body]);
    }
}

// What forces act on does not fly by itself.
void begin_substep(Substep& s) {
    for (std::size_t k = 0; k < s.nodes.size(); ++k) {
        NodeMotion& motion = s.nodes[k];
        motion.start_pose = s.island.nodes[k].pose;
        motion.start_v = s.problem.nodes.v[k];
        motion.start_w = s.problem.nodes.w[k];
        motion.middle = motion.start_pose.orientation;
        motion.is_held = false;
        motion.lead = 0;
    }
    for (const IslandForce& force : s.island.forces)
        s.nodes[force.a].is_held = s.nodes[force.b].is_held = true;
    for (const IslandSpring& spring : s.island.particles.springs)
        s.nodes[spring.a].is_held = s.nodes[spring.b].is_held = true;
}

// After an impact only a rotation can bring other parts of two convex bodies into each other: it goes on no
// longer than they can stand. For others see stop_after_impacts in sweep.cpp.
double time_after_impact(const Substep& s, std::size_t k, double h) {
    const NodeMotion& motion = s.nodes[k];
    if (motion.lead == 0) return h;
    const double swing = length(s.problem.nodes.w[k]) * s.view.bodies.radius[s.island.nodes[k].body];
    const double most = kDeep * s.island.pairs[motion.met_in].size;
    return swing * (h - motion.lead) > most ? most / swing : h - motion.lead;
}

// What creeps by rounding errors alone stays where it is, and so do its contacts.
Pose drifted(const Substep& s, std::size_t k, double h) {
    const IslandNode& node = s.island.nodes[k];
    const NodeMotion& motion = s.nodes[k];
    const Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
    Pose pose = node.pose;
    if (motion.lead > 0) pose = SteadyMotion{node.pose, motion.lead_v, motion.lead_w}.at(motion.lead);
    const double time = time_after_impact(s, k, h);
    const double tiny = kTinyWay * s.view.bodies.radius[node.body];
    if (length_squared(v * time) >= tiny * tiny) pose.position += v * time;
    const Vec3& axis = s.view.bodies.spin_axis[node.body];
    pose.orientation = axis == Vec3{}
                           ? turned(pose.orientation, w * time)
                           : turned_apart(pose.orientation, w * time, rotate(pose.orientation, axis));
    return pose;
}

namespace {

const Script* script_of(const Substep& s, std::size_t k) {
    const std::uint32_t body = s.island.nodes[k].body;
    return body == kNoBody ? nullptr : s.view.bodies.script[body].get();
}

void set_motion(Substep& s, std::size_t k, const Motion& m) {
    s.island.nodes[k].pose = m.pose;
    s.island.nodes[k].v = s.problem.nodes.v[k] = m.v;
    s.island.nodes[k].w = s.problem.nodes.w[k] = m.w;
}

}  // namespace

void aim_scripted(Substep& s, double h) {
    for (std::size_t k = s.island.dynamic_count; k < s.nodes.size(); ++k)
        if (script_of(s, k))
            set_motion(s, k,
                       scripted_chord(s.view.bodies, s.island.nodes[k].body, s.view.time + s.elapsed, h));
}

// A body that is held up has not gone the way for which it got its speed: along the external acceleration it
// returns the work of what is missing. (Not at a joint, which its body would tear at alone.)
void return_work(Substep& s, std::uint32_t k, const Vec3& missing) {
    const Vec3& a = s.island.nodes[k].acceleration;
    const double size = length(a), work = -dot(a, missing);
    if (!(size > 0) || !(work > 0) || !s.island.joints.empty() || !s.island.particles.ranges.empty()) return;
    Vec3& v = s.problem.nodes.v[k];
    const double along = dot(v, a) / size;
    if (along > 0) v -= a * ((along - std::sqrt(std::max(0.0, along * along - 2 * work))) / size);
}

// What nothing touched flies on as if alone; the rest moves with the velocities just found.
void drift(Substep& s, double h) {
    for (std::size_t k = 0; k < s.nodes.size(); ++k) {
        IslandNode& node = s.island.nodes[k];
        NodeMotion& motion = s.nodes[k];
        if (script_of(s, k)) {
            set_motion(s, k, scripted_motion(s.view.bodies, node.body, s.view.time + s.elapsed + h));
            continue;
        }
        if (node.body == kNoBody || motion.is_flown) continue;
        if (node.is_particle() && !node.is_dynamic) continue;  // pinned
        if (!node.is_dynamic || !motion.is_held) {
            const Motion m =
                fly(s.view.bodies, node.body, {motion.start_pose, motion.start_v, motion.start_w},
                    s.view.gravity, s.view.method.integrator, h);
            node.pose = m.pose;
            s.problem.nodes.v[k] = m.v;
            s.problem.nodes.w[k] = m.w;
        } else {
            node.pose = drifted(s, k, h);
            if (motion.lead > 0)
                return_work(s, k, s.problem.nodes.v[k] * (time_after_impact(s, k, h) - (h - motion.lead)));
            // After an impact the rotation may be large; w then stays, rather than angular momentum with the
            // inertia of an orientation that has nothing to do with this one.
            if (motion.lead > 0) motion.middle = node.pose.orientation;
        }
    }
    check_finite(s, "motion");
}

void limit_displacements(Substep& s) {
    Nodes& n = s.problem.nodes;
    double largest = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) largest = std::max(largest, length(n.w[k]));
    if (!(largest > kMostPull)) return;
    const double share = kMostPull / largest;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        n.v[k] *= share;
        n.w[k] *= share;
    }
}

void displace(Substep& s, std::size_t k) {
    Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
    s.island.nodes[k].pose = displaced(s.island.nodes[k].pose, v, w);
    v = w = {};
}

void check_finite(Substep& s, const char* stage) {
    if (s.has_failed()) return;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const IslandNode& node = s.island.nodes[k];
        const char* reason = lost_reason(node.pose, s.problem.nodes.v[k], s.problem.nodes.w[k],
                                         s.view.bodies.radius[node.body]);
        if (!reason) continue;
        note_lost(node.body, reason, stage, s.results);
        return;
    }
}

void store_velocities(Substep& s) {
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        s.island.nodes[k].v = s.problem.nodes.v[k];
        s.island.nodes[k].w = s.problem.nodes.w[k];
    }
}

Vec3 angular_momentum_of(const Substep& s, std::size_t k) {
    const IslandNode& node = s.island.nodes[k];
    const Quat& q = node.pose.orientation;
    return rotate(q, scale(s.view.bodies.inertia[node.body], rotate_inverse(q, s.problem.nodes.w[k])));
}

CommonMotion common_motion(const Substep& s) {
    const Nodes& n = s.problem.nodes;
    CommonMotion m;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k)
        m.add_mass(1 / n.inv_mass[k], s.island.nodes[k].pose.position, n.v[k]);
    m.find_center();
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const IslandNode& node = s.island.nodes[k];
        m.add_turn(1 / n.inv_mass[k],
                   turned_diagonal(node.pose.orientation, s.view.bodies.inertia[node.body]),
                   node.pose.position, n.v[k], angular_momentum_of(s, k));
    }
    m.find_turn();
    return m;
}

bool is_free(const Substep& s) {
    return std::none_of(s.nodes.begin() + static_cast<std::ptrdiff_t>(s.island.dynamic_count), s.nodes.end(),
                        [](const NodeMotion& motion) { return motion.is_held; });
}

}  // namespace impuls::substep
