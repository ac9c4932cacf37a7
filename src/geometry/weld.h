// Vertices at the same place as one: meshes from files often repeat a corner for every triangle.
// Called by mesh checks, triangle surfaces and distance fields.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "impuls/vec.h"

namespace impuls {

// For every vertex the lowest vertex at exactly the same place.
std::vector<std::uint32_t> welded(std::span<const Vec3> vertices);

}  // namespace impuls
