// A point of b on a line fixed in a, through p_a along x of J: rows as in slider.cpp, without orientation.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PointOnLineJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}};
}

void add_rows(const PointOnLineJoint& desc, const JointGeometry& g, JointRows& out) {
    add_line_rows(out, g);
    const Vec3 s = x_of(g.X_WJa);
    add_axis(out, desc.slide, dot(s, g.X_WJb.position - g.X_WJa.position), slide_rate(out, g, s));
}

}  // namespace impuls
