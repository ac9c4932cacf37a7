// A force of constant size along the line between two points: F = -f along x = |p_b - p_a|, U = f x. Where
// the points coincide it has no direction, and does nothing.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const PullForce& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_terms(const PullForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Vec3 way = g.b.X_WF.position - g.a.X_WF.position;
    out.add(stretch_rate(g, normalized(way)), -desc.force, 0, 0);
    out.add_potential(desc.force * length(way));
}

}  // namespace impuls
