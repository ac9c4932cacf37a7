// Covered faces of compound parts (compound_faces.h): each box part against each other one, in the frame of
// the first. Called once a compound.
#include "collision/compound_faces.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

constexpr double kFlush = 1e-6;

// Half extents of b along a's axes, when b is turned against a by right angles only.
bool aligned_half(const Mat3& R, const Vec3& half, Vec3& out) {
    out = {};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            const double r = std::abs(R[j][i]);
            if (r > kFlush && r < 1 - kFlush) return false;
            if (r >= 1 - kFlush) out[i] = half[j];
        }
    return true;
}

void cover(Collider& a, const Collider& b) {
    const Mat3 R = to_matrix(conjugate(a.X_BC.orientation) * b.X_BC.orientation);
    const Vec3 t = rotate_inverse(a.X_BC.orientation, b.X_BC.position - a.X_BC.position);
    Vec3 half;
    if (!aligned_half(R, b.half, half)) return;
    const double snap = kFlush * std::min(a.size, b.size);
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto holds = [&](int i) {
            return t[i] - half[i] <= -a.half[i] + snap && t[i] + half[i] >= a.half[i] - snap;
        };
        if (!holds(u) || !holds(v)) continue;
        for (const double side : {-1.0, 1.0}) {
            const double inner = side * t[axis] - half[axis], outer = side * t[axis] + half[axis];
            if (inner <= a.half[axis] + snap && outer > a.half[axis] + snap)
                a.covered = static_cast<std::uint8_t>(a.covered | 1u << (2 * axis + (side > 0)));
        }
    }
}

}  // namespace

void mark_covered_faces(std::span<Collider> parts) {
    for (Collider& a : parts)
        for (const Collider& b : parts)
            if (&a != &b && a.kind == ColliderKind::Box && b.kind == ColliderKind::Box) cover(a, b);
}

}  // namespace impuls
