// Islands of bodies that touch, also with joints, by blocks (solvers/blocks/contacts.h): contacts are found
// once a pass, and the substeps of a pass solve them in eight lanes of float. A step is one pass, up to four
// where bodies move far for their size, more where joints bear much.
//
// Stages of a pass, with the room of each:
//  - find contacts (search.h): points and manifolds, frozen for the pass
//  - estimate loads F (loads.h), choose substeps (pace.h): sag F (1/m_a + 1/m_b) / w^2 <= kSag size with
//    w = pi / (2 h)
//  - solve the substeps in lanes (solvers/blocks), rows of joints among them (joints.h)
//  - take impulses (exchange.h), move bodies (bodies.h)
//  - close joints by displacements (joints.h): what rows frozen for a pass left open
//
// The manual is docs/manual/blocks.md.
#pragma once

#include <vector>

#include "impuls/outcome.h"
#include "solvers/blocks/contacts.h"
#include "steppers/blocks/scratch.h"
#include "steppers/island.h"
#include "steppers/results.h"
#include "steppers/view.h"

namespace impuls::blocks {

// Of an island with joints, which may be refused after bodies have moved.
struct SavedIsland {
    std::vector<IslandNode> nodes{};
    JointMemory memory{};
    std::vector<double> margins{};  // by pair
};

struct Scratch {
    BodyScratch bodies{};
    ContactScratch contacts{};
    LoadScratch loads{};
    JointScratch joints{};
    BlockContacts solver{};
    SavedIsland saved{};
};

// Whether blocks can try; it depends on nothing but the present state.
Refusal fits(const WorldView& view, const Island& island);

// Advances the island by a step. Refused: nothing has changed but the times in the results.
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::blocks
