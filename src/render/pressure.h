// Pressure over areas of contact as colour, from blue (none) by green and yellow to red (the largest of the
// frame). The areas lie between bodies, so they shine through as signs do. Called by gather.cpp.
#pragma once

#include "impuls/frame.h"
#include "render/symbols.h"

namespace impuls {

// From 0 to 1; red, green, blue as in files.
Vec3 pressure_color(double share);
std::vector<Link> solids_of_pressure(const Frame& frame);

}  // namespace impuls
