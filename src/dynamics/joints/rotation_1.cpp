// Fixed angle between an axis s_a of a and an axis s_b of b (Bender 2014, 3.2.1.2), with n across both:
//     C = atan2(|s_a x s_b|, s_a . s_b) - angle = 0,   dC/dt = n . (w_b - w_a),   n = s_a x s_b / |s_a x s_b|
// The text has arccos and an n that is not of unit length unless the axes are perpendicular.
#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {

JointFrames joint_frames(const Rotation1Joint& desc) {
    return {{{}, along_x(desc.axis_a)}, {{}, along_x(desc.axis_b)}};
}

void add_rows(const Rotation1Joint& desc, const JointGeometry& g, JointRows& out) {
    const auto angle_between = [](const Vec3& s, const Vec3& u) {
        return arc_tangent(length(cross(s, u)), dot(s, u));
    };
    const Vec3 s_a = x_of(g.X_WJa), s_b = x_of(g.X_WJb), across = cross(s_a, s_b);
    const double wanted = desc.angle ? *desc.angle : angle_between(desc.axis_a, desc.axis_b);
    // Parallel axes are far from any angle that is allowed: every direction across them leads away.
    const Vec3 n = across != Vec3{} ? normalized(across) : y_of(g.X_WJa);
    add_angular_row(out, n, angle_between(s_a, s_b) - wanted);
}

}  // namespace impuls
