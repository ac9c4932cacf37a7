// Bounding boxes of placed shapes. With R the rotation and row i its i-th row, the half extent along world
// axis i is the support function of the shape in that direction:
//   box sum_j |R_ij| h_j;   ellipsoid sqrt(sum_j (R_ij r_j)^2);   disk about y: r sqrt(R_ix^2 + R_iz^2).
#include "geometry/aabb.h"

#include <algorithm>
#include <cmath>

#include "geometry/revolved.h"

namespace impuls {
namespace {

void include(Aabb& box, const Vec3& low, const Vec3& high) {
    for (int i = 0; i < 3; ++i) {
        box.min[i] = std::min(box.min[i], low[i]);
        box.max[i] = std::max(box.max[i], high[i]);
    }
}

Aabb around(const Vec3& center, const Vec3& half) {
    return {center - half, center + half};
}

// Half extents of a disk of radius r whose axis is local y.
Vec3 disk_half(const Mat3& R, double r) {
    Vec3 half;
    for (int i = 0; i < 3; ++i) half[i] = r * std::sqrt(R.c0[i] * R.c0[i] + R.c2[i] * R.c2[i]);
    return half;
}

Vec3 magnitude(const Vec3& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

Aabb box_of(const Sphere& s, const Pose& X) {
    return around(X.position, {s.radius, s.radius, s.radius});
}

Aabb box_of(const Box& b, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    return around(X.position, magnitude(R.c0) * (b.size.x / 2) + magnitude(R.c1) * (b.size.y / 2) +
                                  magnitude(R.c2) * (b.size.z / 2));
}

Aabb box_of(const Capsule& c, const Pose& X) {
    const Vec3 axis = rotate(X.orientation, {0, c.length / 2, 0});
    return around(X.position, magnitude(axis) + Vec3{c.radius, c.radius, c.radius});
}

Aabb box_of(const Cylinder& c, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    return around(X.position, magnitude(R.c1 * (c.height / 2)) + disk_half(R, c.radius));
}

Aabb box_of(const Cone& c, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    const Vec3 apex = X.position + R.c1 * (c.height / 2);
    Aabb box = around(X.position - R.c1 * (c.height / 2), disk_half(R, c.radius));
    include(box, apex, apex);
    return box;
}

Aabb box_of(const Ellipsoid& e, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    Vec3 half;
    for (int i = 0; i < 3; ++i) {
        half[i] = length(Vec3{R.c0[i] * e.radii.x, R.c1[i] * e.radii.y, R.c2[i] * e.radii.z});
    }
    return around(X.position, half);
}

Aabb box_of(const Plane&, const Pose&) {
    const Aabb empty;
    return {empty.max, empty.min};
}

Aabb box_of(const Point&, const Pose& X) {
    return {X.position, X.position};
}

void include_point(Aabb& box, const Mat3& R, const Vec3& origin, const Vec3& p) {
    const Vec3 x = origin + R * p;
    include(box, x, x);
}

Aabb box_of(const Convex& c, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    Aabb box;
    for (const Vec3& p : c.points) include_point(box, R, X.position, p);
    return box;
}

// Only vertices that some triangle uses.
Aabb box_of(const Mesh& m, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    Aabb box;
    for (const std::int64_t i : m.triangles) {
        if (i >= 0 && static_cast<std::uint64_t>(i) < m.vertices.size())
            include_point(box, R, X.position, m.vertices[static_cast<std::size_t>(i)]);
    }
    return box;
}

Aabb box_of(const HeightField& field, const Pose& X) {
    Aabb box;
    if (field.columns < 1) return box;
    const Mat3 R = to_matrix(X.orientation);
    const auto columns = static_cast<std::size_t>(field.columns);
    const std::size_t rows = field.heights.size() / columns;
    if (rows == 0) return box;
    const double x0 = -0.5 * field.spacing * static_cast<double>(columns - 1);
    const double z0 = -0.5 * field.spacing * static_cast<double>(rows - 1);
    for (std::size_t i = 0; i < rows * columns; ++i) {
        const double x = x0 + field.spacing * static_cast<double>(i % columns);
        const double z = z0 + field.spacing * static_cast<double>(i / columns);
        include_point(box, R, X.position, {x, field.heights[i], z});
    }
    return box;
}

Aabb box_of(const Particles& particles, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    const Vec3 around{particles.radius, particles.radius, particles.radius};
    Aabb box;
    for (const Vec3& p : particles.points) include_point(box, R, X.position, p);
    if (!is_empty(box)) box = {box.min - around, box.max + around};
    return box;
}

template <RevolvedShape S>
Aabb box_of(const S& s, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    Aabb box;
    for (const Vec3& p : RevolvedProfile(s).mesh(48).vertices) include_point(box, R, X.position, p);
    return box;
}

Aabb box_of(const Compound& compound, const Pose& X) {
    Aabb box;
    for (const CompoundPart& part : compound.parts) {
        const Pose X_WP = X * Pose{part.position, normalized(part.orientation)};
        const Aabb b = std::visit([&](const auto& s) { return box_of(s, X_WP); }, part.shape);
        include(box, b.min, b.max);
    }
    return box;
}

}  // namespace

Aabb bounds(const Shape& shape, const Pose& X_WB) {
    return std::visit([&](const auto& s) { return box_of(s, X_WB); }, shape);
}

}  // namespace impuls
