// Screw: a cylindrical joint whose travel x follows its angle e (with turns):
//     C = x - pitch e / (2 pi) = 0,   dC/dt = x' - pitch e' / (2 pi)
#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {

JointFrames joint_frames(const ScrewJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const ScrewJoint& desc, const JointGeometry& g, JointRows& out) {
    add_line_rows(out, g);
    add_axis_rows(out, g);
    const Vec3 s = x_of(g.X_WJa);
    const Turn turn = turn_about_x(out, g);
    const double lead = desc.pitch / kTwoPi;  // m for one radian
    add_equation(out, slide_rate(out, g, s).add(turn.rate, -lead),
                 dot(s, g.X_WJb.position - g.X_WJa.position) - lead * turn.angle);
    add_axis(out, desc.turn, turn.angle, turn.rate);
}

}  // namespace impuls
