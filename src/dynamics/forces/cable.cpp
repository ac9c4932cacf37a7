// Cable from p_a over eyes e_1 ... e_n of the world to p_b. Its way and the rate of it are
//     x = |e_1 - p_a| + ... + |p_b - e_n|,   x' = -d_a . (velocity of p_a) + d_b . (velocity of p_b)
// with d_a from p_a towards the first eye, d_b from the last eye towards p_b. It pulls while x > L:
//     F = -k (x - L) - c x' <= 0,   U = k/2 (x - L)^2
// While it is slack its force is told as it would be, positive: a step may end with it taut.
#include <algorithm>

#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const CableForce& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

namespace {

double way_over(const std::vector<Vec3>& eyes, const Vec3& p_a, const Vec3& p_b) {
    double sum = 0;
    Vec3 from = p_a;
    for (const Vec3& eye : eyes) {
        sum += length(eye - from);
        from = eye;
    }
    return sum + length(p_b - from);
}

}  // namespace

void add_terms(const CableForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Vec3 &p_a = g.a.X_WF.position, &p_b = g.b.X_WF.position;
    const double at_ease = desc.length.value_or(way_over(desc.eyes, desc.anchor_a, desc.anchor_b));
    const double stretch = way_over(desc.eyes, p_a, p_b) - at_ease;
    const Vec3 d_a = normalized((desc.eyes.empty() ? p_b : desc.eyes.front()) - p_a);
    const Vec3 d_b = normalized(p_b - (desc.eyes.empty() ? p_a : desc.eyes.back()));
    const Rate rate =
        Rate{}.add(g.a.node, -d_a, -cross(g.a.arm(), d_a)).add(g.b.node, d_b, cross(g.b.arm(), d_b));
    const double damping = stretch > 0 ? desc.damping : 0;
    ForceTerm& term =
        out.add(rate, -desc.stiffness * stretch - damping * velocity_of(rate, g), desc.stiffness, damping);
    term.only_pulls = true;
    out.add_potential(0.5 * desc.stiffness * std::max(0.0, stretch) * std::max(0.0, stretch));
}

}  // namespace impuls
