// The part of a line inside a convex solid: from `enter` to `leave`, with outward normals at the ends. Solids
// are cut (both) or joined (their union is convex) from simpler ones, and turned into a hit at the end.
// Used by the ray functions.
#pragma once

#include <limits>

#include "collision/ray/ray.h"

namespace impuls {

struct RayInterval {
    double enter = -std::numeric_limits<double>::infinity(), leave = std::numeric_limits<double>::infinity();
    Vec3 enter_normal{};

    bool empty() const { return !(enter <= leave); }
    static RayInterval none() { return {1, 0, {}}; }

    // Keeps what is inside the half-space dot(normal, x) <= offset.
    void cut(const Ray& ray, const Vec3& normal, double offset) {
        const double height = dot(normal, ray.origin) - offset, slope = dot(normal, ray.direction);
        if (slope < 0) {
            const double t = -height / slope;
            if (t > enter) enter = t, enter_normal = normal;
        } else if (slope > 0) {
            const double t = -height / slope;
            if (t < leave) leave = t;
        } else if (height > 0) {
            *this = none();
        }
    }
    void cut(const RayInterval& other) {
        if (other.enter > enter) enter = other.enter, enter_normal = other.enter_normal;
        if (other.leave < leave) leave = other.leave;
    }
    // With a solid that meets this one.
    void join(const RayInterval& other) {
        if (other.empty()) return;
        if (empty()) {
            *this = other;
            return;
        }
        if (other.enter < enter) enter = other.enter, enter_normal = other.enter_normal;
        if (other.leave > leave) leave = other.leave;
    }

    RayHit hit(const Ray& ray) const {
        if (empty() || leave < 0 || enter > ray.t_max) return {};
        if (enter < 0) return leave > 0 ? RayHit{true, true, 0, -normalized(ray.direction)} : RayHit{};
        return {true, false, enter, enter_normal};
    }
};

// The part of the ray's line in a box.
inline RayInterval inside_box(const Ray& ray, const Aabb& box) {
    RayInterval inside;
    for (int i = 0; i < 3; ++i) {
        Vec3 n;
        n[i] = 1;
        inside.cut(ray, n, box.max[i]);
        if (!inside.empty()) inside.cut(ray, -n, -box.min[i]);
        if (inside.empty()) break;
    }
    return inside;
}

inline Aabb grown(const Aabb& box, double by) {
    return {box.min - Vec3{by, by, by}, box.max + Vec3{by, by, by}};
}

}  // namespace impuls
