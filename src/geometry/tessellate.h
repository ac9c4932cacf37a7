// Triangles of a shape's surface, for exporters and viewers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise seen from outside
};

// Round shapes get `segments` (3 to 4096) facets around; a plane becomes a square of edge `plane_size`.
// Solids give closed meshes; plane and height field are open sheets facing +y; a point gives nothing.
TriangleMesh tessellate(const Shape& shape, int segments = 32, double plane_size = 20);

}  // namespace impuls
