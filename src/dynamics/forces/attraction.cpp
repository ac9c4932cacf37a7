// Attraction of two centres of mass at the distance x: F = -G m_a m_b / x^2, U = -G m_a m_b / x. Held through
// half a substep (leapfrog), which keeps orbits closed and the mean of their energy.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const AttractionForce&) {
    return {{}};
}

void add_terms(const AttractionForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Vec3 way = g.b.center - g.a.center;
    const double x = length(way);
    if (!(x > 0)) return;
    const double energy = -desc.constant * g.a.mass * g.b.mass / x;
    const Vec3 d = way / x;
    out.add(Rate{}.add(g.a.node, -d, {}).add(g.b.node, d, {}), energy / x, 2 * energy / (x * x), 0).is_plain =
        true;
    out.add_potential(energy);
}

}  // namespace impuls
