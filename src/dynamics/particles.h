// The particles of a body that is made of them (shapes particles, rope, sheet). The body is the object: its
// uid, name, material, mass, sleep and events are those of all its particles together. Its pose is at their
// centre of mass and never turns, its velocity is their mean; both follow from the particles, which are the
// state. Islands take each particle that moves for a node of its own (steppers/gather.cpp). A link keeps the
// distance of two particles: as an equation, or with a compliance c (strain per force) as a spring of k = 1 /
// (c length).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/particle_net.h"
#include "impuls/vec.h"

namespace impuls {

// What a step changes.
struct ParticleMotion {
    std::vector<Vec3> x{}, v{};     // m, m/s
    std::vector<double> impulse{};  // by link: of the last substep (warm start); of stiff links alone
};

struct ParticleRange {
    std::shared_ptr<const ParticleNet> net{};
    std::vector<double> inv_mass{};  // 0: pinned
    ParticleMotion now{};
    ParticleMotion next{};  // scratch space of a step
    bool has_next = false;
    std::vector<Vec3> anchor{};  // places since when it has stayed close to them (RestWindow::anchor)

    std::size_t size() const { return now.x.size(); }
    bool is_stiff() const { return !(net->compliance > 0); }
    double stiffness(const ParticleLink& link) const { return 1 / (net->compliance * link.length); }
    double mass(std::size_t k) const { return net->masses[k]; }
    bool has_triangles(std::size_t lead) const {
        return net->first_triangle[lead] < net->first_triangle[lead + 1];
    }
};

// With the masses scaled to `mass` in all, placed and moving as a body with this pose of the shape's frame
// would.
ParticleRange make_particles(const Particles& shape, double density, double mass, const Pose& X_WB,
                             const Vec3& v, const Vec3& w);

// Sums over all particles, in their order.
struct ParticleSums {
    double mass = 0, kinetic = 0, elastic = 0;  // kg, J
    Vec3 center{}, v{};                         // means by mass
    Vec3 angular_momentum{};                    // about the origin
};
ParticleSums sums_of(const ParticleRange& range, const ParticleMotion& motion);

// The largest distance of any two ends of a link from its length, relative to it.
double largest_stretch(const ParticleRange& range);
// The particle that is nearest to a point; the first of several.
std::uint32_t nearest_particle(const ParticleRange& range, const Vec3& point);
// rms distance of the mass from its centre, m.
double radius_of(const ParticleRange& range);

}  // namespace impuls
