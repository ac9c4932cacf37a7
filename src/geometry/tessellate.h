// Triangles of a shape's surface, for exporters and viewers.
#pragma once

#include "geometry/triangles.h"
#include "impuls/shapes.h"

namespace impuls {

// Round shapes get `segments` (3 to 4096) facets around; a plane becomes a square of edge `plane_size`.
// Solids give closed meshes; plane and height field are open sheets facing +y; a point gives nothing.
TriangleMesh tessellate(const Shape& shape, int segments = 32, double plane_size = 20);

}  // namespace impuls
