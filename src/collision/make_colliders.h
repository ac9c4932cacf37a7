// Colliders from shape descriptions. Called when bodies and solids are built.
#pragma once

#include <vector>

#include "collision/collider.h"
#include "collision/shape_cache.h"
#include "impuls/shapes.h"

namespace impuls {

// True when this kind of shape can collide: all but points.
bool can_collide(const Shape& shape);

// Appends the colliders of a shape. X_BS places the shape's frame in the centre-of-mass frame. Meshes of
// dynamic bodies become distance fields, others surfaces.
void make_colliders(const Shape& shape, const Pose& X_BS, bool is_dynamic, ShapeCache& cache,
                    std::vector<Collider>& out);

}  // namespace impuls
