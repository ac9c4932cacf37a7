// Orientation lock: the frames of a and b keep the same orientation; positions are free (Bender 2014,
// 3.2.1.2). The error is the rotation vector of q_b q_a*, in world coordinates. The text prints
// (q_b(0)* q_b)* (q_a(0)* q_a), which mixes the bodies' frames, and an arccos without the test which of q and
// -q is meant; rates w_b - w_a belong to the form here.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const Rotation3Joint&) {
    return {Pose{}};
}

void add_rows(const Rotation3Joint&, const JointGeometry& g, JointRows& out) {
    add_orientation_rows(out, g);
}

}  // namespace impuls
