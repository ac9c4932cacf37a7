// What is wrong with a shape beyond single-field ranges: flat hulls, open or inside-out meshes, bad counts.
// Called by scene validation.
#pragma once

#include <vector>

#include "geometry/shape_problem.h"
#include "impuls/shapes.h"

namespace impuls {

// Empty when the shape is fine.
std::vector<ShapeProblem> check_shape(const Shape& shape);

}  // namespace impuls
