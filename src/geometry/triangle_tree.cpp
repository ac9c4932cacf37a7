// Building and searching the tree of triangles. Searches go to the nearer child first and use sqrt nowhere.
// Called by signed distance fields, triangle surfaces and queries.
#include "geometry/triangle_tree.h"

#include <algorithm>

#include "base/assert.h"

namespace impuls {

namespace {

Aabb grown(const Aabb& a, const Vec3& p) {
    return {{std::min(a.min.x, p.x), std::min(a.min.y, p.y), std::min(a.min.z, p.z)},
            {std::max(a.max.x, p.x), std::max(a.max.y, p.y), std::max(a.max.z, p.z)}};
}

double distance_squared(const Aabb& box, const Vec3& p) {
    const Vec3 d{std::max({box.min.x - p.x, p.x - box.max.x, 0.0}),
                 std::max({box.min.y - p.y, p.y - box.max.y, 0.0}),
                 std::max({box.min.z - p.z, p.z - box.max.z, 0.0})};
    return length_squared(d);
}

TrianglePoint nearest_edge(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 from[3] = {a, b, c}, to[3] = {b, c, a};
    TrianglePoint best{a, TriangleFeature::Corner0};
    for (int i = 0; i < 3; ++i) {
        const Vec3 e = to[i] - from[i];
        const double n = length_squared(e);
        const double t = n > 0 ? std::clamp(dot(p - from[i], e) / n, 0.0, 1.0) : 0;
        const Vec3 q = from[i] + e * t;
        if (i > 0 && !(length_squared(p - q) < length_squared(p - best.point))) continue;
        const int feature = t <= 0 ? 4 + i : t >= 1 ? 4 + (i + 1) % 3 : 1 + i;
        best = {q, static_cast<TriangleFeature>(feature)};
    }
    return best;
}

// Entry of the ray into the box, infinity when it passes by. A zero direction gives infinities or, on the
// slab's face, 0 * inf = nan; std::min and std::max with the old value first drop those.
double entry(const Aabb& box, const Vec3& o, const Vec3& inverse, double t_max) {
    double low = 0, high = t_max;
    for (int i = 0; i < 3; ++i) {
        const double t0 = (box.min[i] - o[i]) * inverse[i], t1 = (box.max[i] - o[i]) * inverse[i];
        low = std::max(low, std::min(t0, t1));
        high = std::min(high, std::max(t0, t1));
    }
    return low <= high ? low : std::numeric_limits<double>::infinity();
}

// Moeller and Trumbore, J. Graphics Tools 2, 1997; both sides; negative when missed.
double hit(const TriangleTree::Corners& t, const Vec3& o, const Vec3& d) {
    const Vec3 e1 = t.b - t.a, e2 = t.c - t.a, p = cross(d, e2);
    const double det = dot(e1, p);
    if (det == 0) return -1;
    const Vec3 s = o - t.a, q = cross(s, e1);
    const double u = dot(s, p) / det, v = dot(d, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 ? dot(e2, q) / det : -1;
}

}  // namespace

TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {a, TriangleFeature::Corner0};
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {b, TriangleFeature::Corner1};
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {c, TriangleFeature::Corner2};
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    // Barycentric coordinates that are not all positive, rounding included: one of the edges.
    if (!(va > 0 && vb > 0 && vc > 0)) return nearest_edge(p, a, b, c);
    const double s = 1 / (va + vb + vc);
    return {a + ab * (vb * s) + ac * (vc * s), TriangleFeature::Face};
}

struct TriangleTree::Item {
    std::uint32_t triangle;
    Aabb box;
    Vec3 twice_center;
    Corners corners;
};

void TriangleTree::build(std::span<const Vec3> vertices, std::span<const TriangleCorners> triangles) {
    nodes_.clear(), order_.clear(), corners_.clear(), boxes_.clear();
    if (triangles.empty()) return;
    std::vector<Item> items;
    items.reserve(triangles.size());
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        for ([[maybe_unused]] const std::uint32_t v : triangles[i]) IMPULS_ASSERT_INDEX(v, vertices.size());
        const Corners c{vertices[triangles[i][0]], vertices[triangles[i][1]], vertices[triangles[i][2]]};
        const Aabb box = grown(grown(grown(Aabb{}, c.a), c.b), c.c);
        items.push_back({i, box, box.min + box.max, c});
    }
    nodes_.reserve(items.size());
    split(items, 0);
    for (const Item& item : items) {
        order_.push_back(item.triangle);
        corners_.push_back(item.corners);
        boxes_.push_back(item.box);
    }
}

