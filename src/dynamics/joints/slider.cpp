// Slider: b keeps its orientation against a, and its point stays on the line through p_a along s, which turns
// with a:
//     C = t . (p_b - p_a) = 0,   dC/dt = t . (v_b + w_b x r_b) - t . (v_a + w_a x (p_b - x_a))
// for two directions t across the axis. The arm of a ends at p_b: the exact form of the rows, of which the
// symmetric one with half the arm on each side (Erleben 4.9.3) is right only while w_a = w_b. The travel
// x = s . (p_b - p_a) has the same rate with s for t; so limits and motors push both bodies in one line of
// action (as printed in 4.10 their torques do not balance).
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const SliderJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const SliderJoint& desc, const JointGeometry& g, JointRows& out) {
    add_line_rows(out, g);
    add_orientation_rows(out, g);
    const Vec3 s = x_of(g.X_WJa);
    add_axis(out, desc.slide, dot(s, g.X_WJb.position - g.X_WJa.position), slide_rate(out, g, s));
}

}  // namespace impuls
