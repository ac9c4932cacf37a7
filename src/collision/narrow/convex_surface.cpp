// Convex shapes on triangle surfaces (meshes, height fields). A triangle is a one-sided face: shapes whose
// centre is behind it are left to others, deep ones leave along its normal; those that are left to nobody and
// have their centre inside a solid leave where it comes out soonest; what cuts a triangle by more than the
// rules below can explain is pushed off the triangle it cuts deepest. No ghost contacts at inner edges:
//   - where the shape's lowest point is over the triangle, the contact is the face's;
//   - else, at an edge or corner that sticks out, the normal of the closest points is taken only when it is
//     in the Voronoi region of that edge or corner (between the two faces' normals; below all edges around);
//   - all else is the business of a neighbour.
// Points with the same normal make one manifold, without duplicates, of at most four points. Normal rule: van
// den Bergen, Collision Detection in Interactive 3D Environments (2004), 4.3, applied to the whole surface.
// Called through the dispatch table; works in the surface's frame S.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/index.h"
#include "collision/convex/closest_points.h"
#include "collision/narrow/contact_builder.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/reduce.h"
#include "geometry/triangle_tree.h"

namespace impuls::narrow {
namespace {

constexpr double kOnFace = 1e-3;      // rad: normals this close to the face's are the face's
constexpr double kSameNormal = 1e-4;  // rad: points with such normals share a manifold
constexpr double kAnyDepth = -std::numeric_limits<double>::infinity();
constexpr double kBorder = 1e-6;  // rad: how far over the border of its region a normal may be

// A triangle as a polyhedron with two faces: what closest points need.
struct TriangleCore {
    std::array<Vec3, 3> vertices;
    std::array<HullPlane, 2> planes{};
    ConvexCore core;

    TriangleCore(const Vec3& a, const Vec3& b, const Vec3& c) : vertices{a, b, c} {
        static constexpr std::array<HullEdge, 3> edges{{{0, 1, 0, 1}, {0, 2, 1, 0}, {1, 2, 0, 1}}};
        static constexpr std::array<std::uint32_t, 6> corners{0, 1, 2, 0, 2, 1}, face_edges{0, 2, 1, 1, 2, 0};
        static constexpr std::array<std::uint32_t, 6> vertex_edges{0, 1, 0, 2, 1, 2};
        static constexpr std::array<std::uint32_t, 3> first_corner{0, 3, 6};
        static constexpr std::array<std::uint32_t, 4> first_vertex_edge{0, 2, 4, 6};
        core.kind = ColliderKind::Convex;
        core.center = (a + b + c) / 3;
        for (const Vec3& v : vertices) core.reach = std::max(core.reach, length(v - core.center));
        core.view = {vertices, planes,       corners,           face_edges, first_corner,
                     edges,    vertex_edges, first_vertex_edge, core.center};
    }
};

struct Found {
    ManifoldPoint point;  // in S
    std::size_t group;
};

struct Scene {
    const Collider& shape;
    const ContactSurface& surface;
    Pose X_SC;  // the convex shape in S
    ConvexCore core;
    Vec3 center;  // a point inside the shape, in S
    double margin;
    std::vector<Found>& found;
    std::vector<Manifold>& groups;  // of this pair: from `first`; normals in S, from the shape to the surface
    std::size_t first;

    bool is_suspect = false;  // deep below a triangle's plane, and nothing was found there

    // For the last normal asked for, since neighbours often share theirs: the shape's lowest point, and its
    // feature that faces the triangle.
    Vec3 asked{};
    Vec3 lowest_point{};
    bool has_feature = false;
    Feature feature{};

    const Vec3& lowest(const Vec3& n) {
        if (n == asked) return lowest_point;
        asked = n, has_feature = false;
        std::uint32_t hint = 0;
        const Vec3 d = rotate_inverse(X_SC.orientation, -n);
        lowest_point = X_SC * support_point(core, d, hint) - n * core.radius;
        return lowest_point;
    }
    // After lowest().
    const Feature& facing() {
        if (has_feature) return feature;
        has_feature = true;
        const bool has_faces = shape.kind == ColliderKind::Box || shape.kind == ColliderKind::Convex;
        facing_feature(shape, rotate_inverse(X_SC.orientation, -asked), has_faces ? 2 : kFacing, feature);
        place(feature, X_SC);
        return feature;
    }
    void add(const Vec3& normal, const ManifoldPoint& p) {
        std::size_t g = first;
        while (g < groups.size() && length_squared(groups[g].normal - normal) > kSameNormal * kSameNormal)
            ++g;
        if (g == groups.size()) groups.emplace_back().normal = normal;
        const double near = kSnap * shape.size;
        for (Found& f : found) {
            if (f.group != g || length_squared(f.point.position - p.position) > near * near) continue;
            f.point.separation = std::min(f.point.separation, p.separation);
            return;
        }
        found.push_back({p, g});
    }
};

// Faces with nearly the same normal share a name, so that a corner sliding from triangle to triangle keeps
// its id.
std::uint32_t face_id(const Vec3& n) {
    const auto step = [](double x) { return static_cast<std::uint32_t>(std::floor(x * 8 + 8.5)); };
    return face_name(step(n.x) | step(n.y) << 8 | step(n.z) << 16);
}

struct Triangle {
    std::uint32_t t;
    std::array<Vec3, 3> p;
    Vec3 n;

