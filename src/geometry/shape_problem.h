// A problem that the checks of shapes, meshes and solids found.
#pragma once

#include <string>

namespace impuls {

struct ShapeProblem {
    std::string path;  // relative to the shape: "/points"
    std::string message;
};

}  // namespace impuls
