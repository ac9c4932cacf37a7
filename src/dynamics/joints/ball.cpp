// Ball joint: the points p_a and p_b, fixed in their bodies, coincide (Bender 4.2 "spherical joint").
//     C = p_b - p_a = 0,   dC/dt = v_b + w_b x r_b - v_a - w_a x r_a = 0
// Three point rows, one along each world axis.
#include "dynamics/joint.h"

namespace impuls {

Pose joint_frame(const BallJoint& desc) {
    return {desc.anchor, {}};
}

void add_rows(const BallJoint&, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
}

}  // namespace impuls
