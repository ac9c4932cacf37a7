// Rays against round solids. Circles and spheres are solved about the point of the line nearest to the
// centre, which keeps the digits that b^2 - ac loses for distant origins (Haines, Guenther, Akenine-Moeller
// in Ray Tracing Gems, 2019, chapter 7).
#include <algorithm>
#include <cmath>

#include "collision/ray/interval.h"

namespace impuls {
namespace {

// |o + t d| <= radius for the parts of o and d that count.
RayInterval inside_ball(const Vec3& o, const Vec3& d, double radius) {
    const double dd = length_squared(d);
    if (dd == 0) return length_squared(o) <= radius * radius ? RayInterval{} : RayInterval::none();
    const double middle = -dot(o, d) / dd;
    const Vec3 nearest = o + d * middle;
    const double room = radius * radius - length_squared(nearest);
    if (room < 0) return RayInterval::none();
    const double half = std::sqrt(room / dd);
    return {middle - half, middle + half, normalized(nearest - d * half)};
}

RayInterval inside_sphere(const Ray& ray, const Vec3& center, double radius) {
    return inside_ball(ray.origin - center, ray.direction, radius);
}

// The infinite cylinder along y, cut off at -h and h.
RayInterval inside_cylinder(const Ray& ray, double radius, double h) {
    RayInterval inside =
        inside_ball({ray.origin.x, 0, ray.origin.z}, {ray.direction.x, 0, ray.direction.z}, radius);
    if (!inside.empty()) inside.cut(ray, {0, 1, 0}, h);
    if (!inside.empty()) inside.cut(ray, {0, -1, 0}, h);
    return inside;
}

// Within `radius` of a segment.
RayInterval inside_bar(const Ray& ray, const Vec3& p, const Vec3& q, double radius) {
    RayInterval inside = RayInterval::none();
    if (p != q) {
        const Vec3 u = normalized(q - p), o = ray.origin - p;
        inside = inside_ball(o - u * dot(u, o), ray.direction - u * dot(u, ray.direction), radius);
        if (!inside.empty()) inside.cut(ray, u, dot(u, q));
        if (!inside.empty()) inside.cut(ray, -u, -dot(u, p));
    }
    inside.join(inside_sphere(ray, p, radius));
    inside.join(inside_sphere(ray, q, radius));
    return inside;
}

// Within `radius` of a triangle, above and below it.
RayInterval inside_slab(const Ray& ray, const std::array<Vec3, 3>& corners, double radius) {
    const auto& [a, b, c] = corners;
    const Vec3 area = cross(b - a, c - a);
    if (area == Vec3{}) return RayInterval::none();
    const Vec3 n = normalized(area);
    RayInterval inside;
    inside.cut(ray, n, dot(n, a) + radius);
    if (!inside.empty()) inside.cut(ray, -n, radius - dot(n, a));
    for (std::size_t k = 0; k < 3 && !inside.empty(); ++k) {
        const Vec3 out = normalized(cross(corners[(k + 1) % 3] - corners[k], n));
        inside.cut(ray, out, dot(out, corners[k]));
    }
    return inside;
}

}  // namespace

RayHit ray_rounded_triangle(const Ray& ray, const std::array<Vec3, 3>& corners, double radius) {
    RayInterval inside = inside_slab(ray, corners, radius);
    for (std::size_t k = 0; k < 3; ++k)
        inside.join(inside_bar(ray, corners[k], corners[(k + 1) % 3], radius));
    return inside.hit(ray);
}

RayHit ray_sphere(const Ray& ray, double radius) {
    return inside_sphere(ray, {}, radius).hit(ray);
}

// Scaled to the unit ball, t stays the same.
RayHit ray_ellipsoid(const Ray& ray, const Vec3& radii) {
    const Vec3 s{1 / radii.x, 1 / radii.y, 1 / radii.z};
    RayInterval inside = inside_ball(scale(ray.origin, s), scale(ray.direction, s), 1);
    inside.enter_normal = normalized(scale(inside.enter_normal, s));
    return inside.hit(ray);
}

RayHit ray_capsule(const Ray& ray, double radius, double half_length) {
    RayInterval inside = inside_cylinder(ray, radius, half_length);
    inside.join(inside_sphere(ray, {0, half_length, 0}, radius));
    inside.join(inside_sphere(ray, {0, -half_length, 0}, radius));
    return inside.hit(ray);
}

RayHit ray_cylinder(const Ray& ray, double radius, double half_height) {
    return inside_cylinder(ray, radius, half_height).hit(ray);
}

// The cone x^2 + z^2 <= k^2 s^2 with s = apex - y >= 0 the distance below the apex. Along the ray this is
// a t^2 + 2 b t + c <= 0 between (a > 0) or beyond (a < 0) the roots; of the two nappes only the lower one
// counts, which the cuts at apex and base select.
RayHit ray_cone(const Ray& ray, double radius, double half_height) {
    const double k2 = radius * radius / (4 * half_height * half_height);
    const Vec3 &o = ray.origin, &d = ray.direction;
    const double s0 = half_height - o.y, ds = -d.y;
    const double a = d.x * d.x + d.z * d.z - k2 * ds * ds;
    const double b = o.x * d.x + o.z * d.z - k2 * s0 * ds;
    const double c = o.x * o.x + o.z * o.z - k2 * s0 * s0;
    RayInterval slab;
    slab.cut(ray, {0, 1, 0}, half_height);
    if (!slab.empty()) slab.cut(ray, {0, -1, 0}, half_height);
    if (slab.empty()) return {};

    const auto normal_at = [&](double t) {
        const Vec3 p = ray.at(t);
        const double across = std::sqrt(p.x * p.x + p.z * p.z);
        return across > 0 ? normalized(Vec3{p.x, across * radius / (2 * half_height), p.z}) : Vec3{0, 1, 0};
    };
    // b^2 - ac without cancellation: (o x d) across the axis and the mixed terms.
    const double turn = o.z * d.x - o.x * d.z;
    const double mx = o.x * ds - s0 * d.x, mz = o.z * ds - s0 * d.z;
    const double discriminant = k2 * (mx * mx + mz * mz) - turn * turn;
    RayInterval side;
    if (a > 0 || a < 0) {
        if (a > 0 && discriminant < 0) return {};
        const double root = std::sqrt(std::max(0.0, discriminant));  // negative only by rounding when a < 0
        const double q = -(b + (b < 0 ? -root : root));
        double t0 = q / a, t1 = q != 0 ? c / q : t0;
        if (t0 > t1) std::swap(t0, t1);
        if (a > 0)
            side = {t0, t1, normal_at(t0)};
        else if (ds > 0)  // going down: inside the lower nappe after the later root
            side = {t1, std::numeric_limits<double>::infinity(), normal_at(t1)};
        else
            side = {-std::numeric_limits<double>::infinity(), t0, {}};
    } else if (b < 0) {  // along a line of the surface's slope
        side.enter = -c / (2 * b), side.enter_normal = normal_at(side.enter);
    } else if (b > 0) {
        side.leave = -c / (2 * b);
    } else if (c > 0) {
        return {};
    }
    slab.cut(side);
    return slab.hit(ray);
}

}  // namespace impuls
