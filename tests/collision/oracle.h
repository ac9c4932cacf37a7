// Independent oracles for the narrow phase, built on support functions and point distances only.
//
// For convex bodies the signed distance is the largest gap over all directions,
//   sd = max over unit n of gap(n),  gap(n) = min over b of n.x - max over a of n.x,
// the distance when apart and minus the penetration depth when not. Any direction gives a lower bound, so a
// claimed normal can be certified: gap(normal) is what it is worth, and no sampled direction may be worth
// more.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "collision/narrow/narrow.h"

namespace impuls::oracle {

struct Body {
    Collider shape;
    Pose pose;
};

class Rng {
  public:
    explicit Rng(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
    Vec3 direction() {
        for (;;) {
            const Vec3 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double n = length(v);
            if (n > 0.1 && n < 1) return v / n;
        }
    }
    Quat orientation() { return normalized(from_axis_angle(direction(), uniform(0, 3.14159))); }

  private:
    std::mt19937_64 engine_;
};

inline Collider sphere(double r) {
    return {ColliderKind::Sphere, {r, r, r}, r, r, {}};
}
inline Collider box(const Vec3& half) {
    return {ColliderKind::Box, half, 0, std::min({half.x, half.y, half.z}), {}};
}
inline Collider capsule(double r, double h) {
    return {ColliderKind::Capsule, {r, h, r}, r, r, {}};
}
inline Collider round(ColliderKind kind, double r, double h) {
    return {kind, {r, h, r}, r, std::min(r, h), {}};
}
inline Collider ellipsoid(const Vec3& radii) {
    return {ColliderKind::Ellipsoid, radii, 0, std::min({radii.x, radii.y, radii.z}), {}};
}
inline Collider convex(const std::vector<Vec3>& points) {
    auto p = std::make_shared<const Polyhedron>(make_polyhedron(convex_hull(points).hull));
    return {ColliderKind::Convex, {}, 0, p->in_radius, {}, p};
}
inline Collider plane() {
    return {ColliderKind::Plane, {}, 0, 0, {}};
}

// Largest n.x over the body.
inline double support(const Body& b, const Vec3& n) {
    const Vec3 m = rotate_inverse(b.pose.orientation, n);
    double local = 0;
    switch (b.shape.kind) {
        case ColliderKind::Sphere:
            local = b.shape.radius * length(n);
            break;
        case ColliderKind::Box:
            local = std::abs(m.x) * b.shape.half.x + std::abs(m.y) * b.shape.half.y +
                    std::abs(m.z) * b.shape.half.z;
            break;
        case ColliderKind::Capsule:
            local = std::abs(m.y) * b.shape.half.y + b.shape.radius * length(n);
            break;
        case ColliderKind::Plane:
            local = m.y > 0 && std::abs(m.x) + std::abs(m.z) < 1e-12
                        ? 0
                        : std::numeric_limits<double>::infinity();
            break;
        case ColliderKind::Cylinder:
            local = std::abs(m.y) * b.shape.half.y + b.shape.radius * std::hypot(m.x, m.z);
            break;
        case ColliderKind::Cone:
            local =
                std::max(m.y * b.shape.half.y, -m.y * b.shape.half.y + b.shape.radius * std::hypot(m.x, m.z));
            break;
        case ColliderKind::Ellipsoid:
            local = length(scale(b.shape.half, m));
            break;
        case ColliderKind::Convex:
            local = -std::numeric_limits<double>::infinity();
            for (const Vec3& v : b.shape.polyhedron->hull.vertices) local = std::max(local, dot(v, m));
            break;
        default:
            break;
    }
    return local + dot(n, b.pose.position);
}

inline double gap(const Body& a, const Body& b, const Vec3& n) {
    return -support(b, -n) - support(a, n);
}

struct Best {
    double gap = -std::numeric_limits<double>::infinity();
    Vec3 normal;
    void offer(const Body& a, const Body& b, const Vec3& n) {
        const double g = oracle::gap(a, b, n);
        if (g > gap) gap = g, normal = n;
    }
};

inline const std::vector<Vec3>& directions() {
    static const std::vector<Vec3> all = [] {
        std::vector<Vec3> v;
        const int n = 600;
        for (int i = 0; i < n; ++i) {
            const double z = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - z * z), phi = i * 2.399963229728653;
            v.push_back({r * std::cos(phi), r * std::sin(phi), z});
        }
        return v;
    }();
    return all;
}

// Climbs from a start with shrinking random steps in the tangent plane.
inline Best climb(const Body& a, const Body& b, Best best) {
    Rng rng(1);
    double step = 0.06;
    for (int round = 0; round < 100 && step > 1e-9; ++round) {
        const Vec3 n = best.normal;
        const double before = best.gap;
        for (int k = 0; k < 6; ++k) best.offer(a, b, normalized(n + rng.direction() * step));
        if (best.gap <= before) step *= 0.7;
    }
    return best;
}

inline Best signed_distance(const Body& a, const Body& b) {
    Best best;
    for (const Body* p : {&a, &b}) {
        if (p->shape.kind != ColliderKind::Plane) continue;
        const Vec3 up = rotate(p->pose.orientation, {0, 1, 0});
        best.offer(a, b, p == &b ? -up : up);
        return best;
    }
    std::array<Best, 3> seeds;
    for (const Vec3& n : directions()) {
        const double g = gap(a, b, n);
        for (auto& s : seeds) {
            if (dot(n, s.normal) > 0.95 && g <= s.gap) break;
            if (g <= s.gap) continue;
            std::move_backward(&s, seeds.data() + 2, seeds.data() + 3);
            s = {g, n};
            break;
        }
    }
    for (const Best& s : seeds) {
        if (!std::isfinite(s.gap)) continue;
        const Best top = climb(a, b, s);
        if (top.gap > best.gap) best = top;
    }
    return best;
}

// Signed distance of a world point to the body's surface (negative inside), in closed form.
inline double point_distance(const Body& b, const Vec3& p) {
    const Vec3 x = rotate_inverse(b.pose.orientation, p - b.pose.position);
    switch (b.shape.kind) {
        case ColliderKind::Sphere:
            return length(x) - b.shape.radius;
        case ColliderKind::Box: {
            const Vec3 q{std::abs(x.x) - b.shape.half.x, std::abs(x.y) - b.shape.half.y,
                         std::abs(x.z) - b.shape.half.z};
            const Vec3 out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
            return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
        }
        case ColliderKind::Capsule:
            return length(x - Vec3{0, std::clamp(x.y, -b.shape.half.y, b.shape.half.y), 0}) - b.shape.radius;
        case ColliderKind::Plane:
            return x.y;
        default:
            break;
    }
    // Inside, the nearest plane; outside, the search.
    double inside = -std::numeric_limits<double>::infinity();
    const double rho = std::hypot(x.x, x.z), h = b.shape.half.y, r = b.shape.radius;
    if (b.shape.kind == ColliderKind::Cylinder) inside = std::max(rho - r, std::abs(x.y) - h);
    if (b.shape.kind == ColliderKind::Cone)
        inside = std::max(-x.y - h, (2 * h * rho + (x.y - h) * r) / std::hypot(2 * h, r));
    if (b.shape.kind == ColliderKind::Convex)
        for (const HullPlane& plane : b.shape.polyhedron->hull.planes)
            inside = std::max(inside, dot(plane.normal, x) - plane.offset);
    if (b.shape.kind != ColliderKind::Ellipsoid && inside <= 0) return inside;
    return std::max(b.shape.kind == ColliderKind::Ellipsoid ? -1e9 : inside,
                    signed_distance(b, {sphere(0), {p, {}}}).gap);
}

// Distance of a rounded body b (sphere, capsule) from a: the least distance of its axis, by ternary search,
// as the distance to a convex body is convex. Exact while the axis is outside a.
inline double axis_distance(const Body& a, const Body& b) {
    const Vec3 axis = rotate(b.pose.orientation, {0, 1, 0});
    const double h = b.shape.kind == ColliderKind::Capsule ? b.shape.half.y : 0;
    double low = -h, high = h;
    const auto distance = [&](double t) { return point_distance(a, b.pose.position + axis * t); };
    for (int k = 0; k < 120 && high > low; ++k) {
        const double t0 = low + (high - low) / 3, t1 = high - (high - low) / 3;
        (distance(t0) < distance(t1) ? high : low) = distance(t0) < distance(t1) ? t1 : t0;
    }
    return distance(0.5 * (low + high));
}

// Boxes overlap just when an edge of one passes through the other (all corners inside included). `grow`
// widens b.
inline bool edge_passes_through(const Body& a, const Body& b, double grow) {
    for (unsigned k = 0; k < 12; ++k) {
        const int axis = static_cast<int>(k / 4), u = (axis + 1) % 3, v = (axis + 2) % 3;
        Vec3 p, d;
        p[u] = k & 1 ? a.shape.half[u] : -a.shape.half[u], p[v] = k & 2 ? a.shape.half[v] : -a.shape.half[v];
        d[axis] = a.shape.half[axis];
        p = rotate_inverse(b.pose.orientation, a.pose * p - b.pose.position);
        d = rotate_inverse(b.pose.orientation, rotate(a.pose.orientation, d));
        double low = -1, high = 1;
        for (int i = 0; i < 3; ++i) {
            const double limit = b.shape.half[i] + grow;
            if (std::abs(d[i]) < 1e-14) {
                if (std::abs(p[i]) > limit) high = -2;
                continue;
            }
            const double t0 = (-limit - p[i]) / d[i], t1 = (limit - p[i]) / d[i];
            low = std::max(low, std::min(t0, t1)), high = std::min(high, std::max(t0, t1));
        }
        if (low <= high) return true;
    }
    return false;
}
inline bool boxes_overlap(const Body& a, const Body& b, double grow) {
    return edge_passes_through(a, b, grow) || edge_passes_through(b, a, grow);
}

inline double min_separation(const Manifold& m) {
    double s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < m.count; ++i) s = std::min(s, m.points[static_cast<std::size_t>(i)].separation);
    return s;
}

inline Manifold collide(const Body& a, const Body& b, double margin) {
    std::vector<Manifold> all;
    const bool touching = impuls::collide(a.shape, a.pose, b.shape, b.pose, margin, all);
    Manifold m = all.size() == 1 ? all[0] : Manifold{};
    if (all.size() > 1 || touching != (m.count > 0)) m.count = -1;
    return m;
}

}  // namespace impuls::oracle
