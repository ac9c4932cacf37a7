// Universal joint: common point, and an axis s of a stays perpendicular to an axis u of b (x and y of J):
//     C = s . u = 0,   dC/dt = (u x s) . (w_b - w_a)
// (Erleben 4.9.5, with the error -s . u of his last form). The relative rotation is first a turn about s,
// then one about u; since s and u are perpendicular the angles have the rates s . (w_b - w_a) and u . (w_b -
// w_a).
#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {

JointFrames joint_frames(const UniversalJoint& desc) {
    return {{desc.anchor, along_xy(desc.first_axis, desc.second_axis)}};
}

void add_rows(const UniversalJoint& desc, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
    const Vec3 s = x_of(g.X_WJa), u = y_of(g.X_WJb);
    add_angular_row(out, cross(u, s), dot(s, u));
    // u = (0, cos, sin) of the first angle as seen from a; s = (cos, 0, sin) of the second as seen from b.
    const Rate first = turn_rate(out, s), second = turn_rate(out, u);
    const double first_angle = arc_tangent(dot(u, z_of(g.X_WJa)), dot(u, y_of(g.X_WJa)));
    const double second_angle = arc_tangent(dot(s, z_of(g.X_WJb)), dot(s, x_of(g.X_WJb)));
    add_axis(out, desc.first, with_turns(out, first_angle, first), first);
    add_axis(out, desc.second, with_turns(out, second_angle, second), second);
}

}  // namespace impuls
