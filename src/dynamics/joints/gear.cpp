// Gear: a and b turn against the frame c about axes s_a and s_b fixed in c, by angles e_a and e_b (with
// turns) that keep their ratio r:
//     C = e_b - r e_a = 0,   dC/dt = s_b . (w_b - w_c) - r s_a . (w_a - w_c)
// The bearings in c take up s_b - r s_a of each unit of torque, so that angular momentum is kept.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const GearJoint& desc) {
    return {{{}, along_x(desc.axis_a)}, {{}, along_x(desc.axis_b)}};
}

void add_rows(const GearJoint& desc, const JointGeometry& g, JointRows& out) {
    const Turn a = turn_in_frame(out, out.a, g.X_WCa, g.X_WJa),
               b = turn_in_frame(out, out.b, g.X_WCb, g.X_WJb);
    add_equation(out, Rate{b.rate}.add(a.rate, -desc.ratio), b.angle - desc.ratio * a.angle);
}

}  // namespace impuls
