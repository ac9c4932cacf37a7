// The substeps of an island at the level of velocities, in reading order: the simulator of Erleben 2005,
// chapter 6, with fixed steps.
//
// Each substep of length h, with contacts and joints as they are at its start (equation 6.76):
//     v  += h a + M^-1 J^T p      impulses p such that v is allowed, open gaps g by v_n >= -g/h
//     x  += h v                   with these velocities, not the old ones (6.75 would sink)
//     v  += M^-1 J^T r            restitution where the positions have come to the touch
//     x  += M^-1 J^T c            error correction by projection: positions alone (6.78)
// Shock propagation (figures 6.56 and 6.60) solves for velocities twice: with the share f of the forces for
// all together, with the rest layer by layer from the ground up, lower bodies held fast; likewise it corrects
// layer by layer, each with depths found anew. Gravity and drift reach every body exactly once.
// First order; the impulse stepper is the accurate one.
#include "world/state.h"

namespace impuls {

void advance_by_velocities(IslandWork& island, const Method& method, double dt) {
    const double h = dt / static_cast<double>(method.substeps);
    auto clock = std::chrono::steady_clock::now();
    const auto timed = [&](Stage stage) { island.stage_seconds[static_cast<int>(stage)] += lap(clock); };

    island.find_contacts(h), timed(Stage::Contacts);
    for (std::int64_t k = 0; k < method.substeps && island.failure.empty(); ++k) {
        island.kick(h), timed(Stage::Integrate);
        island.sweep(h), timed(Stage::Contacts);
        island.solve_step(h), timed(Stage::Solve);
        island.drift(h), timed(Stage::Integrate);
        island.find_contacts(h), timed(Stage::Contacts);
        island.rebound(h), timed(Stage::Solve);
        island.correct(h), timed(Stage::Solve);
    }
}

}  // namespace impuls
