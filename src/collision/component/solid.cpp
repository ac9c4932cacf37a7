// Solids of the collision component: all colliders of a, with all colliders of b (solid.h,
// impuls/collision.h).
#include "collision/component/solid.h"

#include <algorithm>
#include <cmath>

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
    for (const Collider& c : parts->colliders)
        if (c.size > 0) parts->size = parts->size > 0 ? std::min(parts->size, c.size) : c.size;
    parts_ = std::move(parts);
}

Aabb bounds(const Solid& solid, const Pose& X_WB) {
    Aabb box;
    for (const Collider& c : solid.parts().colliders) {
        const Aabb part = bounds(c, X_WB);
        for (int i = 0; i < 3; ++i)
            box.min[i] = std::min(box.min[i], part.min[i]), box.max[i] = std::max(box.max[i], part.max[i]);
    }
    return box;
}

RayHit ray_cast(const Ray& ray, const Solid& solid, const Pose& X_WB) {
    RayHit best;
    for (const Collider& c : solid.parts().colliders) {
        const RayHit hit = ray_cast(ray, c, X_WB * c.X_BC);
        if (hit.hit && (!best.hit || hit.t < best.t)) best = hit;
    }
    return best;
}

bool contains(const Solid& solid, const Pose& X_WB, const Vec3& point) {
    const auto& parts = solid.parts().colliders;
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Collider& c) { return contains_point(c, X_WB * c.X_BC, point); });
}

Distance distance_within(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, double limit) {
    Distance best;
    for (const Collider& ca : a.parts().colliders) {
        for (const Collider& cb : b.parts().colliders) {
            const Closest c = closest(ca, X_WA * ca.X_BC, cb, X_WB * cb.X_BC,
                                      std::min(limit, std::max(best.distance, 0.0)));
            if (!c.beyond && c.distance < best.distance) best = {c.distance, c.normal, c.p_a, c.p_b};
        }
    }
    return best.distance <= limit ? best : Distance{};
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
    return distance_within(a.solid, a.pose, b.solid, b.pose, kNoLimit);
}

std::vector<TouchPoint> contacts(const Placed& a, const Placed& b, double margin) {
    return contacts(a.solid, a.pose, b.solid, b.pose, margin);
}

bool contains(const Placed& solid, const Vec3& point) {
    return contains(solid.solid, solid.pose, point);
}

}  // namespace impuls
