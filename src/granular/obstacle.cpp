// Obstacles (obstacle.h).
#include "granular/obstacle.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "geometry/tessellate.h"

namespace impuls::granular {
namespace {

constexpr int kFacets = 48;  // around round solids

void add_solid(std::span<const Vec3> points, const Pose& X_BS, Obstacle o, std::vector<Obstacle>& out) {
    o.kind = ObstacleKind::Solid;
    o.shape = hull_shape(points);
    Vec3 given, own;  // hull_shape moves the points to their centroid
    const Hull& hull = o.shape.polyhedron->hull;
    given = points[hull.source[0]], own = rotate(o.shape.from_given, hull.vertices[0]);
    o.X_BO = X_BS * Pose{given - own, o.shape.from_given};
    out.push_back(std::move(o));
}

// A facet of a surface as a solid: the triangle, and its corners moved inward.
void add_triangles(const TriangleMesh& mesh, const Pose& X_BS, const Obstacle& o,
                   std::vector<Obstacle>& out) {
    for (const auto& t : mesh.triangles) {
        const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        const Vec3 n = cross(b - a, c - a);
        const double edge =
            std::sqrt(std::max({length_squared(b - a), length_squared(c - b), length_squared(a - c)}));
        if (!(length(n) > 1e-9 * edge * edge)) continue;
        const Vec3 in = normalized(n) * (-0.25 * edge);
        add_solid(std::vector<Vec3>{a, b, c, a + in, b + in, c + in}, X_BS, o, out);
    }
}

// The corner of a grain farthest from the axis of an inner side beyond its surface.
Vec3 farthest(const Obstacle& o, const Pose& X_WO, const Placed& grain) {
    const auto local = [&](const Vec3& p) { return rotate_inverse(X_WO.orientation, p - X_WO.position); };
    if (grain.shape->is_sphere()) return local(grain.position);
    Vec3 best;
    double most = -1e300;
    for (const Vec3& v : grain.shape->view.vertices) {
        const Vec3 p = local(grain.position + grain.rotation * (v * grain.size));
        const double beyond = std::sqrt(p.x * p.x + p.z * p.z) - o.radius - o.slope * p.y;
        if (beyond > most) most = beyond, best = p;
    }
    return best;
}

}  // namespace

bool make_obstacles(const Shape& shape, const Pose& X_BS, std::uint32_t body, std::uint32_t material,
                    std::vector<Obstacle>& out) {
    Obstacle o;
    o.body = body, o.material = material, o.X_BO = X_BS;
    return std::visit(
        [&](const auto& s) {
            using S = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<S, Plane>) {
                out.push_back(o);
            } else if constexpr (std::is_same_v<S, Sphere>) {
                o.kind = ObstacleKind::Solid, o.shape = sphere_shape(s.radius);
                out.push_back(o);
            } else if constexpr (std::is_same_v<S, Tube>) {
                o.kind = ObstacleKind::InnerSide;
                o.radius = s.radius, o.low = -s.height / 2, o.high = s.height / 2;
                out.push_back(o);
            } else if constexpr (std::is_same_v<S, Funnel>) {
                o.kind = ObstacleKind::InnerSide;
                o.low = -s.height / 2, o.high = s.height / 2;
                o.slope = (s.radius - s.neck) / s.height, o.radius = (s.radius + s.neck) / 2;
                out.push_back(o);
            } else if constexpr (std::is_same_v<S, Compound>) {
                for (const CompoundPart& part : s.parts) {
                    const Pose X_BP = X_BS * Pose{part.position, part.orientation};
                    if (!std::visit(
                            [&](const auto& p) { return make_obstacles(p, X_BP, body, material, out); },
                            part.shape))
                        return false;
                }
            } else if constexpr (std::is_same_v<S, Mesh> || std::is_same_v<S, HeightField> ||
                                 std::is_same_v<S, Bowl> || std::is_same_v<S, Torus>) {
                add_triangles(tessellate(s, kFacets), X_BS, o, out);
            } else if constexpr (std::is_same_v<S, Point>) {
                return true;
            } else {
                add_solid(tessellate(s, kFacets).vertices, X_BS, o, out);
            }
            return true;
        },
        shape);
}

bool plane_at(const Obstacle& o, const Pose& X_WO, const Placed& grain, HalfSpaceNow& out) {
    if (o.kind == ObstacleKind::HalfSpace) {
        out.normal = rotate(X_WO.orientation, {0, 1, 0});
        out.height = dot(out.normal, X_WO.position - grain.position);
        return true;
    }
    const Vec3 p = farthest(o, X_WO, grain);
    const double rho = std::sqrt(p.x * p.x + p.z * p.z);
    if (!(rho > 0) || p.y < o.low || p.y > o.high) return false;
    const double at = o.radius + o.slope * p.y;
    // What is outside already, by more than the grain is wide, does not belong to the inner side.
    if (rho - at > grain.shape->radius * grain.size) return false;
    const double scale = 1 / std::sqrt(1 + o.slope * o.slope);
    const Vec3 n{-p.x / rho * scale, o.slope * scale, -p.z / rho * scale};
    const Vec3 foot{p.x / rho * at, p.y, p.z / rho * at};
    out.normal = rotate(X_WO.orientation, n);
    out.height = dot(out.normal, X_WO * foot - grain.position);
    return true;
}

double gap_of(const Obstacle& o, const Pose& X_WO, const Vec3& center, double radius) {
    const Vec3 p = rotate_inverse(X_WO.orientation, center - X_WO.position);
    if (o.kind == ObstacleKind::HalfSpace) return p.y - radius;
    if (o.kind == ObstacleKind::Solid) {
        if (o.shape.is_sphere()) return length(p) - o.shape.radius - radius;
        double most = length(p) - o.shape.radius;
        for (const HullPlane& plane : o.shape.view.planes)
            most = std::max(most, dot(plane.normal, p) - plane.offset);
        return most - radius;
    }
    const double rho = std::sqrt(p.x * p.x + p.z * p.z), scale = 1 / std::sqrt(1 + o.slope * o.slope);
    return std::max((o.radius + o.slope * p.y - rho) * scale, std::max(o.low - p.y, p.y - o.high)) - radius;
}

}  // namespace impuls::granular
