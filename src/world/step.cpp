// One step of a world, in reading order. What an island does in its substeps is the stepper's business:
// step_impulse.cpp or step_velocity.cpp.
#include "steppers/scatter.h"
#include "world/state.h"

namespace impuls {
namespace {

void advance_island(IslandWork& island, const Method& method, double dt) {
    switch (method.stepper) {
        case Stepper::Impulse:
        case Stepper::Blocks:
            return advance_by_impulses(island, method, dt);
        case Stepper::Velocity:
            return advance_by_velocities(island, method, dt);
    }
}

bool may_be_blocks(const WorldState& s, std::size_t i) {
    const auto bodies = s.islands.body_start[i + 1] - s.islands.body_start[i];
    return s.method.stepper == Stepper::Blocks ||
           (s.method.blocks_from > 0 && bodies >= s.method.blocks_from);
}

// False: blocks do not take it, and nothing was written.
bool advance_by_blocks(WorldState& s, std::size_t i, BlockRoom& room, IslandWork& work) {
    if (!may_be_blocks(s, i)) return false;
    const WorldView view = view_of(s);
    StageClock clock(work.stage_seconds);
    gather(view, s.islands, i, s.node_of, room.island);
    clock(Stage::Integrate);
    if (blocks::fits(view, room.island) != Refusal::None) return false;
    room.results.clear();
    std::swap(room.results.contacts, work.results);
    Outcome outcome;
    const Refusal refusal = blocks::advance(view, room.island, room.scratch, room.results, outcome);
    std::swap(room.results.contacts, work.results);
    for (std::size_t k = 0; k < work.stage_seconds.size(); ++k)
        work.stage_seconds[k] += room.results.stage_seconds[k];
    if (refusal != Refusal::None) return false;
    if (!room.results.failure.empty()) {
        work.failure = room.results.failure;
        return true;
    }
    StepOutput out{s.next, s.joints};
    scatter(view, room.island, out);
    return true;
}

// Islands in chunks of a fixed number, each chunk with its own work space.
void advance_islands(WorldState& s) {
    constexpr std::size_t kIslandsPerChunk = 4;
    while (s.work.size() * kIslandsPerChunk < s.islands.size())
        s.work.push_back(std::make_unique<IslandWork>()),
            s.articulated_work.push_back(std::make_unique<ArticulatedWork>()),
            s.block_rooms.push_back(std::make_unique<BlockRoom>());
    s.works_used = (s.islands.size() + kIslandsPerChunk - 1) / kIslandsPerChunk;
    for (std::size_t k = 0; k < s.works_used; ++k) s.work[k]->begin();
    s.executor->parallel_for(s.islands.size(), kIslandsPerChunk, [&](std::size_t begin, std::size_t end) {
        IslandWork& work = *s.work[begin / kIslandsPerChunk];
        ArticulatedWork& joints = *s.articulated_work[begin / kIslandsPerChunk];
        for (std::size_t i = begin; i < end; ++i) {
            if (s.island_sleeps[i]) {
                work.keep(s, i);
                continue;
            }
            if (ArticulatedWork::takes(s, i)) {
                auto clock = std::chrono::steady_clock::now();
                const bool is_done = joints.advance(s, i);
                work.stage_seconds[static_cast<int>(Stage::Solve)] += lap(clock);
                if (is_done) continue;
            }
            if (advance_by_blocks(s, i, *s.block_rooms[begin / kIslandsPerChunk], work)) continue;
            work.gather(s, i);
            advance_island(work, s.method, s.dt);
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

// Which pairs can touch; what is dormant and among them comes into play first.
void find_touching(WorldState& s) {
    screen_pairs(s);
    while (rouse_touched(s)) find_pairs(s), screen_pairs(s);
}

// A step of a world that sleeps.
void pass_time(WorldState& s) {
    s.events.clear(), s.broken_joints.clear();
    ++s.step;
}

}  // namespace

void step_world(WorldState& s) {
    auto clock = std::chrono::steady_clock::now();
    s.stage_seconds = {};
    const auto timed = [&](Stage stage) { s.stage_seconds[static_cast<int>(stage)] += lap(clock); };

    const bool is_told = apply_commands(s);
    timed(Stage::Commands);
    if (s.is_still && !is_told) return pass_time(s);
    find_pairs(s), timed(Stage::Pairs);
    find_touching(s), timed(Stage::Contacts);
    build_islands(s);
    while (wake_islands(s)) find_touching(s), build_islands(s);  // the woken have more neighbours
    timed(Stage::Islands);
    advance_islands(s), lap(clock);  // timed inside, island by island
    advance_free_bodies(s), timed(Stage::Integrate);
    collect(s);
    deliver_events(s), fall_asleep(s);
    settle(s);
    s.is_still = sleeps_on(s);
    timed(Stage::Finish);
}

}  // namespace impuls
