// Ball joint: the points p_a and p_b, fixed in their bodies, coincide (Bender 4.2 "spherical joint").
//     C = p_b - p_a = 0,   dC/dt = v_b + w_b x r_b - v_a - w_a x r_a = 0
// Reach cone: the angle between the axes s_a and s_b is x = atan2(|s_a x s_b|, s_a . s_b) with the rate
// x' = n . (w_b - w_a), n = s_a x s_b / |s_a x s_b|; as an upper limit that is Erleben's C = s_a . s_b -
// cos(cone) >= 0. Twist: what remains of the rotation beside that swing.
#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {

JointFrames joint_frames(const BallJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const BallJoint& desc, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
    const Turn twist = turn_about_x(out, g, middle_of(desc.twist));
    const auto gaps = twist_gaps(out, g, desc.twist, twist.angle);
    add_axis(out, desc.twist, twist.angle, twist.rate, gaps ? &*gaps : nullptr);
    if (!desc.cone) return;
    const Vec3 s_a = x_of(g.X_WJa), s_b = x_of(g.X_WJb), across = cross(s_a, s_b);
    AxisDesc cone;
    cone.upper = desc.cone;
    cone.restitution = desc.twist.restitution;
    add_unnamed_axis(out, cone, arc_tangent(length(across), dot(s_a, s_b)),
                     turn_rate(out, normalized(across)));
}

}  // namespace impuls
