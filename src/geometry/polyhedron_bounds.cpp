// Bounding boxes of convex polyhedra (polyhedron_bounds.h). An ellipsoid with half axes a_j, turned by R, has
// the half extents e_i = sqrt(sum_j (R_ij a_j)^2): its support function along the world axes. (The text's
// (4.6)-(4.12) take R for antisymmetric off the diagonal, which misses collisions.)
#include "geometry/polyhedron_bounds.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

constexpr double kRoundingUp = 1 + 0x1p-49;  // so that vertices on the ellipsoid stay inside the box

// Cell of a direction on the cube [-1, 1]^3.
std::size_t cell_of(const Vec3& d) {
    const Vec3 size{std::abs(d.x), std::abs(d.y), std::abs(d.z)};
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int face = 2 * axis + (d[axis] < 0);
    const auto part = [&](int k) {
        const double t = (d[k] / size[axis] + 1) * (0.5 * BoxPlan::kCells);
        return std::clamp(static_cast<int>(t), 0, BoxPlan::kCells - 1);
    };
    return static_cast<std::size_t>((face * BoxPlan::kCells + part((axis + 1) % 3)) * BoxPlan::kCells +
                                    part((axis + 2) % 3));
}

// Middle of a cell.
Vec3 direction_of(std::size_t cell) {
    constexpr int n = BoxPlan::kCells;
    const int c = static_cast<int>(cell), face = c / (n * n), axis = face / 2;
    Vec3 d;
    d[axis] = face % 2 == 0 ? 1 : -1;
    d[(axis + 1) % 3] = (c / n % n + 0.5) * (2.0 / n) - 1;
    d[(axis + 2) % 3] = (c % n + 0.5) * (2.0 / n) - 1;
    return d;
}

// Rows of the rotation: world axes seen from the body.
std::array<Vec3, 3> world_axes(const Pose& X) {
    const Mat3 R_PW = transpose(to_matrix(X.orientation));
    return {R_PW.c0, R_PW.c1, R_PW.c2};
}

Aabb box_of_vertices(std::span<const Vec3> vertices, const Pose& X) {
    const auto axes = world_axes(X);
    Aabb box;
    for (const Vec3& v : vertices) {
        for (int i = 0; i < 3; ++i) {
            const double height = dot(axes[static_cast<std::size_t>(i)], v);
            box.min[i] = std::min(box.min[i], height), box.max[i] = std::max(box.max[i], height);
        }
    }
    return {box.min + X.position, box.max + X.position};
}

double volume(const Aabb& b) {
    return (b.max.x - b.min.x) * (b.max.y - b.min.y) * (b.max.z - b.min.z);
}

// Keeps the ellipsoid about c with half axes proportional to r when it is smaller than the one so far.
void consider(std::span<const Vec3> vertices, const Vec3& c, const Vec3& r, BoxPlan& plan) {
    if (!(r.x > 0 && r.y > 0 && r.z > 0) || !is_finite(r)) return;
    double reach = 0;
    for (const Vec3& v : vertices) {
        const Vec3 d = v - c;
        reach = std::max(reach, length(Vec3{d.x / r.x, d.y / r.y, d.z / r.z}));
    }
    const Vec3 radii = r * (reach * kRoundingUp);
    const double size = radii.x * radii.y * radii.z, old = plan.radii.x * plan.radii.y * plan.radii.z;
    if (old == 0 || size < old) plan.center = c, plan.radii = radii;
}

// Three candidates: a sphere, the shape of the box, and the least-squares solution of sum_j A_j d_j^2 = 1,
// which is the ellipsoid itself when the vertices are on one about their mean. Squares are relative to
// `size`.
void find_ellipsoid(std::span<const Vec3> vertices, const Vec3& center, BoxPlan& plan) {
    const Aabb box = box_of_vertices(vertices, {});
    const Vec3 middle = 0.5 * (box.min + box.max), half = 0.5 * (box.max - box.min);
    const double size = std::max({half.x, half.y, half.z});
    consider(vertices, center, {size, size, size}, plan);
    consider(vertices, middle, half, plan);
    Mat3 normal = diagonal({0, 0, 0});
    Vec3 right{};
    for (const Vec3& v : vertices) {
        const Vec3 d = (v - center) / size, square = scale(d, d);
        for (int j = 0; j < 3; ++j) normal[j] += square * square[j];
        right += square;
    }
    const Vec3 a = inverse(normal) * right;
    consider(vertices, center, Vec3{std::sqrt(1 / a.x), std::sqrt(1 / a.y), std::sqrt(1 / a.z)} * size, plan);
}

