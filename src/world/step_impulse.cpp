// The substeps of an island at the level of impulses, in reading order.
//
// Each substep of length h is a kick-drift-kick step with constraints (RATTLE, Andersen 1983), for joints and
// contacts alike:
//     v  += h/2 a                 first kick
//     v  += M^-1 J^T p            displacement phase: impulses p such that x + h v is allowed
//     x  += h v                   drift
//     v  += h/2 a                 second kick
//     v  += M^-1 J^T r            velocity phase: impulses r such that v is allowed at the new x, incl.
//     restitution
// Free motion under constant force is exact, smooth constrained motion second order, a body at rest has v =
// 0, and pushing bodies out of each other leaves no velocity behind (p + r is clamped, not p and r).
#include "world/state.h"

namespace impuls {

namespace {
constexpr int kHalvings = 2;  // to a quarter of the substep, a sixteenth of the depth
}  // namespace

void advance_by_impulses(IslandWork& island, const Method& method, double dt) {
    auto clock = std::chrono::steady_clock::now();
    const auto timed = [&](Stage stage) { island.stage_seconds[static_cast<int>(stage)] += lap(clock); };
    const auto substep = [&](double h) {
        const bool may_throw = island.may_throw();
        const IslandWork::Energy before = may_throw ? island.energy() : IslandWork::Energy{};
        island.first_kick(h), timed(Stage::Integrate);
        island.sweep(h), timed(Stage::Contacts);
        island.propagate_impacts(h), timed(Stage::Solve);
        island.solve_displacements(h), timed(Stage::Solve);
        if (island.is_stalled()) return;
        island.drift(h), timed(Stage::Integrate);
        if (!island.failure.empty()) return;
        island.find_contacts(h), timed(Stage::Contacts);
        island.second_kick(h), timed(Stage::Integrate);
        island.solve_velocities(h), timed(Stage::Solve);
        if (may_throw) island.limit_energy(before, h);
    };

    const double usual = dt / static_cast<double>(method.substeps);
    island.find_contacts(usual), timed(Stage::Contacts);
    // As a whole, or again in halves where bodies get deep into each other.
    const auto advance = [&](auto&& again, double h, int halvings) -> void {
        island.set_substep(h, usual);
        const bool may_be_deep = halvings > 0 && island.remember(h);
        substep(h);
        if (!may_be_deep || !island.failure.empty() || !island.got_deep()) return;
        island.recall();
        for (int half = 0; half < 2 && island.failure.empty(); ++half) again(again, 0.5 * h, halvings - 1);
    };
    if (!island.has_joints()) {
        for (std::int64_t k = 0; k < method.substeps && island.failure.empty(); ++k)
            advance(advance, usual, kHalvings);
        return;
    }
    for (double rest = dt; rest > 0 && island.failure.empty();) {
        const double h = island.next_substep(rest);
        substep(h);
        if (island.is_stalled()) {  // again, with less
            island.recall_joints();
            continue;
        }
        rest = h < rest ? rest - h : 0;
    }
    if (island.failure.empty()) island.pull_together(), timed(Stage::Solve);
}

}  // namespace impuls
