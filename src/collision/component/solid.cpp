// Solids of the collision component: all colliders of a, with all colliders of b (solid.h,
// impuls/collision.h).
#include "collision/component/solid.h"

#include "collision/make_colliders.h"
#include "collision/narrow/narrow.h"
#include "collision/shape_cache.h"
#include "geometry/shape_check.h"
#include "impuls/errors.h"

namespace impuls {

Solid::Solid(const Shape& shape) {
    std::vector<Issue> issues;
    for (const ShapeProblem& p : check_shape(shape)) issues.push_back({"", 0, 0, p.path, p.message});
    if (!issues.empty()) throw InputError(issues);
    if (!can_collide(shape)) throw InputError("a point has no extent to collide with");
    auto parts = std::make_shared<Parts>();
    ShapeCache cache;
    make_colliders(shape, {}, false, cache, parts->colliders);
    parts->size = size_of(parts->colliders);
    parts_ = std::move(parts);
}

std::vector<TouchPoint> contacts(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB,
                                 double margin) {
    std::vector<TouchPoint> out;
    std::vector<Manifold> manifolds;
    for (const Collider& ca : a.parts().colliders)
        for (const Collider& cb : b.parts().colliders)
            collide(ca, X_WA * ca.X_BC, cb, X_WB * cb.X_BC, margin, manifolds);
    for (const Manifold& m : manifolds) {
        for (int k = 0; k < m.count; ++k) {
            const ManifoldPoint& p = m.points[static_cast<std::size_t>(k)];
            out.push_back({p.position, m.normal, p.separation, p.feature});
        }
    }
    return out;
}

Distance distance(const Placed& a, const Placed& b) {
    return distance_within(group_of(a.solid), a.pose, group_of(b.solid), b.pose, kNoLimit);
}

std::vector<TouchPoint> contacts(const Placed& a, const Placed& b, double margin) {
    return contacts(a.solid, a.pose, b.solid, b.pose, margin);
}

bool contains(const Placed& solid, const Vec3& point) {
    return contains(group_of(solid.solid), solid.pose, point);
}

}  // namespace impuls
