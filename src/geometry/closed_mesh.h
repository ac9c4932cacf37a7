// Makes a triangle mesh closed. The boundary of any set of oriented triangles is a sum of loops; a cone over
// each loop, from its centroid, turns the set into a cycle, whose winding number is an integer everywhere off
// the surface. So holes, single flipped triangles and loose seams all have an inside after this.
// Called by distance fields.
#pragma once

#include <cstddef>

#include "geometry/tessellate.h"
#include "geometry/triangle_surface.h"

namespace impuls {

struct ClosedMesh {
    TriangleMesh mesh{};      // welded; the caps come last
    std::size_t loops = 0;    // that had to be closed
    double cap_fraction = 0;  // area of the caps in the area of the closed surface
};
ClosedMesh close_mesh(const TriangleMesh& mesh);

// True when two triangles without a common corner cross or touch: then the nearest point does not decide the
// side, the winding number does.
bool crosses_itself(const TriangleSurface& surface);

}  // namespace impuls
