// Rod: a stiff spring and damper between two points. One of length 0 has no direction; it holds the points
// together along each world axis,
//     F = -k (p_b - p_a) - c (p_b - p_a)',   U = k/2 |p_b - p_a|^2.
#include "dynamics/force.h"

namespace impuls {

JointFrames force_frames(const RodForce& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_terms(const RodForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const double held = desc.length.value_or(length(desc.anchor_b - desc.anchor_a));
    if (held > 0) return add_spring_terms(g, desc.stiffness, desc.damping, held, out);
    const Vec3 way = g.b.X_WF.position - g.a.X_WF.position;
    for (const Vec3& d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Rate rate = stretch_rate(g, d);
        out.add(rate, -desc.stiffness * dot(d, way) - desc.damping * velocity_of(rate, g), desc.stiffness,
                desc.damping);
    }
    out.add_potential(0.5 * desc.stiffness * length_squared(way));
}

}  // namespace impuls
