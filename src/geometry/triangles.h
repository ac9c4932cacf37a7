// Triangle lists, and hulls and mesh descriptions as such.
// Called by mass properties, shape checks and tessellation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/hull.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise seen from outside
};

// Polygon faces as fans around their first vertex.
TriangleMesh to_triangles(const Hull& hull);
// Triangles with vertex numbers out of range, and an incomplete last one, are left out (check_shape reports
// them).
TriangleMesh to_triangles(const Mesh& mesh);

}  // namespace impuls
