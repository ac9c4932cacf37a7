// Sums over the parts of a contact's sides (contact_side.h).
#include "constraints/contact_side.h"

namespace impuls {

std::uint32_t ContactGeometry::add_side(std::span<const SidePart> parts) {
    IMPULS_ASSERT(!parts.empty() && parts.size() <= kMostSideParts);
    side_parts.insert(side_parts.end(), parts.begin(), parts.end());
    side_end.push_back(static_cast<std::uint32_t>(side_parts.size()));
    return kMixedSide + static_cast<std::uint32_t>(side_end.size() - 1);
}

Vec3 relative_velocity(const Nodes& nodes, const ContactGeometry& c, std::size_t k) {
    const auto a = c.a[k], b = c.b[k];
    if (is_rigid(nodes, c, k))
        return nodes.v[b] + cross(nodes.w[b], c.rb[k]) - nodes.v[a] - cross(nodes.w[a], c.ra[k]);
    Vec3 u;
    for_each_part(c, k, [&](std::uint32_t node, double weight, const Vec3& arm) {
        u += nodes.v[node] * weight;
        if (nodes.is_body(node)) u += cross(nodes.w[node], arm) * weight;
    });
    return u;
}

void apply_impulse(Nodes& nodes, const ContactGeometry& c, std::size_t k, const Vec3& impulse) {
    for_each_part(c, k, [&](std::uint32_t node, double weight, const Vec3& arm) {
        nodes.v[node] += impulse * (weight * nodes.inv_mass[node]);
        if (nodes.is_body(node)) nodes.w[node] += nodes.inv_inertia[node] * (cross(arm, impulse) * weight);
    });
}

double coupling_of(const Nodes& nodes, const ContactGeometry& c, std::size_t k, const Vec3& d, std::size_t l,
                   const Vec3& e) {
    double sum = 0;
    for_each_part(c, k, [&](std::uint32_t i, double weight_i, const Vec3& arm_i) {
        for_each_part(c, l, [&](std::uint32_t j, double weight_j, const Vec3& arm_j) {
            if (i != j) return;
            double response = nodes.inv_mass[i] * dot(d, e);
            if (nodes.is_body(i)) response += dot(cross(arm_i, d), nodes.inv_inertia[i] * cross(arm_j, e));
            sum += weight_i * weight_j * response;
        });
    });
    return sum;
}

double inv_mass_of(const Nodes& nodes, const ContactGeometry& c, std::uint32_t side) {
    if (side < kMixedSide) return nodes.inv_mass[side];
    double sum = 0;
    for (const SidePart& part : c.parts_of(side))
        sum += part.weight * part.weight * nodes.inv_mass[part.node];
    return sum;
}

}  // namespace impuls
