// Damper between two points, along the line between them: F = -c x' with x = |p_b - p_a|.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const DamperForce& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_terms(const DamperForce& desc, const ForceGeometry& g, ForceTerms& out) {
    add_spring_terms(g, 0, desc.damping, 0, out);
}

}  // namespace impuls
