// Box against half-space: every corner within the margin. Where that is more than four (deep or thin boxes),
// only the corners of the face that looks most directly at the plane are kept; the deepest corner is one of
// them.
#include <array>
#include <cmath>

#include "collision/narrow/box_features.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr Signs corner_signs(unsigned k) {
    return {(k & 1) != 0, (k & 2) != 0, (k & 4) != 0};
}

}  // namespace

bool box_plane(const Collider& a, const Pose& X_WA, const Collider&, const Pose& X_WB, double margin,
               Manifold& out) {
    const Vec3 up = rotate(X_WB.orientation, {0, 1, 0});
    const Vec3 up_A = rotate_inverse(X_WA.orientation, up);
    const double height = dot(up, X_WA.position - X_WB.position);

    std::array<double, 8> separation{};
    int close = 0;
    for (unsigned k = 0; k < 8; ++k) {
        separation[k] = height + dot(up_A, corner(a.half, corner_signs(k)));
        close += separation[k] <= margin;
    }
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i) {
        if (std::abs(up_A[static_cast<int>(i)]) > std::abs(up_A[static_cast<int>(axis)])) axis = i;
    }
    const bool facing = up_A[static_cast<int>(axis)] < 0;  // side of the box that looks at the plane

    out.normal = -up;
    for (unsigned k = 0; k < 8; ++k) {
        const Signs s = corner_signs(k);
        if (separation[k] > margin || (close > 4 && s[axis] != facing)) continue;
        add_point(out, X_WA * corner(a.half, s) - up * (0.5 * separation[k]), separation[k],
                  corner_number(s));
    }
    return out.count > 0;
}

}  // namespace impuls::narrow
