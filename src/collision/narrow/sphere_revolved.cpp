// Sphere against a body of revolution (geometry/revolved.h), exactly: the nearest point of the wall lies in
// the half-plane of the centre. Near the axis of a straight wall, where the sphere meets it all around, the
// three other quarters are looked at too, so that it is held on all sides.
#include <array>
#include <cmath>

#include "collision/narrow/pairs.h"
#include "geometry/revolved.h"

namespace impuls::narrow {

bool sphere_revolved(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                     std::vector<Manifold>& out) {
    const Vec3 p = rotate_inverse(X_WB.orientation, X_WA.position - X_WB.position);
    const double rho = std::sqrt(p.x * p.x + p.z * p.z);
    const Vec3 radial = rho > 0 ? Vec3{p.x / rho, 0, p.z / rho} : Vec3{1, 0, 0};
    const std::array<Vec3, 4> directions{radial, {-radial.z, 0, radial.x}, -radial, {radial.z, 0, -radial.x}};
    const std::size_t first = out.size();
    for (std::uint32_t k = 0; k < 4; ++k) {
        const RevolvedProfile::Nearest near = b.profile->nearest({k == 0 ? rho : k == 2 ? -rho : 0, p.y});
        const double separation = near.distance - a.radius;
        if (separation <= margin) {
            const Vec3 away =
                rotate(X_WB.orientation, directions[k] * near.normal.rho + Vec3{0, near.normal.y, 0});
            Manifold& m = out.emplace_back();
            m.normal = -away;
            add_point(m, X_WA.position - away * (a.radius + 0.5 * separation), separation, k);
        }
        if (!b.profile->is_straight() || !(near.normal.rho < 0)) break;
    }
    return out.size() > first;
}

}  // namespace impuls::narrow
