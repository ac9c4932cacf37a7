// Hinge: common point as for the ball joint, and the axes s_a and s_b (x of J as carried by a and by b)
// agree:
//     C = t . (s_a x s_b) = 0,   dC/dt = t . (w_b - w_a) = 0   for two directions t across the axis
// (Erleben 4.9.2). To first order s_a x s_b is the turn of b against a, across the axis.
#include "dynamics/joint.h"

namespace impuls {

Pose joint_frame(const HingeJoint& desc) {
    return {desc.anchor, along_x(desc.axis)};
}

void add_rows(const HingeJoint&, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
    const Vec3 twist = cross(rotate(g.X_WJa.orientation, {1, 0, 0}), rotate(g.X_WJb.orientation, {1, 0, 0}));
    for (const Vec3& t : {rotate(g.X_WJa.orientation, {0, 1, 0}), rotate(g.X_WJa.orientation, {0, 0, 1})})
        add_angular_row(out, t, dot(t, twist));
}

}  // namespace impuls
