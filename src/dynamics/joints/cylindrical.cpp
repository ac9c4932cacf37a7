// Cylindrical joint: the point of b stays on the axis of a (rows as in slider.cpp) and the axes agree (rows
// as in hinge.cpp); it slides and turns.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const CylindricalJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const CylindricalJoint& desc, const JointGeometry& g, JointRows& out) {
    add_line_rows(out, g);
    add_axis_rows(out, g);
    const Vec3 s = x_of(g.X_WJa);
    add_axis(out, desc.slide, dot(s, g.X_WJb.position - g.X_WJa.position), slide_rate(out, g, s));
    const Turn turn = turn_about_x(out, g);
    add_axis(out, desc.turn, turn.angle, turn.rate);
}

}  // namespace impuls
