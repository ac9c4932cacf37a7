// Rays against solids with flat faces, by cutting the line with one half-space after the other (Cyrus & Beck
// 1978), and against triangles.
#include <algorithm>
#include <cmath>

#include "collision/ray/interval.h"

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

// Corners are seen along the ray, as points of a plane with the ray at the origin (Woop, Benthin, Wald, JCGT
// 2, 2013). A corner gets the same point in all its triangles, and exchanging the ends of an edge changes
// nothing but the sign of its side, so a ray does not slip through between triangles that share edges and
// corners.
RayHit ray_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3& d = ray.direction;
    const int k = std::abs(d.x) > std::abs(d.y) ? (std::abs(d.x) > std::abs(d.z) ? 0 : 2)
                                                : (std::abs(d.y) > std::abs(d.z) ? 1 : 2);
    if (d[k] == 0) return {};
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double si = d[i] / d[k], sj = d[j] / d[k];
    struct Seen {
        double x, y;
    };
    const auto see = [&](const Vec3& v) {
        const Vec3 p = v - ray.origin;
        return Seen{p[i] - si * p[k], p[j] - sj * p[k]};
    };
    const auto side = [](const Seen& p, const Seen& q) { return p.x * q.y - p.y * q.x; };
    const Seen p = see(a), q = see(b), r = see(c);
    const double u = side(q, r), v = side(r, p), w = side(p, q);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
    const Vec3 n = cross(b - a, c - a);
    const double slope = dot(n, ray.direction);
    if (slope == 0 || u + v + w == 0) return {};
    const double t = dot(n, a - ray.origin) / slope;
    if (!(t >= 0 && t <= ray.t_max)) return {};
    return {true, false, t, normalized(n)};
}

}  // namespace impuls
