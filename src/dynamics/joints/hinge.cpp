// Hinge: common point as for the ball joint, and the axes s_a and s_b (x of J as carried by a and by b)
// agree:
//     C = t . (s_a x s_b) = 0,   dC/dt = t . (w_b - w_a) = 0   for two directions t across the axis
// (Erleben 4.9.2). Its angle is the turn of b against a about s, positive by the right-hand rule: with
// q = q_a* q_b the angle is +2 atan2(q.x, q.w) (Erleben's q_rel = q_j* q_i gives the opposite sign).
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const HingeJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const HingeJoint& desc, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
    add_axis_rows(out, g);
    const Turn turn = turn_about_x(out, g);
    add_axis(out, desc.turn, turn.angle, turn.rate);
}

}  // namespace impuls
