// A constant force at a point of b, in directions of the world or of the body: the force's frame in b starts
// parallel to the world's axes and turns with the body.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const ConstantForce& desc) {
    return {{desc.anchor, {}}};
}

void add_terms(const ConstantForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const bool turns = desc.axes == ForceAxes::Body;
    out.push(g.b, turns ? rotate(g.b.X_WF.orientation, desc.force) : desc.force, {});
}

}  // namespace impuls