    Triangle(const ContactSurface& s, std::uint32_t number) : t(number), n(s.normal(number)) {
        for (int k = 0; k < 3; ++k) p[idx(k)] = s.vertex(s.corners(t)[idx(k)]);
    }
    std::uint32_t edge_id(const ContactSurface& s, int k) const {
        const std::uint32_t v = s.corners(t)[idx(k)], w = s.corners(t)[idx((k + 1) % 3)];
        return edge_name(pair_name(std::min(v, w), std::max(v, w)) & 0x3fffffffu);
    }
    // True when all of the feature is beyond one side of the triangle by more than `snap`.
    bool is_beside(const Feature& f, double snap) const {
        for (int k = 0; k < 3; ++k) {
            const Vec3 e = p[idx((k + 1) % 3)] - p[idx(k)], side = cross(e, n);
            const double offset = dot(side, p[idx(k)]) + 2 * snap * length(e);
            int beyond = 0;
            while (beyond < f.count && dot(side, f.points[idx(beyond)]) > offset) ++beyond;
            if (beyond == f.count) return true;
        }
        return false;
    }
    void whole(const ContactSurface& s, Feature& f) const {
        f.count = 0, f.normal = n, f.id = face_id(n);
        for (int k = 0; k < 3; ++k) f.add(p[idx(k)], corner_name(s.corners(t)[idx(k)]), edge_id(s, k));
    }
};

// The edge or corner of the triangle that is farthest along the unit vector n, where n is in its Voronoi
// region. Returns false where another triangle is nearer, or the edge does not stick out.
bool allowed_feature(const ContactSurface& s, const Triangle& tri, const Vec3& n, Feature& f) {
    std::array<double, 3> height;
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        height[idx(k)] = dot(n, tri.p[idx(k)] - tri.p[0]);
        longest = std::max(longest, length(tri.p[idx((k + 1) % 3)] - tri.p[idx(k)]));
    }
    const double top = std::max({height[0], height[1], height[2]}), near = kOnFace * longest;
    f.count = 0, f.normal = n, f.id = face_id(n);
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        if (height[idx(k)] < top - near || height[idx(next)] < top - near) continue;
        const std::uint32_t other = s.neighbour(tri.t, k);
        const Vec3 e = tri.p[idx(next)] - tri.p[idx(k)];
        if (!s.sticks_out(tri.t, k)) return false;
        const double beyond =
            other == ContactSurface::kNone ? dot(n, tri.n) : dot(n, cross(s.normal(other), e)) / length(e);
        if (beyond < -kBorder) return false;
        const std::uint32_t id = tri.edge_id(s, k);
        f.add(tri.p[idx(k)], corner_name(s.corners(tri.t)[idx(k)]), id);
        f.add(tri.p[idx(next)], corner_name(s.corners(tri.t)[idx(next)]), id);
        return true;
    }
    int corner = 0;
    for (int k = 1; k < 3; ++k)
        if (height[idx(k)] > height[idx(corner)]) corner = k;
    const std::uint32_t v = s.corners(tri.t)[idx(corner)];
    if (dot(n, tri.n) < 0) return false;
    for (const std::uint32_t w : s.around(v)) {
        const Vec3 e = s.vertex(w) - s.vertex(v);
        if (dot(n, e) > kBorder * length(e)) return false;
    }
    f.add(s.vertex(v), corner_name(v), edge_name(0));
    return true;
}

// Nearest to the outline of the triangle, along its own normal: the shape's lowest point is a hair beside it.
// Where the surface goes on flat, that is the neighbour's.
bool touch_rim(Scene& scene, const Triangle& tri, const Nearest& nearest) {
    for (int k = 0; k < 3; ++k) {
        const Vec3 e = tri.p[idx((k + 1) % 3)] - tri.p[idx(k)];
        const double inside = dot(cross(tri.n, e), nearest.p_b - tri.p[idx(k)]);
        if (!scene.surface.sticks_out(tri.t, k) || inside > kOnFace * length_squared(e)) continue;
        const std::uint32_t id = pair_name(corner_name(0), tri.edge_id(scene.surface, k)) ^ 1u;
        scene.add(-tri.n, {0.5 * (nearest.p_a + nearest.p_b), nearest.distance, id});
        return true;
    }
    return false;
}

