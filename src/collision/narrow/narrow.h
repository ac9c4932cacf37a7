// Narrow phase: full manifolds for pairs of colliders, through one visible dispatch table.
#pragma once

#include "collision/collider.h"
#include "collision/manifold.h"

namespace impuls {

// Points closer than `margin` (m). Returns false (count 0) when the two are farther apart, and always for
// plane-plane. Poses are X_WC of the colliders themselves.
bool collide(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             Manifold& out);

// True when the dispatch table has an entry for the pair.
bool has_narrow_phase(ColliderKind a, ColliderKind b);

}  // namespace impuls
