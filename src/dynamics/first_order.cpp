// Rows and nodes of the first-order world (first_order.h).
#include "dynamics/first_order.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/rotation.h"

namespace impuls {

void add_gaps(const Manifold& manifold, std::uint32_t a, const Pose& X_WA, std::uint32_t b, const Pose& X_WB,
              ContactRows& out, double h, double least) {
    IMPULS_ASSERT(0 <= manifold.count && manifold.count <= kMaxManifoldPoints);
    for (int k = 0; k < manifold.count; ++k) {
        const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(k)];
        const auto r =
            out.add(a, b, manifold.normal, point.position - X_WA.position, point.position - X_WB.position);
        out.bias[r] = point.separation > 0 || point.separation < -least ? point.separation / h : 0;
    }
}

void keep_geometry(Rows& rows) {
    for (Row& row : rows.rows) {
        const bool is_limit =
            (row.lower == 0 && row.upper == kUnbounded) || (row.upper == 0 && row.lower == -kUnbounded);
        if (!row.is_equation() && (!is_limit || row.compliance != 0)) row.lower = row.upper = 0;
    }
}

std::uint32_t add_pushed(Nodes& nodes, const Pose& pose, double mass, const Vec3& inertia_P,
                         const Vec3& force, const Vec3& torque) {
    const Mat3 inverse =
        turned_diagonal(pose.orientation, {1 / inertia_P.x, 1 / inertia_P.y, 1 / inertia_P.z});
    return nodes.add_body(1 / mass, inverse, force / mass, inverse * torque);
}

double gyration_radius(double mass, const Vec3& inertia_P) {
    return std::sqrt(std::max({inertia_P.x, inertia_P.y, inertia_P.z, 0.0}) / mass);
}

Pose displaced(const Pose& pose, const Vec3& v, const Vec3& w) {
    return {pose.position + v, w == Vec3{} ? pose.orientation : turned(pose.orientation, w)};
}

}  // namespace impuls
