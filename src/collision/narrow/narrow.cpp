// The dispatch table (narrow.h). Below the diagonal the mirrored function is called and the normal flipped,
// so both orders give the same points bit for bit. Called in every step, and when a world is built.
#include "collision/narrow/narrow.h"

#include <algorithm>

#include "collision/compound_faces.h"
#include "collision/narrow/distance_field_pairs.h"
#include "collision/narrow/pairs.h"

namespace impuls {

namespace {

using narrow::ManyFunction;
using narrow::PairFunction;

// One manifold at most.
template <PairFunction* pair>
bool one(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
         std::vector<Manifold>& out) {
    out.emplace_back();
    if (pair(a, X_WA, b, X_WB, margin, out.back())) return true;
    out.pop_back();
    return false;
}

template <ManyFunction* pair>
bool swapped(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             std::vector<Manifold>& out) {
    const std::size_t first = out.size();
    const bool touching = pair(b, X_WB, a, X_WA, margin, out);
    for (std::size_t k = first; k < out.size(); ++k) out[k].normal = -out[k].normal;
    return touching;
}

// clang-format off
namespace dispatch {  // short names, for the table alone

constexpr ManyFunction
    *ss = one<narrow::sphere_sphere>, *sb = one<narrow::sphere_box>, *sc = one<narrow::sphere_capsule>, *sp = one<narrow::sphere_plane>,
    *bb = one<narrow::box_box>, *bc = one<narrow::box_capsule>, *bp = one<narrow::box_plane>,
    *cc = one<narrow::capsule_capsule>, *cp = one<narrow::capsule_plane>,
    *xx = one<narrow::convex_convex>, *xp = one<narrow::convex_plane>, *xm = narrow::convex_surface,
    *bs = swapped<one<narrow::sphere_box>>, *cs = swapped<one<narrow::sphere_capsule>>, *cb = swapped<one<narrow::box_capsule>>,
    *ps = swapped<one<narrow::sphere_plane>>, *pb = swapped<one<narrow::box_plane>>, *pc = swapped<one<narrow::capsule_plane>>,
    *rx = swapped<one<narrow::convex_convex>>, *px = swapped<one<narrow::convex_plane>>, *mx = swapped<narrow::convex_surface>,
    *bh = one<narrow::box_polyhedron>, *hb = swapped<one<narrow::box_polyhedron>>, *hh = one<narrow::polyhedron_polyhedron>,
    *ff = narrow::field_field, *fp = narrow::field_plane, *fx = narrow::field_convex, *fm = narrow::field_surface,
    *pf = swapped<narrow::field_plane>, *xf = swapped<narrow::field_convex>, *mf = swapped<narrow::field_surface>,
    *no = nullptr;  // two bodies that never move

constexpr ManyFunction* kTable[kColliderKinds][kColliderKinds] = {
    // a \ b             sphere box capsule plane cylinder cone ellipsoid convex mesh field distance
    /* sphere       */ { ss,    sb, sc,     sp,   xx,      xx,  xx,       xx,    xm,  xm,   xf },
    /* box          */ { bs,    bb, bc,     bp,   xx,      xx,  xx,       bh,    xm,  xm,   xf },
    /* capsule      */ { cs,    cb, cc,     cp,   xx,      xx,  xx,       xx,    xm,  xm,   xf },
    /* plane        */ { ps,    pb, pc,     no,   px,      px,  px,       px,    no,  no,   pf },
    /* cylinder     */ { rx,    rx, rx,     xp,   xx,      xx,  xx,       xx,    xm,  xm,   xf },
    /* cone         */ { rx,    rx, rx,     xp,   rx,      xx,  xx,       xx,    xm,  xm,   xf },
    /* ellipsoid    */ { rx,    rx, rx,     xp,   rx,      rx,  xx,       xx,    xm,  xm,   xf },
    /* convex       */ { rx,    hb, rx,     xp,   rx,      rx,  rx,       hh,    xm,  xm,   xf },
    /* mesh         */ { mx,    mx, mx,     no,   mx,      mx,  mx,       mx,    no,  no,   mf },
    /* height field */ { mx,    mx, mx,     no,   mx,      mx,  mx,       mx,    no,  no,   mf },
    /* distance     */ { fx,    fx, fx,     fp,   fx,      fx,  fx,       fx,    fm,  fm,   ff },
};

}  // namespace dispatch
// clang-format on

ManyFunction* entry(ColliderKind a, ColliderKind b) {
    return dispatch::kTable[static_cast<int>(a)][static_cast<int>(b)];
}

// Balls meet the true surface of bodies of revolution, all others their triangles.
ManyFunction* entry_of(const Collider& a, const Collider& b) {
    if (b.profile && a.kind == ColliderKind::Sphere) return narrow::sphere_revolved;
    if (a.profile && b.kind == ColliderKind::Sphere) return swapped<narrow::sphere_revolved>;
    return entry(a.kind, b.kind);
}

// A box face that another part of its compound covers cannot be touched: box-box leaves such faces out when
// it looks for the best one; what others find there is dropped.
bool avoids_covered(const Collider& c, const Pose& X_WC, double sign, Manifold& m) {
    if (c.covered == 0) return true;
    Vec3 n = rotate_inverse(X_WC.orientation, m.normal * sign);
    const Vec3 before = n;
    if (!avoid_covered(c.covered, n)) return false;
    if (n != before) m.normal = rotate(X_WC.orientation, n) * sign;
    return true;
}

void drop_covered(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, std::size_t first,
                  std::vector<Manifold>& out) {
    std::size_t kept = first;
    for (std::size_t k = first; k < out.size(); ++k)
        if (avoids_covered(a, X_WA, 1, out[k]) && avoids_covered(b, X_WB, -1, out[k])) {
            if (kept != k) out[kept] = out[k];
            ++kept;
        }
    out.resize(kept);
}

}  // namespace

bool collide(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             std::vector<Manifold>& out) {
    ManyFunction* pair = entry_of(a, b);
    const std::size_t first = out.size();
    if (!pair || !pair(a, X_WA, b, X_WB, margin, out)) return false;
    if (a.covered != 0 || b.covered != 0) drop_covered(a, X_WA, b, X_WB, first, out);
    return out.size() > first;
}

bool has_narrow_phase(ColliderKind a, ColliderKind b) {
    return entry(a, b) != nullptr;
}

const char* name_of(ColliderKind kind) {
    constexpr const char* names[kColliderKinds] = {"sphere",
                                                   "box",
                                                   "capsule",
                                                   "plane",
                                                   "cylinder",
                                                   "cone",
                                                   "ellipsoid",
                                                   "convex",
                                                   "mesh",
                                                   "height_field",
                                                   "mesh (distance field)"};
    return names[static_cast<int>(kind)];
}

}  // namespace impuls
