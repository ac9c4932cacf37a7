// Shapes as POV-Ray objects in the body's frame.
#pragma once

#include <string>

#include "impuls/shapes.h"

namespace impuls {

// One POV-Ray object without its closing brace, so that a texture and a matrix can follow. Points become
// balls of radius `point_radius`. Empty for a plane, which has its own texture.
std::string povray_object(const Shape& shape, double point_radius);

// <x, y, z>
std::string povray_vector(const Vec3& v);

// The rotation and translation of a pose; POV-Ray's own rotations turn the other way round.
std::string povray_matrix(const Pose& X_WB);

}  // namespace impuls
