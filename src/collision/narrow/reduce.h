// Fewer contact points that hold a body as well as all of them. Called where clipping gives more points than
// a manifold holds, and for surfaces, where every triangle adds some.
#pragma once

#include <span>

#include "collision/manifold.h"

namespace impuls {

// Moves the best points to the front and returns how many (at most `limit`, at least 4 where there are so
// many): four that span the widest area across the normal, then the deepest where it is deeper than those by
// more than `tolerance`, then those farthest from all chosen ones. Where all depths are equal the choice
// depends on the outline only, not on points inside it.
int reduce(std::span<ManifoldPoint> points, const Vec3& normal, int limit, double tolerance);

// The same on a manifold.
void reduce(Manifold& manifold, int limit, double tolerance);

}  // namespace impuls
