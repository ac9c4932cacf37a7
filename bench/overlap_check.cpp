// The common check of final poses (overlap_check.h).
#include "bench/overlap_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "bench/statistics.h"

namespace impuls::bench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A solid as plain lists in world coordinates. Parallel normals and edges are listed once.
struct Shape3 {
    std::vector<Vec3> vertices{}, normals{}, edges{};
};

void add_direction(std::vector<Vec3>& list, const Vec3& d) {
    for (const Vec3& known : list)
        if (length_squared(cross(known, d)) < 1e-24) return;
    list.push_back(d);
}

Shape3 box_at(const Vec3& half, const Pose& X) {
    Shape3 s;
    const Mat3 R = to_matrix(X.orientation);
    for (int corner = 0; corner < 8; ++corner)
        s.vertices.push_back(X * Vec3{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                      corner & 4 ? half.z : -half.z});
    s.normals = s.edges = {R.c0, R.c1, R.c2};
    return s;
}

Shape3 hull_at(const Hull& hull, const Pose& X) {
    Shape3 s;
    for (const Vec3& v : hull.vertices) s.vertices.push_back(X * v);
    for (const HullPlane& p : hull.planes) add_direction(s.normals, rotate(X.orientation, p.normal));
    for (const HullEdge& e : hull.edges)
        add_direction(s.edges, normalized(s.vertices[e.b] - s.vertices[e.a]));
    return s;
}

Shape3 shape_at(const Solid& solid, const Pose& X) {
    return solid.kind == SolidKind::Box ? box_at(solid.half, X) : hull_at(*solid.hull, X);
}

// Overlap of the shadows on a line; negative is a gap.
double shadow_overlap(const Shape3& a, const Shape3& b, const Vec3& axis) {
    double a_low = kInfinity, a_high = -kInfinity, b_low = kInfinity, b_high = -kInfinity;
    for (const Vec3& v : a.vertices)
        a_low = std::min(a_low, dot(v, axis)), a_high = std::max(a_high, dot(v, axis));
    for (const Vec3& v : b.vertices)
        b_low = std::min(b_low, dot(v, axis)), b_high = std::max(b_high, dot(v, axis));
    return std::min(a_high - b_low, b_high - a_low);
}

double polyhedra_depth(const Shape3& a, const Shape3& b, double give_up) {
    double depth = kInfinity;
    const auto test = [&](const Vec3& axis) {
        depth = std::min(depth, shadow_overlap(a, b, axis));
        return depth > -give_up;
    };
    for (const Vec3& n : a.normals)
        if (!test(n)) return depth;
    for (const Vec3& n : b.normals)
        if (!test(n)) return depth;
    for (const Vec3& e : a.edges)
        for (const Vec3& f : b.edges) {
            const Vec3 axis = cross(e, f);
            const double size = length(axis);
            if (size > 1e-9 && !test(axis / size)) return depth;
        }
    return depth;
}

Vec3 closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    return a + d * std::clamp(dot(p - a, d) / length_squared(d), 0.0, 1.0);
}

// Signed distance of a point to a convex polygon's face, seen as part of a hull: the polygon's own distance
// when the point projects beside it.
double distance_to_face(const Vec3& p, std::span<const Vec3> corners, const Vec3& normal) {
    bool is_over = true;
    double nearest = kInfinity;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        if (dot(cross(b - a, p - a), normal) < 0) is_over = false;
        nearest = std::min(nearest, length(p - closest_on_segment(p, a, b)));
    }
    return is_over ? std::abs(dot(p - corners[0], normal)) : nearest;
}

