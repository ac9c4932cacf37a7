// Fixed joint: common point and common orientation. Both errors are "b minus a" at the frame of the rows
// (Erleben 4.9.6 prints an offset that does not turn with the body, and the opposite sign).
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const FixedJoint& desc) {
    return {{desc.anchor, {}}};
}

void add_rows(const FixedJoint&, const JointGeometry& g, JointRows& out) {
    add_point_rows(out, g);
    add_orientation_rows(out, g);
}

}  // namespace impuls