std::uint32_t TriangleTree::split(std::span<Item> items, std::uint32_t first) {
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    Node node;
    Aabb centers;
    for (const Item& item : items) {
        node.box = grown(grown(node.box, item.box.min), item.box.max);
        centers = grown(centers, item.twice_center);
    }
    nodes_.push_back(node);
    if (items.size() <= kLeaf) {
        nodes_[number].first = first;
        nodes_[number].count = static_cast<std::uint32_t>(items.size());
        return number;
    }
    const Vec3 side = centers.max - centers.min;
    const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t half = items.size() / 2;
    std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                     [axis](const Item& a, const Item& b) {
                         const double x = a.twice_center[axis], y = b.twice_center[axis];
                         return x != y ? x < y : a.triangle < b.triangle;
                     });
    split(items.first(half), first);
    const std::uint32_t right = split(items.subspan(half), first + static_cast<std::uint32_t>(half));
    nodes_[number].right = right;
    return number;
}

ClosestOnMesh TriangleTree::closest(const Vec3& p, double limit_squared) const {
    ClosestOnMesh best;
    best.distance_squared = limit_squared;
    struct Entry {
        std::uint32_t node;
        double distance;
    } stack[kStack];
    int top = 0;
    if (!empty()) stack[top++] = {0, distance_squared(nodes_[0].box, p)};
    while (top > 0) {
        const Entry entry = stack[--top];
        if (!(entry.distance < best.distance_squared)) continue;
        const Node& node = nodes_[entry.node];
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const Corners& t = corners_[i];
            const TrianglePoint q = closest_on_triangle(p, t.a, t.b, t.c);
            const double d = length_squared(p - q.point);
            if (d < best.distance_squared) best = {order_[i], q.feature, q.point, d};
        }
        if (node.count > 0) continue;
        const Entry a{entry.node + 1, distance_squared(nodes_[entry.node + 1].box, p)};
        const Entry b{node.right, distance_squared(nodes_[node.right].box, p)};
        const bool a_first = a.distance <= b.distance;
        IMPULS_ASSERT_INDEX(top + 1, kStack);
        stack[top++] = a_first ? b : a;
        stack[top++] = a_first ? a : b;
    }
    return best;
}

RayOnMesh TriangleTree::ray(const Vec3& origin, const Vec3& direction, double t_max) const {
    RayOnMesh best;
    best.t = t_max;
    const Vec3 inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
    std::uint32_t stack[kStack];
    int top = 0;
    if (!empty()) stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t n = stack[--top];
        const Node& node = nodes_[n];
        if (!(entry(node.box, origin, inverse, best.t) <= best.t)) continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const double t = hit(corners_[i], origin, direction);
            if (t < 0 || t > best.t || (t == best.t && order_[i] > best.triangle)) continue;
            best = {order_[i], t};
        }
        if (node.count > 0) continue;
        const bool left_first = entry(nodes_[n + 1].box, origin, inverse, best.t) <=
                                entry(nodes_[node.right].box, origin, inverse, best.t);
        IMPULS_ASSERT_INDEX(top + 1, kStack);
        stack[top++] = left_first ? node.right : n + 1;
        stack[top++] = left_first ? n + 1 : node.right;
    }
    return best;
}

}  // namespace impuls
