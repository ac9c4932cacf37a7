// The way back from an island to the world. The only code of this layer that writes to the world's columns.
#pragma once

#include <span>

#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls {

struct Groups;

// What a step writes, by body and by joint.
struct StepOutput {
    std::span<Motion> next{};
    JointSet& joints;
    BodySet& bodies;  // of theirs only what particles do next
};

// Motions of the island's bodies and what its joints remember. Contacts go to Results by the steppers.
void scatter(const WorldView& view, const Island& island, StepOutput& out);

// An island that sleeps through the step: motions and contacts stay as they are.
void keep_as_it_is(const WorldView& view, const Groups& groups, std::size_t i, StepOutput& out,
                   Results& results);

}  // namespace impuls
