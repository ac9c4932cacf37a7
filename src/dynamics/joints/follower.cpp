// Follower: b has the velocity of a, with limited force and torque and no memory of where it was (Bender
// 2014, 3.2.3):
//     v_b + w_b x r_b = v_a + w_a x (p_b - x_a),   w_b = w_a
// The text compares the centres' velocities; taken at one point, forces on a and b are in one line, so that
// angular momentum is kept whatever a is.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const FollowerJoint& desc) {
    return {{desc.anchor, {}}};
}

void add_rows(const FollowerJoint& desc, const JointGeometry& g, JointRows& out) {
    const Vec3 e[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (desc.max_force)
        add_capped_rows(out, {slide_rate(out, g, e[0]), slide_rate(out, g, e[1]), slide_rate(out, g, e[2])},
                        {}, *desc.max_force);
    if (desc.max_torque)
        add_capped_rows(out, {turn_rate(out, e[0]), turn_rate(out, e[1]), turn_rate(out, e[2])}, {},
                        *desc.max_torque);
}

}  // namespace impuls
