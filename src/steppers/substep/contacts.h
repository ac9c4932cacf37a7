// Contact points of an island in a substep: the narrow phase at the present poses, and how points move.
#pragma once

#include "steppers/substep/context.h"

namespace impuls::substep {

// The pair that point k belongs to.
inline const IslandPair& pair_of(const Substep& s, std::size_t point) {
    return s.island.pairs[s.contacts.point_pair[point]];
}

// Narrow phase at the present poses, for a substep of length h.
void find_contacts(Substep& s, double h);

// Points go to the results.
void store_contacts(Substep& s);

// The way that the surfaces of a pair may move relative to each other within h, m.
double way_of(const Substep& s, const IslandPair& pair, double h);
// A pair that moves so far is swept: a margin as wide would find contacts with what is passed by.
bool is_swept(const IslandPair& pair, double way);

// Velocity of b relative to a at a point of both.
Vec3 relative_velocity(const Substep& s, const IslandPair& pair, const Vec3& position);
// The same at a contact point, which may be one on a face of particles.
Vec3 relative_velocity(const Substep& s, const IslandPair& pair, const ContactPoint& point);
// Velocity of b's surface relative to a's, tangential part.
Vec3 slip_of(const Substep& s, const IslandPair& pair, const SubstepPoint& point);
// How the surface of a node runs over it, W.
Vec3 surface_velocity(const Substep& s, std::uint32_t node);

// Impacts slower than what external forces add within h are rest, not bounce: this speed, m/s.
double rest_speed(const Substep& s, const IslandPair& pair, double h);

}  // namespace impuls::substep
