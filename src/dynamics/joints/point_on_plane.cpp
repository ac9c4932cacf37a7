// A point of b in a plane fixed in a: one row along the normal n = x of J, as in planar.cpp.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PointOnPlaneJoint& desc) {
    return {{desc.anchor, along_x(desc.normal)}};
}

void add_rows(const PointOnPlaneJoint&, const JointGeometry& g, JointRows& out) {
    const Vec3 n = x_of(g.X_WJa);
    add_equation(out, slide_rate(out, g, n), dot(n, g.X_WJb.position - g.X_WJa.position));
}

}  // namespace impuls
