// Colliders from shape descriptions, and their bounding boxes. One line per shape kind that has a narrow
// phase; the others are refused at load through can_collide. Called when bodies are built, bounds in every
// step.
#include "collision/collider.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace impuls {

namespace {

bool has_collider(const Sphere&) {
    return true;
}
bool has_collider(const Box&) {
    return true;
}
bool has_collider(const Capsule&) {
    return true;
}
bool has_collider(const Plane&) {
    return true;
}
template <class Other>
bool has_collider(const Other&) {
    return false;
}
bool has_collider(const Compound& compound) {
    return std::all_of(compound.parts.begin(), compound.parts.end(), [](const CompoundPart& part) {
        return std::visit([](const auto& shape) { return has_collider(shape); }, part.shape);
    });
}

void append(const Sphere& s, const Pose& X, std::vector<Collider>& out) {
    out.push_back({ColliderKind::Sphere, {s.radius, s.radius, s.radius}, s.radius, s.radius, X});
}
void append(const Box& s, const Pose& X, std::vector<Collider>& out) {
    const Vec3 half = s.size * 0.5;
    out.push_back({ColliderKind::Box, half, 0, std::min({half.x, half.y, half.z}), X});
}
void append(const Capsule& s, const Pose& X, std::vector<Collider>& out) {
    out.push_back({ColliderKind::Capsule, {s.radius, 0.5 * s.length, s.radius}, s.radius, s.radius, X});
}
void append(const Plane&, const Pose& X, std::vector<Collider>& out) {
    out.push_back({ColliderKind::Plane, {}, 0, 0, X});
}
template <class Other>
void append(const Other&, const Pose&, std::vector<Collider>&) {}
void append(const Compound& compound, const Pose& X, std::vector<Collider>& out) {
    for (const CompoundPart& part : compound.parts) {
        const Pose X_part = X * Pose{part.position, part.orientation};
        std::visit([&](const auto& shape) { append(shape, X_part, out); }, part.shape);
    }
}

Vec3 abs(const Vec3& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

// Half edges of the world-aligned box around the collider's centre.
Vec3 reach(const Collider& c, const Quat& q) {
    switch (c.kind) {
        case ColliderKind::Sphere:
            return {c.radius, c.radius, c.radius};
        case ColliderKind::Box: {
            const Mat3 R = to_matrix(q);
            return abs(R.c0) * c.half.x + abs(R.c1) * c.half.y + abs(R.c2) * c.half.z;
        }
        case ColliderKind::Capsule:
            return abs(rotate(q, {0, 1, 0})) * c.half.y + Vec3{c.radius, c.radius, c.radius};
        default:
            break;
    }
    const double inf = std::numeric_limits<double>::infinity();
    return {inf, inf, inf};
}

}  // namespace

bool can_collide(const Shape& shape) {
    return std::visit([](const auto& s) { return has_collider(s); }, shape);
}

void make_colliders(const Shape& shape, const Pose& X_BS, std::vector<Collider>& out) {
    std::visit([&](const auto& s) { append(s, X_BS, out); }, shape);
}

Aabb bounds(const Collider& collider, const Pose& X_WB) {
    const Pose X_WC = X_WB * collider.X_BC;
    const Vec3 r = reach(collider, X_WC.orientation);
    return {X_WC.position - r, X_WC.position + r};
}

}  // namespace impuls
