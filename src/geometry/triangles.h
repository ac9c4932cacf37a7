// Hulls and mesh descriptions as triangle lists.
// Called by mass properties, shape checks and tessellation.
#pragma once

#include "geometry/hull.h"
#include "geometry/tessellate.h"

namespace impuls {

// Polygon faces as fans around their first vertex.
TriangleMesh to_triangles(const Hull& hull);
// Triangles with vertex numbers out of range, and an incomplete last one, are left out (check_shape reports
// them).
TriangleMesh to_triangles(const Mesh& mesh);

}  // namespace impuls
