// Support points (support.h): one closed form for each kind of shape.
#include "collision/convex/support.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

// Half x, y or z with the sign of d.
double side(double half, double d) {
    return d < 0 ? -half : half;
}

// Farthest point of the circle of radius r in the xz-plane; its centre when d has no part there.
Vec3 rim(double r, const Vec3& d, double y) {
    const double n = std::sqrt(d.x * d.x + d.z * d.z);
    return n > 0 ? Vec3{r * d.x / n, y, r * d.z / n} : Vec3{0, y, 0};
}

Vec3 cone_support(const Vec3& half, const Vec3& d) {
    const double base = half.x * std::sqrt(d.x * d.x + d.z * d.z) - half.y * d.y;
    return half.y * d.y >= base ? Vec3{0, half.y, 0} : rim(half.x, d, -half.y);
}

Vec3 ellipsoid_support(const Vec3& radii, const Vec3& d) {
    const Vec3 s = scale(radii, d);
    const double n = length(s);
    return n > 0 ? scale(radii, s) / n : Vec3{radii.x, 0, 0};
}

std::uint32_t farthest_vertex(const PolyhedronView& view, const Vec3& d, std::uint32_t hint) {
    if (view.vertices.size() > kFewVertices) return support_vertex(view, d, hint);
    if (!view.vertex_blocks.empty()) return farthest_point(view.vertex_blocks, d);
    std::uint32_t best = 0;  // a triangle
    double height = dot(view.vertices[0], d);
    for (std::uint32_t i = 1; i < view.vertices.size(); ++i) {
        const double h = dot(view.vertices[i], d);
        if (h > height) height = h, best = i;
    }
    return best;
}

}  // namespace

bool is_convex(ColliderKind kind) {
    switch (kind) {
        case ColliderKind::Sphere:
        case ColliderKind::Box:
        case ColliderKind::Capsule:
        case ColliderKind::Cylinder:
        case ColliderKind::Cone:
        case ColliderKind::Ellipsoid:
        case ColliderKind::Convex:
            return true;
        default:
            return false;
    }
}

ConvexCore convex_core(const Collider& c) {
    ConvexCore core{c.kind, c.half};
    switch (c.kind) {
        case ColliderKind::Sphere:
            core.radius = c.radius;
            break;
        case ColliderKind::Capsule:
            core.radius = c.radius;
            core.reach = c.half.y;
            break;
        case ColliderKind::Convex:
            core.radius = c.radius;
            core.view = c.polyhedron->view();
            core.center = core.view.center;
            core.reach = c.polyhedron->radius;
            break;
        case ColliderKind::Ellipsoid:
            core.reach = std::max({c.half.x, c.half.y, c.half.z});
            core.has_facets = false;
            break;
        default:
            core.reach = c.kind == ColliderKind::Box ? length(c.half)
                                                     : std::sqrt(c.half.x * c.half.x + c.half.y * c.half.y);
            core.has_facets = c.kind == ColliderKind::Box;
    }
    return core;
}

Vec3 support_point(const ConvexCore& core, const Vec3& d, std::uint32_t& hint) {
    switch (core.kind) {
        case ColliderKind::Box:
            return {side(core.half.x, d.x), side(core.half.y, d.y), side(core.half.z, d.z)};
        case ColliderKind::Capsule:
            return {0, side(core.half.y, d.y), 0};
        case ColliderKind::Cylinder:
            return rim(core.half.x, d, side(core.half.y, d.y));
        case ColliderKind::Cone:
            return cone_support(core.half, d);
        case ColliderKind::Ellipsoid:
            return ellipsoid_support(core.half, d);
        case ColliderKind::Convex:
            hint = farthest_vertex(core.view, d, hint);
            return core.view.vertices[hint];
        default:
            return {};
    }
}

double reach_along(const Collider& c, const Vec3& d) {
    if (c.kind == ColliderKind::Box)
        return std::abs(d.x) * c.half.x + std::abs(d.y) * c.half.y + std::abs(d.z) * c.half.z;
    if (c.kind == ColliderKind::Convex && c.polyhedron->hull.vertices.size() <= kFewVertices)
        return reach_along(c.polyhedron->vertex_blocks, d);
    const ConvexCore core = convex_core(c);
    std::uint32_t hint = 0;
    return dot(support_point(core, d, hint), d) + core.radius;
}

}  // namespace impuls
