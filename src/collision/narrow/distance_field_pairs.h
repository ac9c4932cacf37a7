// Pairs with a solid described by a distance field (Erleben 2004, 6.2): a is the solid. Both ways: samples of
// the solid against the other shape's distance, and points of the other shape against the solid's field. They
// append manifolds; poses are those of the colliders. Table entries: field_field (distance, distance),
// field_plane (distance, plane), field_surface (distance, mesh and height field), field_convex (distance, all
// bounded simple kinds).
#pragma once

#include "collision/narrow/pairs.h"

namespace impuls::narrow {

ManyFunction field_field, field_plane, field_convex, field_surface;

// The oracle of field_field: every sample is looked up. Same manifolds.
ManyFunction field_field_by_force;

}  // namespace impuls::narrow
