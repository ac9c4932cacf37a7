// Checks of volumes: flat, inside out, too small or too large for numbers.
// Called by the checks of shapes and meshes.
#pragma once

#include <string>
#include <vector>

#include "geometry/mass_properties.h"
#include "geometry/shape_problem.h"
#include "geometry/triangles.h"

namespace impuls {

// Volume and moments must be normal numbers at density one, or masses would be zero or infinite.
void check_magnitude(const MassProperties& unit_density, const std::string& path,
                     std::vector<ShapeProblem>& problems);

// The mesh scaled by a power of two to extents in [0.5, 1), which keeps the checks free of overflow.
// Without triangles when its extent is zero or infinite.
TriangleMesh to_unit_size(const TriangleMesh& mesh);

// The volume that a mesh of unit size encloses: not thinner than rounding, and positive.
void check_volume(const TriangleMesh& unit_mesh, const std::string& path,
                  std::vector<ShapeProblem>& problems);

}  // namespace impuls
