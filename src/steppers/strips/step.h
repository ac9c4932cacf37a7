// The stepper of ropes, sheets and nets: many short substeps with one sweep of the links each, along paths
// that are solved directly (src/deformable/chains.h), and contacts last. A substep of length h:
//     (1) v += h a,  p = x + h v       particles and the rigid bodies of the island
//     (2) links                        p moves, path by path, with the directions of the preview
//     (3) contacts                     p and the bodies move: planes found every few substeps
//     (4) v = (p - x) / h,  x = p
// h goes with the length of links over the speed of a free fall along the net (study of cloth: 0.0145 l /
// sqrt(a L)).
#pragma once

#include <memory>
#include <vector>

#include "deformable/chains.h"
#include "deformable/contact/body_contacts.h"
#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls::strips {

// Paths of a net in numbers of its own: a neutral cache, made from the net alone.
struct CachedNet {
    std::shared_ptr<const ParticleNet> net{};
    deformable::Chains paths{};
    double shortest = 0, extent = 0;  // m: of its links, of the longest side of its box
};

struct Scratch {
    std::vector<CachedNet> nets{};
    deformable::Particles particles{};
    deformable::Columns preview{}, acceleration{};
    std::vector<Damping> damping{};  // of particles
    deformable::Chains chains{};
    deformable::ChainScratch chain_scratch{};
    deformable::Surface no_surface{};
    std::unique_ptr<deformable::BodyContacts> contacts{};
    std::vector<std::uint32_t>
        place{};  // by node: of a particle in the columns, else of a body in the contacts
    std::vector<std::uint32_t> plane_pair{};  // by plane: of the island
    std::vector<Vec3> pair_impulse{};         // by pair: on its b, in this step
    std::vector<Manifold> found{};
    ContactPoints points{};
};

// None: it can try.
Refusal fits(const WorldView& view, const Island& island);
// Advances the island by a step.
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::strips
