// How the energy of an island changed in a step, for the energy watch (watch/watch.h): kinetic
// energy, potential energy of constant forces and of springs, less the work of motors. Called by the
// schedule, for every island that was advanced.
#pragma once

#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls {

struct EnergyScratch {
    Rows rows{};
    AxisLog log{};
    Nodes nodes{};
    std::vector<double> angles{};
};

// The island is as it is after the step, the view as before it.
void note_energy(const WorldView& view, const Island& island, EnergyScratch& scratch, IslandNote& note);

}  // namespace impuls
