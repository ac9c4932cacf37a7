// Brute force for pairs of convex polyhedra, without neighbours, walks or pruning: distance as the least over
// all vertex-face and edge-edge pairs; depth as the least overlap over all face normals and edge products.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "collision/collider.h"
#include "collision/convex/closest_points.h"
#include "geometry/polyhedron.h"

namespace impuls::oracle {

inline Vec3 random_direction(impuls::Rng& rng) {
    for (;;) {
        const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        if (length(v) > 0.1 && length(v) < 1) return v / length(v);
    }
}

inline Polyhedron random_polyhedron(impuls::Rng& rng, int points) {
    std::vector<Vec3> p;
    const Vec3 radii{rng.uniform(0.4, 1), rng.uniform(0.4, 1), rng.uniform(0.4, 1)};
    for (int i = 0; i < points; ++i) p.push_back(scale(radii, random_direction(rng)));
    return make_polyhedron(convex_hull(p).hull);
}

inline Polyhedron box_polyhedron(const Vec3& half) {
    std::vector<Vec3> p;
    for (int i = 0; i < 8; ++i)
        p.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    return make_polyhedron(convex_hull(p).hull);
}

inline Collider convex_collider(const Polyhedron& p) {
    Collider c;
    c.kind = ColliderKind::Convex;
    c.polyhedron = std::make_shared<const Polyhedron>(p);
    c.size = p.in_radius;
    return c;
}

// The polyhedron's vertices and planes at a pose.
struct Placed {
    const Polyhedron* body;
    std::vector<Vec3> vertices{};
    std::vector<HullPlane> planes{};
    Placed(const Polyhedron& p, const Pose& X) : body(&p) {
        for (const Vec3& v : p.hull.vertices) vertices.push_back(X * v);
        for (const HullPlane& h : p.hull.planes) {
            const Vec3 n = rotate(X.orientation, h.normal);
            planes.push_back({n, h.offset + dot(n, X.position)});
        }
    }
};

inline double point_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 u = b - a;
    return length(x - (a + u * std::clamp(dot(x - a, u) / dot(u, u), 0.0, 1.0)));
}

// The minimum is between the lines, or at an end of one of the segments.
inline double segment_segment(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    double best = std::min(
        {point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)});
    const Vec3 u = b - a, v = d - c, n = cross(u, v);
    const double nn = dot(n, n);
    if (nn > 0) {
        const double s = dot(cross(c - a, v), n) / nn, t = dot(cross(c - a, u), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            best = std::min(best, std::abs(dot(c - a, n)) / std::sqrt(nn));
    }
    return best;
}

inline double vertices_over_faces(const Placed& a, const Placed& b) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < b.planes.size(); ++f) {
        const auto face = b.body->hull.face(f);
        const Vec3& n = b.planes[f].normal;
        for (const Vec3& x : a.vertices) {
            const double h = dot(n, x) - b.planes[f].offset;
            bool inside = h >= 0;
            for (std::size_t k = 0; k < face.size() && inside; ++k) {
                const Vec3 &p = b.vertices[face[k]], &q = b.vertices[face[(k + 1) % face.size()]];
                inside = dot(x - p, cross(n, q - p)) >= 0;
            }
            if (inside) best = std::min(best, h);
        }
    }
    return best;
}

// Distance of two polyhedra that are apart.
inline double brute_distance(const Placed& a, const Placed& b) {
    double best = std::min(vertices_over_faces(a, b), vertices_over_faces(b, a));
    for (const HullEdge& e : a.body->hull.edges)
        for (const HullEdge& f : b.body->hull.edges)
            best = std::min(
                best, segment_segment(a.vertices[e.a], a.vertices[e.b], b.vertices[f.a], b.vertices[f.b]));
    return best;
}

// How far b's lowest point is above a's highest along unit n.
inline double separation_along(const Placed& a, const Placed& b, const Vec3& n) {
    double high = -std::numeric_limits<double>::infinity(), low = -high;
    for (const Vec3& x : a.vertices) high = std::max(high, dot(n, x));
    for (const Vec3& x : b.vertices) low = std::min(low, dot(n, x));
    return low - high;
}

// Largest separation over all candidate axes: minus the depth when overlapping.
inline double brute_separation(const Placed& a, const Placed& b) {
    double best = -std::numeric_limits<double>::infinity();
    for (const HullPlane& p : a.planes) best = std::max(best, separation_along(a, b, p.normal));
    for (const HullPlane& p : b.planes) best = std::max(best, separation_along(a, b, -p.normal));
    for (const HullEdge& e : a.body->hull.edges) {
        for (const HullEdge& f : b.body->hull.edges) {
            const Vec3 n = cross(a.vertices[e.b] - a.vertices[e.a], b.vertices[f.b] - b.vertices[f.a]);
            if (length(n) < 1e-9) continue;
            best = std::max(
                {best, separation_along(a, b, n / length(n)), separation_along(a, b, n / -length(n))});
        }
    }
    return best;
}

}  // namespace impuls::oracle
