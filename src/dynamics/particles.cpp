// Particles of a body: from their shape, and their sums (particles.h).
#include "dynamics/particles.h"

#include <algorithm>
#include <cmath>

namespace impuls {

ParticleRange make_particles(const Particles& shape, double density, double mass, const Pose& X_WB,
                             const Vec3& v, const Vec3& w) {
    ParticleNet net = make_net(shape, density);
    double sum = 0;
    for (const double m : net.masses) sum += m;
    if (mass != sum)
        for (double& m : net.masses) m *= mass / sum;
    ParticleRange range;
    Vec3 center;
    for (std::size_t k = 0; k < net.points.size(); ++k) {
        range.inv_mass.push_back(net.is_pinned[k] ? 0 : 1 / net.masses[k]);
        range.now.x.push_back(X_WB * net.points[k]);
        center += range.now.x[k] * (net.masses[k] / mass);
    }
    for (std::size_t k = 0; k < net.points.size(); ++k)
        range.now.v.push_back(net.is_pinned[k] ? Vec3{} : v + cross(w, range.now.x[k] - center));
    if (!(net.compliance > 0)) range.now.impulse.assign(net.links.size(), 0);
    range.net = std::make_shared<const ParticleNet>(std::move(net));
    return range;
}

ParticleSums sums_of(const ParticleRange& range, const ParticleMotion& motion) {
    ParticleSums sums;
    Vec3 moment, momentum;
    for (std::size_t k = 0; k < motion.x.size(); ++k) {
        const double m = range.mass(k);
        const Vec3 p = motion.v[k] * m;
        sums.mass += m;
        sums.kinetic += 0.5 * dot(p, motion.v[k]);
        moment += (motion.x[k] - motion.x[0]) * m;
        momentum += p;
        sums.angular_momentum += cross(motion.x[k], p);
    }
    sums.center = motion.x[0] + moment / sums.mass;
    sums.v = momentum / sums.mass;
    if (range.is_stiff()) return sums;
    for (const ParticleLink& link : range.net->links) {
        const double longer = length(motion.x[link.b] - motion.x[link.a]) - link.length;
        sums.elastic += 0.5 * range.stiffness(link) * longer * longer;
    }
    return sums;
}

double largest_stretch(const ParticleRange& range) {
    double most = 0;
    for (const ParticleLink& link : range.net->links)
        most = std::max(most, std::abs(length(range.now.x[link.b] - range.now.x[link.a]) / link.length - 1));
    return most;
}

std::uint32_t nearest_particle(const ParticleRange& range, const Vec3& point) {
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k < range.size(); ++k)
        if (length_squared(range.now.x[k] - point) < length_squared(range.now.x[best] - point)) best = k;
    return best;
}

double radius_of(const ParticleRange& range) {
    const Vec3 center = sums_of(range, range.now).center;
    double sum = 0, mass = 0;
    for (std::size_t k = 0; k < range.size(); ++k) {
        sum += range.mass(k) * length_squared(range.now.x[k] - center);
        mass += range.mass(k);
    }
    return std::sqrt(sum / mass);
}

}  // namespace impuls
