// Narrow phase: full manifolds for pairs of colliders, through one visible dispatch table.
#pragma once

#include <vector>

#include "collision/collider.h"
#include "collision/manifold.h"

namespace impuls {

// Appends what touches or is closer than `margin` (m): one manifold for two convex shapes, one for each
// direction in which a surface is touched. Returns false, and appends nothing, when the two are farther
// apart. Poses are X_WC of the colliders themselves.
bool collide(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             std::vector<Manifold>& out);

// Contacts of two colliders along a given normal (W, unit, from a to b) that is known to separate them, or to
// be the way they are pressed together: the features that face each other along it, clipped. Beside: neither
// is over the other, or one is not convex. NoFace: no face looks along the normal, and nothing is known.
enum class Along { Touching, Beside, NoFace };
Along collide_along(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                    const Vec3& normal, double margin, Manifold& out);

// True when the dispatch table has an entry for the pair: all but pairs of two bodies that never move
// (planes, meshes as surfaces, height fields).
bool has_narrow_phase(ColliderKind a, ColliderKind b);

// For messages: "sphere", "box", ...
const char* name_of(ColliderKind kind);

}  // namespace impuls
