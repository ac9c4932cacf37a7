// What is wrong with a shape beyond single-field ranges: flat hulls, open or inside-out meshes, bad counts.
// Called by scene validation.
#pragma once

#include <string>
#include <vector>

#include "impuls/shapes.h"

namespace impuls {

// Problems with a path relative to the shape ("/points") and a message; empty when the shape is fine.
struct ShapeProblem {
    std::string path;
    std::string message;
};
std::vector<ShapeProblem> check_shape(const Shape& shape);

}  // namespace impuls