// The point of the triangle nearest to the ball's centre.
bool touch_with_ball(Scene& scene, const Triangle& tri, double beyond) {
    const Vec3 q = closest_on_triangle(scene.center, tri.p[0], tri.p[1], tri.p[2]).point;
    const Vec3 to_center = scene.center - q;
    const double distance = length(to_center), separation = distance - scene.shape.radius;
    if (separation > scene.margin || separation < beyond || !(distance > kZero * scene.shape.radius))
        return false;
    const Vec3 n = to_center / distance;
    if (dot(n, tri.n) > 1 - 0.5 * kOnFace * kOnFace)
        return touch_rim(scene, tri, {-n, scene.center - n * scene.shape.radius, q, separation});
    Feature corner;
    if (!allowed_feature(scene.surface, tri, n, corner)) return false;
    const std::uint32_t name = corner.count == 1 ? corner.corner_id[0] : corner.edge_id[0];
    scene.add(-n, {q + n * (0.5 * separation), separation, pair_name(corner_name(0), name) ^ 1u});
    return true;
}

// In the shape's frame.
Closest closest_to(const Scene& scene, const Triangle& tri) {
    const TriangleCore core(tri.p[0] - scene.center, tri.p[1] - scene.center, tri.p[2] - scene.center);
    const Pose X_CT = inverse(Pose{scene.X_SC.position - scene.center, scene.X_SC.orientation});
    return closest_points(scene.core, core.core, X_CT, nullptr, scene.margin);
}

// The triangle's edge or corner against the shape, along the line of closest points.
// Only where the distance is at least `beyond`. Returns whether it touches.
bool touch_outline(Scene& scene, const Triangle& tri, double beyond) {
    if (scene.shape.kind == ColliderKind::Sphere) return touch_with_ball(scene, tri, beyond);
    const Closest c = closest_to(scene, tri);
    if (c.beyond || c.distance > scene.margin || c.distance < beyond) return false;
    const Nearest nearest{rotate(scene.X_SC.orientation, c.normal), scene.X_SC * c.p_a, scene.X_SC * c.p_b,
                          c.distance};
    Facing facing;
    if (dot(-nearest.normal, tri.n) > 1 - 0.5 * kOnFace * kOnFace) return touch_rim(scene, tri, nearest);
    if (!allowed_feature(scene.surface, tri, -nearest.normal, facing.b)) return false;
    facing_feature(scene.shape, c.normal, kFacing, facing.a);
    place(facing.a, scene.X_SC);
    facing.reference = choose_reference(facing.a, facing.b, nearest.normal);
    Manifold m;
    touch_features(facing, {}, nearest, scene.shape.size, scene.margin, m);
    for (int k = 0; k < m.count; ++k) scene.add(m.normal, m.points[idx(k)]);
    return true;
}

// Whether the shape and the triangle itself meet, not only its plane.
bool meets(const Scene& scene, const Triangle& tri) {
    const TriangleCore core(tri.p[0] - scene.center, tri.p[1] - scene.center, tri.p[2] - scene.center);
    MinkowskiDifference difference(scene.core, core.core,
                                   inverse(Pose{scene.X_SC.position - scene.center, scene.X_SC.orientation}));
    Simplex s;
    const GjkResult r = gjk(difference, s, scene.core.radius);
    return r.kind == GjkResult::Kind::Overlap ||
           (r.kind == GjkResult::Kind::Apart && length(s.v) <= scene.core.radius);
}

// Adds what the triangle has to say; false when that is nothing.
bool touch_triangle(Scene& scene, const Triangle& tri, double over) {
    const double snap = 1e-9 * scene.shape.size;
    const Feature& facing = scene.facing();
    const bool is_beside = tri.is_beside(facing, snap), has_edge = scene.surface.has_sharp_edge(tri.t);
    if (is_beside) return has_edge && touch_outline(scene, tri, kAnyDepth);
    Feature face;
    tri.whole(scene.surface, face);
    std::array<ManifoldPoint, kClipRoom> points;
    const int count = clip_feature(face, facing, tri.n, scene.margin, snap, false, points.data());
    double deepest = scene.margin + scene.shape.size;
    for (int k = 0; k < count; ++k) deepest = std::min(deepest, points[idx(k)].separation);
    const double near = kPrefer * scene.shape.size;
    if (has_edge && deepest > over + near) return touch_outline(scene, tri, kAnyDepth);
    // What is far below the face may be on the other side of a thin ridge, or leave sooner over the edge.
    if (deepest < -near && has_edge && touch_outline(scene, tri, deepest + near)) return true;
    if (deepest < -near && !meets(scene, tri)) return false;
    for (int k = 0; k < count; ++k) scene.add(-tri.n, points[idx(k)]);
    return count > 0;
}

