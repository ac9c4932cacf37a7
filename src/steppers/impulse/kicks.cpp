// External impulses of a substep, half before and half after the drift (phases.h).
#include "math/free_rotation.h"
#include "math/rotation.h"
#include "steppers/impulse/phases.h"
#include "steppers/substep/motion.h"

namespace impuls::impulse {

// Angular momentum l is what forces change; w follows from it by the inertia at the middle of the substep,
// where the displacement phase works, so that l is kept whatever the body's shape.
void first_kick(Impulse& s, double h) {
    begin_substep(s);
    sum_forces(s.view, s.island, s.problem.nodes, s.elapsed, h, s.forces);
    const BodySet& bodies = s.view.bodies;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        if (s.nodes[k].is_flown) continue;
        const IslandNode& node = s.island.nodes[k];
        Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
        const Damping damping = bodies.damping(node.body);
        v = v * damping.left_of_v(0.5 * h) + node.acceleration * (0.5 * h);
        w *= damping.left_of_w(0.5 * h);
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        const Spin spin = rotate_freely(s.view.method.integrator, {node.pose.orientation, w},
                                        bodies.inertia[node.body], node.torque, 0.5 * h);
        s.nodes[k].middle = spin.q;
        w = spin.w;
        s.problem.nodes.inv_inertia[k] = turned_diagonal(spin.q, bodies.inv_inertia[node.body]);
    }
    check_finite(s, "forces");
}

// With w for the inertia at the end of the substep.
void second_kick(Impulse& s, double h) {
    sum_forces_again(s.view, s.island, s.problem.nodes, s.elapsed, h, s.forces);
    const BodySet& bodies = s.view.bodies;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        if (!s.nodes[k].is_held) continue;
        const IslandNode& node = s.island.nodes[k];
        Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
        v += node.acceleration * (0.5 * h);
        const Vec3& inertia = bodies.inertia[node.body];
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        const Quat& middle = s.nodes[k].middle;
        Vec3 l = rotate(middle, scale(inertia, rotate_inverse(middle, w)));
        if (inertia.x == inertia.y && inertia.y == inertia.z) l = w * inertia.x;
        l += node.torque * (0.5 * h);
        w = s.problem.nodes.inv_inertia[k] * l;
    }
    check_finite(s, "forces");
}

}  // namespace impuls::impulse
