// See net_targets.h.
#include "collision/query/net_targets.h"

#include <algorithm>

namespace impuls {
namespace {

Collider round_collider(ColliderKind kind, double radius, double half_length) {
    Collider c;
    c.kind = kind;
    c.half = {radius, half_length, radius};
    c.radius = c.size = radius;
    return c;
}

// Turns y to the line of d, which has no sense: that upwards is taken, far from half a turn.
Quat along(Vec3 d) {
    d = normalized(d);
    if (d.y < 0) d = -d;
    return normalized(Quat{1 + d.y, d.z, 0, -d.x});
}

}  // namespace

void NetTargets::clear() {
    triangles_.clear();
    colliders_.clear();
    elements_.clear();
}

void NetTargets::append(const ParticleNet& net, std::span<const Vec3> x, const QueryTarget& like,
                        std::vector<QueryTarget>& targets) {
    const double r = net.radius;
    for (const auto& t : net.triangles) add_triangle({x[t[0]], x[t[1]], x[t[2]]}, r, {3, t}, like, targets);
    for (const auto& [a, b] : net.bare_links) {
        const Vec3 way = x[b] - x[a];
        const double half = 0.5 * length(way);
        const Pose X_W{0.5 * (x[a] + x[b]), half > 0 ? along(way) : Quat{}};
        add(round_collider(ColliderKind::Capsule, r, half), X_W, {2, {a, b}}, like, targets);
    }
    for (const std::uint32_t k : net.bare_points)
        add(round_collider(ColliderKind::Sphere, r, r), {x[k], {}}, {1, {k}}, like, targets);
}

void NetTargets::add(const Collider& collider, const Pose& X_W, const Element& element,
                     const QueryTarget& like, std::vector<QueryTarget>& targets) {
    QueryTarget target = like;
    target.colliders = {&colliders_.emplace_back(collider), 1};
    target.X_WB = X_W;
    target.element = static_cast<std::uint32_t>(elements_.size());
    elements_.push_back(element);
    targets.push_back(target);
}

// A polyhedron of three corners without faces: support points need no more.
void NetTargets::add_triangle(const std::array<Vec3, 3>& corners, double radius, const Element& element,
                              const QueryTarget& like, std::vector<QueryTarget>& targets) {
    const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3;
    Polyhedron& triangle = triangles_.emplace_back();
    for (const Vec3& corner : corners) {
        triangle.hull.vertices.push_back(corner - middle);
        triangle.radius = std::max(triangle.radius, length(corner - middle));
    }
    Collider collider;
    collider.kind = ColliderKind::Convex;
    collider.radius = collider.size = radius;
    collider.polyhedron = std::shared_ptr<const Polyhedron>(std::shared_ptr<void>{}, &triangle);
    add(collider, {middle, {}}, element, like, targets);
}

}  // namespace impuls