// Height of the shape's lowest point over the triangle's plane; nothing when its centre is behind.
std::optional<double> height_over(Scene& scene, const Triangle& tri) {
    if (dot(tri.n, scene.center - tri.p[0]) < 0) return {};
    return dot(tri.n, scene.lowest(tri.n) - tri.p[0]);
}

// Of the triangles that the shape cuts, the one it cuts deepest: off it by the shortest way, where that leads
// to its front, else along its normal.
void leave_triangles(Scene& scene, const Aabb& box) {
    constexpr double kFront = 0.95;  // cosine
    double deepest = -kPrefer * scene.shape.size;
    Vec3 normal;
    ManifoldPoint point;
    scene.surface.for_each_in(box, [&](std::uint32_t t) {
        const Triangle tri(scene.surface, t);
        const auto over = height_over(scene, tri);
        if (!over || *over > deepest || !meets(scene, tri)) return;
        const Closest c = closest_to(scene, tri);
        if (c.distance > deepest) return;
        const Vec3 n = rotate(scene.X_SC.orientation, c.normal);
        const bool leads_off = dot(-n, tri.n) > kFront;
        deepest = c.distance, normal = leads_off ? n : -tri.n;
        point.position = scene.X_SC * (0.5 * (c.p_a + c.p_b));
        point.separation = leads_off ? c.distance : *over;
        point.feature = pair_name(corner_name(0), face_name(t));
    });
    if (normal != Vec3{}) scene.add(normal, point);
}

// A shape inside a solid: the corners that face the plane through its exit.
void leave(Scene& scene, const ContactSurface::Exit& exit) {
    scene.lowest(exit.normal);
    const Feature& f = scene.facing();
    for (int k = 0; k < f.count; ++k) {
        const double height = dot(exit.normal, f.points[idx(k)] - exit.point);
        scene.add(-exit.normal, {f.points[idx(k)] - exit.normal * (0.5 * height), height,
                                 pair_name(f.corner_id[idx(k)], face_id(exit.normal))});
    }
}

Aabb widened(Aabb box, double by) {
    const Vec3 d{by, by, by};
    return {box.min - d, box.max + d};
}

// Points of each group into its manifold, in W. The deepest is among them where it is deeper than the others
// by more than `tolerance`.
void finish(Scene& scene, const Pose& X_WS, double tolerance) {
    for (std::size_t g = scene.first; g < scene.groups.size(); ++g) {
        Manifold& m = scene.groups[g];
        std::array<ManifoldPoint, 128> points;
        std::size_t count = 0;
        for (const Found& f : scene.found) {
            if (f.group != g) continue;
            if (count == points.size())
                count = static_cast<std::size_t>(reduce(points, m.normal, kMaxManifoldPoints, tolerance));
            points[count++] = f.point;
        }
        const int kept = reduce(std::span(points.data(), count), m.normal, 4, tolerance);
        for (int k = 0; k < kept; ++k) {
            const ManifoldPoint& p = points[idx(k)];
            add_point(m, X_WS * p.position, p.separation, p.feature);
        }
        m.normal = rotate(X_WS.orientation, m.normal);
    }
}

}  // namespace

bool convex_surface(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                    std::vector<Manifold>& out) {
    // Scratch without influence on results: only its capacity lasts.
    static thread_local std::vector<Found> found;
    found.clear();
    const Pose X_SC = relative_pose(X_WB, X_WA);
    const ConvexCore core = convex_core(a);
    Scene scene{a, *b.surface, X_SC, core, X_SC * core.center, margin, found, out, out.size()};
    const Aabb box = widened(bounds_at(a, X_SC), margin);
    b.surface->for_each_in(box, [&](std::uint32_t t) {
        const Triangle tri(scene.surface, t);
        const auto over = height_over(scene, tri);
        if (!over || *over > margin) return;
        if (!touch_triangle(scene, tri, *over)) scene.is_suspect |= *over < -kPrefer * a.size;
    });
    const auto holds = [](const Found& f) { return f.point.separation <= 0; };
    if (scene.is_suspect && std::none_of(found.begin(), found.end(), holds)) leave_triangles(scene, box);
    double tolerance = kPrefer * a.size;
    if (found.empty())
        if (const auto exit = b.surface->exit_of(scene.center)) leave(scene, *exit), tolerance = 0;
    finish(scene, X_WB, tolerance);
    return out.size() > scene.first;
}

}  // namespace impuls::narrow
