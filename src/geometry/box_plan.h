// What a convex polyhedron keeps for its bounding boxes: an ellipsoid around it, vertices from where to
// climb, and which of three methods is the cheapest. Filled by make_polyhedron, used by polyhedron_bounds.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "impuls/vec.h"

namespace impuls {

enum class BoxMethod : std::uint8_t { MinMax, Ellipsoid, Climb };

struct BoxPlan {
    static constexpr int kCells = 4;  // along each edge of the cube of directions

    BoxMethod method = BoxMethod::MinMax;
    Vec3 center{}, radii{};  // of an ellipsoid along the coordinate axes that holds all vertices
    double looseness = 1;    // mean volume of its box over that of the tightest, over orientations
    std::array<std::uint32_t, 6 * kCells * kCells> start{};  // vertex farthest along the middle of each cell
};

BoxPlan plan_boxes(std::span<const Vec3> vertices, const Vec3& center);

}  // namespace impuls
