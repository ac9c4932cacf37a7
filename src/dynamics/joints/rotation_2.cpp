// Common direction: the axes s_a and s_b stay parallel, pointing the same way (Bender 2014, 3.2.1.2), with
// the rows of hinge.cpp; where the bodies are does not matter.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const Rotation2Joint& desc) {
    return {{{}, along_x(desc.axis)}};
}

void add_rows(const Rotation2Joint& desc, const JointGeometry& g, JointRows& out) {
    add_axis_rows(out, g);
    const Turn turn = turn_about_x(out, g);
    add_axis(out, desc.turn, turn.angle, turn.rate);
}

}  // namespace impuls