// Distance of a point to the surface, negative inside.
double distance_to_box(const Vec3& p, const Vec3& half) {
    const Vec3 q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
    const Vec3 outside{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return length(outside) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

double distance_to_hull(const Vec3& p, const Hull& hull) {
    double outside = -kInfinity, nearest = kInfinity;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
        outside = std::max(outside, dot(hull.planes[f].normal, p) - hull.planes[f].offset);
        std::vector<Vec3> corners;
        for (const std::uint32_t v : hull.face(f)) corners.push_back(hull.vertices[v]);
        nearest = std::min(nearest, distance_to_face(p, corners, hull.planes[f].normal));
    }
    return outside <= 0 ? outside : nearest;
}

double distance_to(const Solid& solid, const Pose& X, const Vec3& p_W) {
    const Vec3 p = inverse(X) * p_W;
    return solid.kind == SolidKind::Box ? distance_to_box(p, solid.half) : distance_to_hull(p, *solid.hull);
}

double bounding_radius(const Solid& solid) {
    if (solid.kind == SolidKind::Sphere) return solid.radius;
    if (solid.kind == SolidKind::Box) return length(solid.half);
    double r = 0;
    for (const Vec3& v : solid.hull->vertices) r = std::max(r, length(v));
    return r;
}

// Half extent along world x, for the sweep.
double reach_x(const Solid& solid, const Pose& X) {
    if (solid.kind != SolidKind::Box) return bounding_radius(solid);
    const Mat3 R = to_matrix(X.orientation);
    return std::abs(R.c0.x) * solid.half.x + std::abs(R.c1.x) * solid.half.y +
           std::abs(R.c2.x) * solid.half.z;
}

std::set<std::pair<int, int>> joined_pairs(const Model& model) {
    std::set<std::pair<int, int>> out;
    for (const ModelJoint& j : model.joints) out.insert({std::min(j.a, j.b), std::max(j.a, j.b)});
    return out;
}

}  // namespace

double overlap_depth(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, double give_up) {
    const bool a_round = a.kind == SolidKind::Sphere, b_round = b.kind == SolidKind::Sphere;
    if (a_round && b_round) return a.radius + b.radius - length(X_WA.position - X_WB.position);
    if (a_round) return a.radius - distance_to(b, X_WB, X_WA.position);
    if (b_round) return b.radius - distance_to(a, X_WA, X_WB.position);
    return polyhedra_depth(shape_at(a, X_WA), shape_at(b, X_WB), give_up);
}

OverlapReport check_overlaps(const Model& model, const std::vector<BodyState>& states) {
    struct Entry {
        double low, high, radius;
        std::size_t body;
    };
    std::vector<Entry> entries;
    for (std::size_t k = 0; k < states.size(); ++k) {
        if (!model.bodies[k].collides || !is_finite(states[k].X_WP.position)) continue;
        const double x = states[k].X_WP.position.x,
                     r = reach_x(model.bodies[k].solid, states[k].X_WP) + kTouch;
        entries.push_back({x - r, x + r, bounding_radius(model.bodies[k].solid) + kTouch, k});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.low < b.low; });

    const auto joined = joined_pairs(model);
    std::vector<double> depths;
    OverlapReport report;
    for (std::size_t i = 0; i < entries.size(); ++i)
        for (std::size_t j = i + 1; j < entries.size() && entries[j].low <= entries[i].high; ++j) {
            const std::size_t a = entries[i].body, b = entries[j].body;
            const ModelBody &A = model.bodies[a], &B = model.bodies[b];
            if (A.is_static && B.is_static) continue;
            const double reach = entries[i].radius + entries[j].radius;
            if (length_squared(states[a].X_WP.position - states[b].X_WP.position) > reach * reach) continue;
            if (joined.count({static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b))})) continue;
            const double depth = overlap_depth(A.solid, states[a].X_WP, B.solid, states[b].X_WP, kTouch);
            if (depth > -kTouch) ++report.touching;
            if (depth > 0) depths.push_back(depth);
        }
    report.overlapping = depths.size();
    report.mean = mean(depths), report.p99 = percentile(depths, 99), report.max = percentile(depths, 100);
    return report;
}

}  // namespace impuls::bench
