// The groups of columns that frames of worlds with grains have (docs/manual/granular.md): grains, and bodies
// as their walls. Called by worlds, which fill them, and by quantities, which may be named before there is a
// frame.
#pragma once

#include <vector>

#include "impuls/columns.h"

namespace impuls {

std::vector<GroupDesc> grain_groups();

}  // namespace impuls
