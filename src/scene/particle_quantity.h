// Quantities of bodies that are made of particles: of one particle (bodies.rope.particle[3].velocity.x), and
// of all together. Called by quantity.cpp.
#pragma once

#include <optional>
#include <string>

#include "impuls/quantity.h"

namespace impuls {

// None: it is no name of that kind, or of no body of particles.
std::optional<Quantity> find_of_particle(const std::string& name, const Scene& structure);

// NaN: body k is not made of particles.
double of_particles(const Frame& frame, std::size_t k, double ParticleBody::*value);

}  // namespace impuls