// Quaternions of a few turns that favour no axis.
constexpr Quat kTurns[]{{1, 0, 0, 0},  {4, 1, 2, 3},   {3, -4, 1, 2}, {2, 3, -4, 1},
                        {1, 2, 3, -4}, {5, -1, 3, -2}, {-2, 5, 1, 3}, {3, 2, 5, -1}};

// Times in nanoseconds, measured by bench/polyhedron_boxes.cpp; kPair, what a unit of
// surplus volume costs in candidates that the narrow phase has to refuse, is an estimate.
constexpr double kMinMaxBase = 20, kMinMaxVertex = 1.9, kEllipsoid = 15, kClimb = 180, kPair = 400;

BoxMethod cheapest(std::size_t vertices, double looseness) {
    const double min_max = kMinMaxBase + kMinMaxVertex * static_cast<double>(vertices);
    const double ellipsoid = kEllipsoid + kPair * (looseness - 1);
    if (min_max <= std::min(ellipsoid, kClimb)) return BoxMethod::MinMax;
    return ellipsoid < kClimb ? BoxMethod::Ellipsoid : BoxMethod::Climb;
}

}  // namespace

BoxPlan plan_boxes(std::span<const Vec3> vertices, const Vec3& center) {
    BoxPlan plan;
    if (vertices.empty()) return plan;
    find_ellipsoid(vertices, center, plan);
    for (std::size_t cell = 0; cell < plan.start.size(); ++cell) {
        const Vec3 d = direction_of(cell);
        const auto higher = [&](const Vec3& a, const Vec3& b) { return dot(a, d) < dot(b, d); };
        plan.start[cell] = static_cast<std::uint32_t>(
            std::max_element(vertices.begin(), vertices.end(), higher) - vertices.begin());
    }
    plan.looseness = 0;
    for (const Quat& turn : kTurns) {
        const Pose X{{}, normalized(turn)};
        plan.looseness +=
            volume(bounds_ellipsoid(plan, X)) / volume(box_of_vertices(vertices, X)) / std::size(kTurns);
    }
    plan.method = cheapest(vertices.size(), plan.looseness);
    return plan;
}

Aabb bounds_min_max(const PolyhedronView& p, const Pose& X_WP) {
    return box_of_vertices(p.vertices, X_WP);
}

Aabb bounds_ellipsoid(const BoxPlan& plan, const Pose& X_WP) {
    const Mat3 R = to_matrix(X_WP.orientation);
    const Vec3 x = R.c0 * plan.radii.x, y = R.c1 * plan.radii.y, z = R.c2 * plan.radii.z;
    const Vec3 squares = scale(x, x) + scale(y, y) + scale(z, z);
    const Vec3 half{std::sqrt(squares.x), std::sqrt(squares.y), std::sqrt(squares.z)};
    const Vec3 center = X_WP.position + R * plan.center;
    return {center - half, center + half};
}

Aabb bounds_climb(const PolyhedronView& p, const BoxPlan& plan, const Pose& X_WP) {
    const auto axes = world_axes(X_WP);
    Aabb box;
    for (int i = 0; i < 3; ++i) {
        const Vec3 axis = axes[static_cast<std::size_t>(i)];
        box.min[i] = dot(axis, p.vertices[support_vertex(p, -axis, plan.start[cell_of(-axis)])]);
        box.max[i] = dot(axis, p.vertices[support_vertex(p, axis, plan.start[cell_of(axis)])]);
    }
    return {box.min + X_WP.position, box.max + X_WP.position};
}

Aabb bounds(const Polyhedron& p, const Pose& X_WP) {
    switch (p.boxes.method) {
        case BoxMethod::Ellipsoid:
            return bounds_ellipsoid(p.boxes, X_WP);
        case BoxMethod::Climb:
            return bounds_climb(p.view(), p.boxes, X_WP);
        case BoxMethod::MinMax:
            break;
    }
    return bounds_min_max(p.view(), X_WP);
}

}  // namespace impuls
