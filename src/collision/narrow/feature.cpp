// Facing features (feature.h): closed forms for round shapes, a walk over neighbours for polyhedra.
#include "collision/narrow/feature.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "collision/narrow/box_features.h"

namespace impuls::narrow {
namespace {

void point(const Vec3& p, const Vec3& n, std::uint32_t corner, Feature& out) {
    out.count = 0, out.normal = n, out.id = face_name(0);
    out.add(p, corner, edge_name(0));
}

void line(const Vec3& low, const Vec3& high, const Vec3& n, std::uint32_t edge, Feature& out) {
    out.count = 0, out.normal = n, out.id = face_name(0);
    out.add(low, corner_name(0), edge);
    out.add(high, corner_name(1), edge);
}

// Radial unit vector of n about y; local x when n is along y.
Vec3 radial(const Vec3& n) {
    const double r = std::sqrt(n.x * n.x + n.z * n.z);
    return r > 0 ? Vec3{n.x / r, 0, n.z / r} : Vec3{1, 0, 0};
}

// The cap at height y, facing side * y, seen along n. Eight corners fixed to the body; when the cap is tilted
// by more than a hair, the nearest of them moves to the rim point deepest along n.
void cap(double radius, double y, double side, const Vec3& n, Feature& out) {
    constexpr double kHair = 1e-3;
    constexpr double c = 0.70710678118654752440;
    constexpr std::array<std::array<double, 2>, 8> around{
        {{1, 0}, {c, c}, {0, 1}, {-c, c}, {-1, 0}, {-c, -c}, {0, -1}, {c, -c}}};
    const Vec3 deepest = radial(n);
    const bool is_tilted = n.x * n.x + n.z * n.z > kHair * kHair;
    int nearest = -1;
    double best = 0;
    for (int k = 0; is_tilted && k < 8; ++k) {
        const double d = around[idx(k)][0] * deepest.x + around[idx(k)][1] * deepest.z;
        if (d > best) best = d, nearest = k;
    }
    const std::uint32_t base = side > 0 ? 0 : 16;
    out.count = 0, out.normal = {0, side, 0}, out.id = face_name(side > 0 ? 1 : 2);
    for (int step = 0; step < 8; ++step) {
        const int k = side > 0 ? 7 - step : step;  // x towards z is clockwise seen from +y
        const auto id = base + static_cast<std::uint32_t>(k);
        if (k == nearest)
            out.add(Vec3{deepest.x * radius, y, deepest.z * radius}, corner_name(id), edge_name(id));
        else
            out.add({around[idx(k)][0] * radius, y, around[idx(k)][1] * radius}, corner_name(id),
                    edge_name(id));
    }
}

void cylinder(const Collider& s, const Vec3& n, double flat, Feature& out) {
    const double across = std::sqrt(n.x * n.x + n.z * n.z), side = n.y < 0 ? -1 : 1;
    if (across <= flat && flat < 1) return cap(s.radius, side * s.half.y, side, n, out);
    const Vec3 rim = radial(n) * s.radius, top{0, s.half.y, 0};
    if (std::abs(n.y) <= flat) return line(rim - top, rim + top, n, edge_name(40), out);
    point(rim + top * side, n, corner_name(side > 0 ? 41 : 42), out);
}

// Outward normals of the side make the angle with y whose tangent is height / radius.
void cone(const Collider& s, const Vec3& n, double flat, Feature& out) {
    const double across = std::sqrt(n.x * n.x + n.z * n.z);
    if (n.y < 0 && across <= flat) return cap(s.radius, -s.half.y, -1, n, out);
    const double slant = std::sqrt(4 * s.half.y * s.half.y + s.radius * s.radius);
    const double side = (across * s.radius - n.y * 2 * s.half.y) / slant;  // sine of the angle off the side
    const Vec3 rim = radial(n) * s.radius + Vec3{0, -s.half.y, 0}, apex{0, s.half.y, 0};
    if (across > 0 && std::abs(side) <= flat) return line(rim, apex, n, edge_name(40), out);
    if (side > 0)
        point(rim, n, corner_name(42), out);
    else
        point(apex, n, corner_name(41), out);
}

void capsule(const Collider& s, const Vec3& n, double flat, Feature& out) {
    const Vec3 top{0, s.half.y, 0};
    if (std::abs(n.y) <= flat) return line(n * s.radius - top, n * s.radius + top, n, edge_name(40), out);
    point(n * s.radius + top * (n.y < 0 ? -1 : 1), n, corner_name(n.y < 0 ? 42 : 41), out);
}

void ellipsoid(const Collider& s, const Vec3& n, Feature& out) {
    const Vec3 m = scale(s.half, n);
    point(scale(s.half, m) / length(m), n, corner_name(0), out);
}

Signs signs_of(const Vec3& n) {
    return {n.x > 0, n.y > 0, n.z > 0};
}

void box(const Collider& s, const Vec3& n, double flat, Feature& out) {
    int axis = 0, least = 0;
    for (int i = 1; i < 3; ++i) {
        if (std::abs(n[i]) > std::abs(n[axis])) axis = i;
        if (std::abs(n[i]) <= std::abs(n[least])) least = i;
    }
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Signs k = signs_of(n);
    if (n[u] * n[u] + n[v] * n[v] <= flat * flat || flat >= 2) {
        out.count = 0, out.normal = {};
        out.normal[axis] = k[idx(axis)] ? 1 : -1;
        out.id = face_name(face_number(axis, k[idx(axis)]));
        constexpr std::array<std::array<bool, 2>, 4> around{
            {{true, true}, {false, true}, {false, false}, {true, false}}};
        for (int step = 0; step < 4; ++step) {
            const int i = k[idx(axis)] ? step : 3 - step;
            k[idx(u)] = around[idx(i)][0], k[idx(v)] = around[idx(i)][1];
            const int edge_axis = (k[idx(axis)] ? i % 2 == 0 : i % 2 == 1) ? u : v;
            out.add(corner(s.half, k), corner_name(corner_number(k)), edge_name(edge_number(edge_axis, k)));
        }
        return;
    }
    if (std::abs(n[least]) <= flat) {
        const auto name = edge_name(edge_number(least, k));
        k[idx(least)] = false;
        const Vec3 low = corner(s.half, k);
        k[idx(least)] = true;
        return line(low, corner(s.half, k), n, name, out);
    }
    point(corner(s.half, k), n, corner_name(corner_number(k)), out);
}

void polyhedron_face(const Polyhedron& p, std::size_t f, Feature& out) {
    const auto corners = p.hull.face(f);
    const std::uint32_t* edges = p.face_edges.data() + p.hull.first_corner[f];
    out.count = 0, out.normal = p.hull.planes[f].normal, out.id = face_name(static_cast<std::uint32_t>(f));
    const std::size_t n = corners.size();
    const auto add = [&](std::size_t at) {
        out.add(p.hull.vertices[corners[at]], corner_name(corners[at]), edge_name(edges[at]));
    };
    if (n <= kMaxCorners)
        for (std::size_t k = 0; k < n; ++k) add(k);
    else
        for (std::size_t k = 0; k < kMaxCorners; ++k) add(k * n / kMaxCorners);
}

void polyhedron(const Polyhedron& body, const Vec3& n, double flat, const NearFeature& near, Feature& out) {
    if (near.face >= 0) return polyhedron_face(body, static_cast<std::size_t>(near.face), out);
    const PolyhedronView p = body.view();
    const std::uint32_t top = support_vertex(p, n, near.vertex);
    // The best face touches the top vertex: climb over faces from there.
    std::size_t best = p.face_count();
    double cosine = -2;
    for (const auto e : p.edges_of_vertex(top)) {  // each face is to one side of one of them
        const std::size_t f = p.edges[e].a == top ? p.edges[e].left : p.edges[e].right;
        const double c = dot(p.planes[f].normal, n);
        best = (c > cosine) | ((c == cosine) & (f < best)) ? f : best;
        cosine = std::max(cosine, c);
    }
    const double tilt = length_squared(p.planes[best].normal - n);
    if (tilt <= std::min(flat, kFacing) * std::min(flat, kFacing)) return polyhedron_face(body, best, out);
    std::uint32_t edge = 0;
    double slope = 2;
    for (const auto e : p.edges_of_vertex(top)) {
        const Vec3 d = p.vertices[p.edges[e].b] - p.vertices[p.edges[e].a];
        const double s = std::abs(dot(d, n)) / length(d);
        if (s < slope) slope = s, edge = e;
    }
    if (flat >= 2) {
        const auto left = p.edges[edge].left, right = p.edges[edge].right;
        if (slope <= kFacing)
            best = dot(p.planes[left].normal, n) >= dot(p.planes[right].normal, n) ? left : right;
        return polyhedron_face(body, best, out);
    }
    if (slope <= flat)
        return line(p.vertices[p.edges[edge].a], p.vertices[p.edges[edge].b], n, edge_name(edge), out);
    point(p.vertices[top], n, corner_name(top), out);
}

}  // namespace

void facing_feature(const Collider& s, const Vec3& n, double flat, Feature& out, const NearFeature& near) {
    const double lying = std::min(flat, 0.5);
    switch (s.kind) {
        case ColliderKind::Box:
            return box(s, n, flat, out);
        case ColliderKind::Convex:
            return polyhedron(*s.polyhedron, n, flat, near, out);
        case ColliderKind::Cylinder:
            return cylinder(s, n, lying, out);
        case ColliderKind::Cone:
            return cone(s, n, lying, out);
        case ColliderKind::Capsule:
            return capsule(s, n, lying, out);
        case ColliderKind::Ellipsoid:
            return ellipsoid(s, n, out);
        default:
            return point(n * s.radius, n, corner_name(0), out);
    }
}

}  // namespace impuls::narrow
