// Sets of grains for tests: a box of half-spaces, laws, energies.
#pragma once

#include <cmath>

#include "base/rng.h"
#include "granular/system.h"

namespace impuls::granular {

inline std::uint32_t add_plane(System& s, const Vec3& point, const Vec3& normal, std::uint32_t material = 0) {
    const Vec3 y{0, 1, 0}, axis = cross(y, normal);
    Obstacle o;
    o.body = static_cast<std::uint32_t>(s.bodies.size()), o.material = material;
    s.obstacles.push_back(o);
    ObstacleBody body;
    body.X_WP.position = point;
    if (length(axis) > 1e-12)
        body.X_WP.orientation = from_axis_angle(axis, std::atan2(length(axis), dot(y, normal)));
    else if (normal.y < 0)
        body.X_WP.orientation = {0, 1, 0, 0};
    s.bodies.push_back(body);
    return o.body;
}

inline System one_material(double modulus, double restitution, double friction, double sliding = -1) {
    System s;
    s.materials = 1;
    PairLaw law;
    law.modulus = modulus, law.damping = damping_of(restitution);
    law.sticking = friction, law.sliding = sliding < 0 ? friction : sliding;
    s.laws = {law};
    return s;
}

// Open at the top.
inline void add_box(System& s, double half_x, double half_z) {
    add_plane(s, {0, 0, 0}, {0, 1, 0});
    add_plane(s, {half_x, 0, 0}, {-1, 0, 0}), add_plane(s, {-half_x, 0, 0}, {1, 0, 0});
    add_plane(s, {0, 0, half_z}, {0, 0, -1}), add_plane(s, {0, 0, -half_z}, {0, 0, 1});
}

inline double kinetic_energy(const System& s) {
    double sum = 0;
    for (std::size_t k = 0; k < s.grains.count(); ++k) {
        const GrainKind& kind = s.kinds[s.grains.kind[k]];
        sum += mass_of(kind, s.grains.size[k]) * dot(s.grains.v[k], s.grains.v[k]) / 2 +
               dot(s.grains.w[k], s.grains.spin[k]) / 2;
    }
    return sum;
}
inline double weight_of(const System& s) {
    double mass = 0;
    for (std::size_t k = 0; k < s.grains.count(); ++k)
        mass += mass_of(s.kinds[s.grains.kind[k]], s.grains.size[k]);
    return mass * length(s.gravity);
}

}  // namespace impuls::granular
