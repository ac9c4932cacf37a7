// Which manifolds are of a disk: four points on the rim of the flat end of a cylinder or cone enclose less
// than the face that bears (steppers/patch.h). Called by search.cpp.
#pragma once

#include <array>
#include <span>

#include "solvers/blocks/contacts.h"
#include "steppers/blocks/context.h"
#include "steppers/patch.h"

namespace impuls::blocks {

inline bool is_of_disk(const Context& c, const IslandPair& pair, std::span<const ContactPoint> points) {
    std::array<Vec3, BlockContacts::kPoints> at{};
    for (std::size_t k = 0; k < points.size(); ++k) at[k] = points[k].position;
    Vec3 centre;
    const auto is_rim_of = [&](const Collider& collider, std::uint32_t node) {
        return is_rim(collider, c.island.nodes[node].pose * collider.X_BC, points[0].normal,
                      std::span(at).first(points.size()), centre);
    };
    return is_rim_of(*pair.collider_a, pair.a) || is_rim_of(*pair.collider_b, pair.b);
}

}  // namespace impuls::blocks
