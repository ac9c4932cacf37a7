// What is wrong with a triangle mesh as the boundary of a solid.
// Called by check_shape.
#pragma once

#include <vector>

#include "geometry/shape_problem.h"
#include "impuls/shapes.h"

namespace impuls {

// Appends the problems of a mesh; each kind is reported once, at its first place.
void check_mesh(const Mesh& mesh, std::vector<ShapeProblem>& problems);
// The same of one that may be open: as a surface alone, without volume.
void check_sheet(const Mesh& mesh, std::vector<ShapeProblem>& problems);

}  // namespace impuls
