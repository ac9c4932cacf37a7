// Volume, centre and second moments of the solid inside closed triangles, by signed tetrahedra.
// Called by mass properties and shape checks.
#pragma once

#include "geometry/tessellate.h"
#include "impuls/vec.h"

namespace impuls {

// Of density one. `inertia` is about the centre; volume is negative for an inside-out mesh.
struct SolidMoments {
    double volume = 0;
    double area = 0;
    Vec3 center;
    Mat3 inertia{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};
SolidMoments solid_moments(const TriangleMesh& mesh);

}  // namespace impuls
