// Spring and damper between two points, along d = (p_b - p_a) / |p_b - p_a|, with x = |p_b - p_a|:
//     F = -k (x - L) - c x',   U = k/2 (x - L)^2
// Where the points coincide it has no direction, and does nothing.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const SpringForce& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_terms(const SpringForce& desc, const ForceGeometry& g, ForceTerms& out) {
    add_spring_terms(g, desc.stiffness, desc.damping,
                     desc.length.value_or(length(desc.anchor_b - desc.anchor_a)), out);
}

}  // namespace impuls
