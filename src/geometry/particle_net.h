// Shapes that are made of particles (impuls/shapes.h) as plain arrays: what bodies, pictures and checks work
// with. A mass that is not given is density times the particle's share of what it belongs to: a third of each
// of its triangles times the thickness 2 r; without triangles half of each of its links as a cylinder pi r^2;
// without links a ball. Called by dynamics, shape checks, mass properties and tessellation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/aabb.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

struct ParticleLink {
    std::uint32_t a = 0, b = 0;
    double length = 0;  // m
};

struct ParticleNet {
    std::vector<Vec3> points{};  // in the body's frame
    std::vector<double> masses{};
    std::vector<std::uint8_t> is_pinned{};
    std::vector<ParticleLink> links{};
    // Each triangle starts with its lowest number, and they are sorted by it.
    std::vector<std::array<std::uint32_t, 3>> triangles{};
    std::vector<std::uint32_t> first_triangle{};  // by particle that leads them, and one end
    // By triangle: bit k says that the edge from its corner k to the next belongs to it and to no one before.
    std::vector<std::uint8_t> own_edges{};
    std::vector<std::array<std::uint32_t, 2>> bare_links{};  // links that are no triangle's edge, sorted
    std::vector<std::uint32_t> bare_points{};                // particles without links and triangles
    double radius = 0;
    double compliance = 0;  // 1/N
};

// Shapes that convert themselves to Particles are made of them. None: the shape is not.
std::optional<Particles> particles_of(const Shape& shape);
bool is_of_particles(const Shape& shape);

ParticleNet make_net(const Particles& shape, double density);

// Grows a box by another.
inline void include_box(Aabb& box, const Aabb& other) {
    for (int k = 0; k < 3; ++k) {
        box.min[k] = std::min(box.min[k], other.min[k]);
        box.max[k] = std::max(box.max[k], other.max[k]);
    }
}

// Of one particle and the triangles that it leads, at the given places of all.
Aabb box_of_patch(const ParticleNet& net, const std::vector<Vec3>& places, std::uint32_t lead);

// The point of a triangle that is nearest to p, by its corners' weights.
std::array<double, 3> nearest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace impuls
