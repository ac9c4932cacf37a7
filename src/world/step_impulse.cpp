// One step at the level of impulses, in reading order.
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

void advance_island(IslandWork& island, std::int64_t substeps, double h) {
    auto clock = std::chrono::steady_clock::now();
    const auto timed = [&](Stage stage) { island.stage_seconds[static_cast<int>(stage)] += lap(clock); };

    island.find_contacts(h), timed(Stage::Contacts);
    for (std::int64_t k = 0; k < substeps && island.failure.empty(); ++k) {
        island.first_kick(h), timed(Stage::Integrate);
        island.sweep(h), timed(Stage::Contacts);
        island.propagate_impacts(h), timed(Stage::Solve);
        island.solve_displacements(h), timed(Stage::Solve);
        island.drift(h), timed(Stage::Integrate);
        if (!island.failure.empty()) return;
        island.find_contacts(h), timed(Stage::Contacts);
        island.second_kick(h), timed(Stage::Integrate);
        island.solve_velocities(h), timed(Stage::Solve);
    }
}

// Islands in chunks of a fixed number, each chunk with its own work space.
void advance_islands(WorldState& s) {
    constexpr std::size_t kIslandsPerChunk = 4;
    while (s.work.size() * kIslandsPerChunk < s.islands.size())
        s.work.push_back(std::make_unique<IslandWork>());
    for (auto& work : s.work) work->begin();
    s.executor->parallel_for(s.islands.size(), kIslandsPerChunk, [&](std::size_t begin, std::size_t end) {
        IslandWork& work = *s.work[begin / kIslandsPerChunk];
        for (std::size_t i = begin; i < end; ++i) {
            work.gather(s, i);
            advance_island(work, s.method.substeps, s.dt / static_cast<double>(s.method.substeps));
            work.scatter(s);
        }
    });
}

// Bodies that nothing is near need no substeps.
void advance_free_bodies(WorldState& s) {
    const std::span<const std::uint32_t> list = s.islands.free_bodies;
    s.executor->parallel_for(list.size(), 256, [&](std::size_t begin, std::size_t end) {
        fly_all(s.bodies, list.subspan(begin, end - begin), s.gravity, s.method.integrator, s.dt, s.next);
    });
}

}  // namespace

void step_impulse(WorldState& s) {
    auto clock = std::chrono::steady_clock::now();
    s.stage_seconds = {};
    const auto timed = [&](Stage stage) { s.stage_seconds[static_cast<int>(stage)] += lap(clock); };

    apply_commands(s), timed(Stage::Commands);
    find_pairs(s), timed(Stage::Pairs);
    screen_pairs(s), timed(Stage::Contacts);
    build_islands(s), timed(Stage::Islands);
    advance_islands(s), lap(clock);  // timed inside, island by island
    advance_free_bodies(s), timed(Stage::Integrate);
    collect(s);
    deliver_events(s), timed(Stage::Finish);
}

}  // namespace impuls
