// Torsion spring about x of the force's frame in a: the turn of b's copy of the frame about it (twist_of,
// joint_rows.h), taken into (-pi, pi] about the angle at ease:
//     T = -k (angle - rest) - c angle',   U = k/2 (angle - rest)^2
#include "dynamics/force.h"
#include "math/arc_tangent.h"

namespace impuls {

JointFrames force_frames(const TorsionSpringForce& desc) {
    return {{{}, along_x(desc.axis)}};
}

void add_terms(const TorsionSpringForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Quat& q_a = g.a.X_WF.orientation;
    const Twist twist = twist_of(conjugate(q_a) * g.b.X_WF.orientation);
    double angle = twist.angle - desc.rest;
    if (angle > 2 * kHalfPi) angle -= kTwoPi;
    if (angle < -2 * kHalfPi) angle += kTwoPi;
    const Vec3 axis = rotate(q_a, twist.gradient);
    const Rate rate = Rate{}.add(g.a.node, {}, -axis).add(g.b.node, {}, axis);
    out.add(rate, -desc.stiffness * angle - desc.damping * velocity_of(rate, g), desc.stiffness,
            desc.damping);
    out.add_potential(0.5 * desc.stiffness * angle * angle);
}

}  // namespace impuls
