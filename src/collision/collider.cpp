// Bounding boxes of colliders: closed forms for round shapes (a disc of radius r about the unit axis y
// reaches r sqrt(1 - y_i^2) along axis i, an ellipsoid sqrt(sum (R_ij r_j)^2)), corners for the others.
// Called in every step.
#include "collision/collider.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/field_solid.h"

namespace impuls {
namespace {

Vec3 abs(const Vec3& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

Vec3 disc_reach(const Vec3& axis, double radius) {
    const auto across = [&](double y) { return radius * std::sqrt(std::max(0.0, 1 - y * y)); };
    return {across(axis.x), across(axis.y), across(axis.z)};
}

Aabb around(const Vec3& center, const Vec3& reach) {
    return {center - reach, center + reach};
}

Aabb join(const Aabb& a, const Aabb& b) {
    return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
            {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
}

Aabb cone_box(const Collider& c, const Pose& X) {
    const Vec3 axis = rotate(X.orientation, {0, 1, 0});
    const Vec3 apex = X.position + axis * c.half.y;
    return join({apex, apex}, around(X.position - axis * c.half.y, disc_reach(axis, c.radius)));
}

Aabb vertex_box(const std::vector<Vec3>& vertices, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    Aabb box;
    for (const Vec3& v : vertices) {
        const Vec3 p = X.position + R * v;
        box = join(box, {p, p});
    }
    return box;
}

// A height field is solid below: its box has no end on that side.
Aabb open_downwards(Aabb box, const Pose& X) {
    const double inf = std::numeric_limits<double>::infinity();
    const Vec3 up = rotate(X.orientation, {0, 1, 0});
    for (int i = 0; i < 3; ++i) {
        if (up[i] > 0) box.min[i] = -inf;
        if (up[i] < 0) box.max[i] = inf;
    }
    return box;
}

}  // namespace

Aabb turned_box(const Aabb& box, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    const Vec3 half = (box.max - box.min) * 0.5;
    return around(X * ((box.max + box.min) * 0.5),
                  abs(R.c0) * half.x + abs(R.c1) * half.y + abs(R.c2) * half.z);
}

double reach(const Collider& c) {
    switch (c.kind) {
        case ColliderKind::Plane:
            return 0;
        case ColliderKind::Sphere:
            return c.radius;
        case ColliderKind::Box:
            return length(c.half);
        case ColliderKind::Capsule:
            return c.half.y + c.radius;
        case ColliderKind::Ellipsoid:
            return std::max({c.half.x, c.half.y, c.half.z});
        case ColliderKind::Convex: {
            double farthest = 0;
            for (const Vec3& v : c.polyhedron->hull.vertices) farthest = std::max(farthest, length(v));
            return farthest + c.radius;
        }
        case ColliderKind::Mesh:
        case ColliderKind::HeightField:
            return c.surface->radius();
        case ColliderKind::DistanceField:
            return c.field->radius;
        default:
            return std::sqrt(c.radius * c.radius + c.half.y * c.half.y);
    }
}

Aabb bounds_at(const Collider& c, const Pose& X) {
    const double inf = std::numeric_limits<double>::infinity();
    switch (c.kind) {
        case ColliderKind::Sphere:
            return around(X.position, {c.radius, c.radius, c.radius});
        case ColliderKind::Box: {
            const Mat3 R = to_matrix(X.orientation);
            return around(X.position, abs(R.c0) * c.half.x + abs(R.c1) * c.half.y + abs(R.c2) * c.half.z);
        }
        case ColliderKind::Capsule:
            return around(X.position, abs(rotate(X.orientation, {0, 1, 0})) * c.half.y +
                                          Vec3{c.radius, c.radius, c.radius});
        case ColliderKind::Cylinder: {
            const Vec3 axis = rotate(X.orientation, {0, 1, 0});
            return around(X.position, abs(axis) * c.half.y + disc_reach(axis, c.radius));
        }
        case ColliderKind::Cone:
            return cone_box(c, X);
        case ColliderKind::Ellipsoid: {
            const Mat3 R = to_matrix(X.orientation);
            const auto along = [&](int i) { return length(scale({R.c0[i], R.c1[i], R.c2[i]}, c.half)); };
            return around(X.position, {along(0), along(1), along(2)});
        }
        case ColliderKind::Convex: {
            const Aabb box = vertex_box(c.polyhedron->hull.vertices, X);
            const Vec3 r{c.radius, c.radius, c.radius};
            return c.radius > 0 ? Aabb{box.min - r, box.max + r} : box;
        }
        case ColliderKind::Mesh:
            return turned_box(c.surface->box(), X);
        case ColliderKind::HeightField:
            return open_downwards(turned_box(c.surface->box(), X), X);
        case ColliderKind::DistanceField:
            return turned_box(c.field->field.surface_box(), X);
        default:
            return around(X.position, {inf, inf, inf});
    }
}

// Most bodies are one shape about its own centre: their pose is that of the shape, to the last bit.
Aabb bounds(const Collider& collider, const Pose& X_WB) {
    return bounds_at(collider, collider.X_BC == Pose{} ? X_WB : X_WB * collider.X_BC);
}

}  // namespace impuls
