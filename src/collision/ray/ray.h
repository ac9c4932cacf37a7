// Where rays meet shapes, in closed form, each in the shape's own frame. A ray is origin + t direction with
// 0 <= t <= t_max; the direction has any length but zero, so that t is a fraction of a path, a time or a
// length as the caller likes.
// Solids: a ray that starts inside (or on the surface going in) hits at t = 0; `inside` says that the origin
// is strictly inside, and the normal is then against the ray. Surfaces (triangles) are hit from both sides
// and give the normal of their front; a ray in a triangle's plane misses it. Rays that only graze round
// surfaces may go either way within rounding. Called by ray queries; also by casts of points.
#pragma once

#include <array>

#include "collision/collider.h"
#include "impuls/vec.h"

namespace impuls {

struct Ray {
    Vec3 origin{}, direction{};
    double t_max = std::numeric_limits<double>::infinity();

    Vec3 at(double t) const { return origin + direction * t; }
};

struct RayHit {
    bool hit = false;
    bool inside = false;  // the ray starts inside; t = 0
    double t = 0;
    Vec3 normal{};  // unit, outward
};

RayHit ray_sphere(const Ray& ray, double radius);
RayHit ray_ellipsoid(const Ray& ray, const Vec3& radii);
RayHit ray_box(const Ray& ray, const Vec3& half);
RayHit ray_capsule(const Ray& ray, double radius, double half_length);
RayHit ray_cylinder(const Ray& ray, double radius, double half_height);
RayHit ray_cone(const Ray& ray, double radius, double half_height);
RayHit ray_plane(const Ray& ray);  // the half-space y <= 0
RayHit ray_polyhedron(const Ray& ray, const PolyhedronView& polyhedron);
// All points within `radius` of a triangle.
RayHit ray_rounded_triangle(const Ray& ray, const std::array<Vec3, 3>& corners, double radius);
RayHit ray_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c);

// A collider at X_WC, in world coordinates.
RayHit ray_cast(const Ray& ray, const Collider& collider, const Pose& X_WC);

}  // namespace impuls
