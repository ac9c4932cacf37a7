// Shapes with the points of a frame (deformed.h).
#include "render/deformed.h"

#include <algorithm>

#include "geometry/particle_net.h"

namespace impuls {

const Shape& shape_in(const Frame& frame, std::size_t k, Shape& scratch) {
    const Shape& described = frame.structure->bodies[k].shape;
    if (!is_of_particles(described)) return described;
    Particles shape = *particles_of(described);
    const auto before = [](const ParticleState& p, std::size_t body) { return p.body < body; };
    auto at = std::lower_bound(frame.particles.begin(), frame.particles.end(), k, before);
    const Pose X_BW = inverse(Pose{frame.positions[k], frame.orientations[k]});
    for (Vec3& point : shape.points) {
        if (at == frame.particles.end() || at->body != k) break;  // frames without particles
        point = X_BW * (at++)->position;
    }
    scratch = std::move(shape);
    return scratch;
}

}  // namespace impuls
