// The dispatch table of the narrow phase. Below the diagonal the mirrored entry is called and its normal
// flipped, so both orders give the same points. Called by the contact stage and by queries.
#include "collision/narrow/narrow.h"

#include "collision/narrow/pairs.h"

namespace impuls {

namespace {

using narrow::PairFunction;

template <PairFunction* pair>
bool swapped(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             Manifold& out) {
    const bool touching = pair(b, X_WB, a, X_WA, margin, out);
    out.normal = -out.normal;
    return touching;
}

// clang-format off
constexpr PairFunction* kTable[kColliderKinds][kColliderKinds] = {
    // a \ b        sphere                            box                             capsule                           plane
    /* sphere  */ { narrow::sphere_sphere,            narrow::sphere_box,             narrow::sphere_capsule,           narrow::sphere_plane  },
    /* box     */ { swapped<narrow::sphere_box>,      narrow::box_box,                narrow::box_capsule,              narrow::box_plane     },
    /* capsule */ { swapped<narrow::sphere_capsule>,  swapped<narrow::box_capsule>,   narrow::capsule_capsule,          narrow::capsule_plane },
    /* plane   */ { swapped<narrow::sphere_plane>,    swapped<narrow::box_plane>,     swapped<narrow::capsule_plane>,   nullptr               },
};
// clang-format on

PairFunction* entry(ColliderKind a, ColliderKind b) {
    return kTable[static_cast<int>(a)][static_cast<int>(b)];
}

}  // namespace

bool collide(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             Manifold& out) {
    out.count = 0;
    PairFunction* pair = entry(a.kind, b.kind);
    return pair && pair(a, X_WA, b, X_WB, margin, out);
}

bool has_narrow_phase(ColliderKind a, ColliderKind b) {
    return entry(a, b) != nullptr;
}

}  // namespace impuls
