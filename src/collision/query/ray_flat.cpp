// Rays against solids with flat faces, by cutting the line with one half-space after the other (Cyrus & Beck
// 1978), and against triangles.
#include <algorithm>
#include <cmath>

#include "collision/query/ray_interval.h"

namespace impuls {

RayHit ray_box(const Ray& ray, const Vec3& half) {
    RayInterval inside;
    for (int i = 0; i < 3; ++i) {
        Vec3 n;
        n[i] = 1;
        inside.cut(ray, n, half[i]);
        if (!inside.empty()) inside.cut(ray, -n, half[i]);
    }
    return inside.hit(ray);
}

RayHit ray_plane(const Ray& ray) {
    RayInterval inside;
    inside.cut(ray, {0, 1, 0}, 0);
    return inside.hit(ray);
}

RayHit ray_polyhedron(const Ray& ray, const PolyhedronView& polyhedron) {
    RayInterval inside;
    for (const HullPlane& p : polyhedron.planes) {
        inside.cut(ray, p.normal, p.offset);
        if (inside.empty()) return {};
    }
    return inside.hit(ray);
}

// By the signs of the volumes that the ray spans with the edges. Exchanging the ends of an edge changes
// nothing but the sign, exactly, so a ray never slips through between two triangles that share the edge.
RayHit ray_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 p = a - ray.origin, q = b - ray.origin, r = c - ray.origin;
    const double u = dot(ray.direction, cross(q, r)), v = dot(ray.direction, cross(r, p)),
                 w = dot(ray.direction, cross(p, q));
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
    const Vec3 n = cross(b - a, c - a);
    const double slope = dot(n, ray.direction);
    if (slope == 0 || u + v + w == 0) return {};
    const double t = dot(n, p) / slope;
    if (!(t >= 0 && t <= ray.t_max)) return {};
    return {true, false, t, normalized(n)};
}

}  // namespace impuls
