// A constant torque on b, in directions of the world or of the body (as constant.cpp).
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const TorqueForce&) {
    return {{}};
}

void add_terms(const TorqueForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const bool turns = desc.axes == ForceAxes::Body;
    out.push(g.b, {}, turns ? rotate(g.b.X_WF.orientation, desc.torque) : desc.torque);
}

}  // namespace impuls
