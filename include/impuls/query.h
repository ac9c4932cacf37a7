// What queries of a running world ask for and answer (World::ray and others). SI units, world coordinates.
#pragma once

#include <array>
#include <cstdint>

#include "impuls/collision.h"
#include "impuls/ids.h"
#include "impuls/vec.h"

namespace impuls {

/// Which bodies a query may find. Passive bodies and those with "collides": false are never found,
/// nor are grains.
struct BodyFilter {
    std::uint32_t layers = 0xffffffffu;  ///< bit k: bodies of layer k
    bool statics = true, kinematics = true, dynamics = true;
    bool sensors = false;  ///< sensors too
    BodyId ignore{};
};

/// Of a ray, `distance` counts from its origin and `inside` says that it starts inside (distance 0, normal
/// against the ray). Of a closest point, it is negative (inside) by the depth of penetration.
struct BodyHit {
    BodyId body{};
    /// Of a body of particles what was met, by numbers of its particles: 3 of a triangle, 2 of a link, or 1;
    /// each as thick as the particles. 0: the body is not made of particles.
    std::uint32_t particle_count = 0;
    std::array<std::uint32_t, 3> particles{};
    Vec3 point{};         ///< on the body's surface; the ray's origin when that is inside
    Vec3 normal{};        ///< unit, out of the body
    double distance = 0;  ///< m
    bool inside = false;  ///< the query starts inside, or overlaps the body
};

/// What a moving solid meets first. `hit.distance` is the way of its origin.
struct BodyCast {
    BodyHit hit{};
    double t = 0;        ///< s
    bool limit = false;  ///< no hit: free up to t, not known beyond (too many steps)
};

}  // namespace impuls
