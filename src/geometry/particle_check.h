// Checks of shapes that are made of particles: places, numbers and pins, before anything is built from them.
// Called by shape_check.cpp.
#pragma once

#include <vector>

#include "geometry/shape_problem.h"
#include "impuls/shapes.h"

namespace impuls {

void check_particles(const Particles& shape, std::vector<ShapeProblem>& problems);

}  // namespace impuls
