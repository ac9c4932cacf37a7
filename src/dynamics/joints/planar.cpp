// Planar joint: the point of b stays in a plane fixed in a, with normal n = x of J, and the normals agree.
//     C = n . (p_b - p_a) = 0,   dC/dt = n . (v_b + w_b x r_b) - n . (v_a + w_a x (p_b - x_a))
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PlanarJoint& desc) {
    return {{desc.anchor, along_x(desc.normal)}};
}

void add_rows(const PlanarJoint& desc, const JointGeometry& g, JointRows& out) {
    const Vec3 n = x_of(g.X_WJa);
    add_equation(out, slide_rate(out, g, n), dot(n, g.X_WJb.position - g.X_WJa.position));
    add_axis_rows(out, g);
    const Turn turn = turn_about_x(out, g);
    add_axis(out, desc.turn, turn.angle, turn.rate);
}

}  // namespace impuls
