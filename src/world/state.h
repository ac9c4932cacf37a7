// Everything a world owns, and the stages that work on it. Each stage is one function; the order in which
// they make up a step is in step.cpp.
//
//     Model    model.h     what it was made from, and what never changes in a step
//     State    here        decides the future: visit_state (visit_state.h) is its hash and its checkpoint
//     Caches   caches.h    made anew from these two: caches = {} changes nothing
//     Output   output.h    what came out of the last step
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.h"
#include "collision/graph/contact_graph.h"
#include "commands/queue.h"
#include "dynamics/body_set.h"
#include "dynamics/contact.h"
#include "dynamics/force.h"
#include "dynamics/joint.h"
#include "granular/coupling/state.h"
#include "impuls/scene.h"
#include "impuls/world.h"
#include "steppers/ledger.h"
#include "steppers/view.h"
#include "watch/watch.h"
#include "world/caches.h"
#include "world/model.h"
#include "world/output.h"

namespace impuls {

// State that steppers keep for themselves.
struct StepperMemory {
    OdeMemories memories{};  // of integrators, by island (steppers/ode_memory.h)
};

struct State : StepperMemory {
    std::int64_t step = 0;
    Vec3 gravity{};
    BodySet bodies{};
    JointSet joints{};
    ForceSet forces{};
    EnergyLedger ledger{};     // kept by worlds that have, or had, forces
    ContactPoints contacts{};  // by key
    CommandQueue commands{};
    granular::GrainState grains{};
    ContactGraph graph{};  // nodes are the bodies, then timers; edges decide which events are news
};

struct WorldState : Model, State, Caches {
    Output output{};
};

// All contacts and edges in order, of the active and of the dormant.
template <class Visit>
void for_each_contact(const WorldState& s, Visit&& visit) {
    visit_merged(
        s.contacts, s.active.dormant.contacts, [](const auto& c) { return c.is_present; },
        [](const auto& a, const auto& b) { return a.key < b.key; }, visit);
}
template <class Visit>
void for_each_edge(const WorldState& s, Visit&& visit) {
    visit_merged(
        s.graph.edges, s.active.dormant.edges, [](const auto& e) { return e.is_near; },
        [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }, visit);
}

// build.cpp
void build(WorldState& s, std::shared_ptr<const Scene> scene);  // valid, its timeline in order
void add_body(WorldState& s, const BodyDesc& desc);
void add_joint(WorldState& s, const JointDesc& desc);
void add_force(WorldState& s, const ForceDesc& desc);
// Bodies and joints before these numbers are the same as before, and had the same places.
struct Unchanged {
    std::size_t bodies = 0, joints = 0;
};
void update_numbers(WorldState& s, Unchanged kept = {});  // after anything was added or removed
void update_connected(WorldState& s);                     // after joints began or ceased to hold
void drop_caches(WorldState& s);                          // the neutral part, as far as steps make it anew
SceneRef structure_of(const WorldState& s);               // the scene as it is now
BodyDesc description_of(const WorldState& s, std::size_t body);

// commands.cpp
PresentWorld present_world(const WorldState& s);
// One after the other, each checked after those before it; throws InputError for the first that is wrong.
void apply_now(WorldState& s, std::span<const Command> commands);
bool apply_commands(WorldState& s);  // due and pending ones; whether any

// scripts.cpp
void place_scripts(WorldState& s);  // bodies that move by script, to where they are at this time
// At the start of a step, likewise. False: one of them, or something else that changes with time, is not
// finite within the step; the status says which.
bool begin_scripts(WorldState& s);
void advance_scripts(WorldState& s);                        // next motions
double scripted_reach(const WorldState& s, std::size_t k);  // as of other bodies (pairs.cpp)

// pairs.cpp
void find_pairs(WorldState& s);
// Which pairs can touch in this step.
void screen_pairs(WorldState& s, const StopRequest* stop = nullptr);

// islands.cpp
void build_islands(WorldState& s);

// collect.cpp
void collect(WorldState& s);  // next motions and contacts become the present ones, unless not finite

// sleep.cpp
bool is_awake(const WorldState& s, std::uint32_t body);      // or moves by itself
bool sleeps_through(const WorldState& s, std::size_t pair);  // neither end can move in this step
bool wake_islands(WorldState& s);                            // before they are advanced; whether any woke
void fall_asleep(WorldState& s);                             // at the end of a step
bool sleeps_on(const WorldState& s);                         // whether the next step changes nothing
void wake(WorldState& s, std::span<const std::uint32_t> bodies);  // and what they touch or are joined to
void wake_all(WorldState& s);
bool wake_due_forces(WorldState& s);  // bodies of forces that begin or end in the next step; whether any
// Most that gravity, the force set by commands and the scene's forces can accelerate a body by, m/s^2.
inline double pull_of(const WorldState& s, std::size_t body) {
    return body < s.islands.pull.size() ? s.islands.pull[body]
                                        : length(external_acceleration(s.bodies, body, s.gravity));
}

// dormant.cpp
void update_active_lists(WorldState& s);  // when they have changed
// Adds the pairs of colliders of which one is active and one is dormant; all stay sorted.
void find_dormant_pairs(WorldState& s);
void activate(WorldState& s, std::span<const std::uint32_t> bodies);  // and their islands
void activate_all(WorldState& s);
bool activate_touched(WorldState& s);  // what can touch an active body or is joined to one; whether any
// Renumbers, before active bodies are removed.
void forget_bodies(WorldState& s, std::span<const std::uint8_t> is_dead);
void note_news(WorldState& s);  // before events are delivered: a body that has any is not quiet
void settle(WorldState& s);     // at the end of a step: quiet islands may become dormant

// events.cpp
void update_nodes(WorldState& s, Unchanged kept = {});  // the graph's nodes, likewise
bool has_sensor(const WorldState& s);
bool is_sensor_pair(const WorldState& s, std::size_t pair);
void deliver_events(WorldState& s);  // at the end of a step

// view.cpp: what lower layers see
WorldView view_of(WorldState& s);
WatchView watch_view_of(WorldState& s);
granular::GrainsView grains_view_of(const WorldState& s);

// among_grains.cpp
// A step in which grains push bodies: `advance` from pairs to next motions, substep by substep.
void advance_among_grains(WorldState& s, const std::function<void()>& advance);

// step.cpp
struct Interruption;
// False: it was interrupted, and the state is that before the step.
bool step_world(WorldState& s, Interruption* interruption = nullptr);

// frame.cpp
void fill_frame(WorldState& s);
JointReaction reaction_of(const WorldState& s, std::size_t joint);

// checkpoint.cpp
std::uint64_t hash_state(const WorldState& s);
std::vector<std::byte> write_checkpoint(const WorldState& s);
void read_checkpoint(WorldState& s, std::span<const std::byte> bytes);

// branch.cpp
// The state of one world into another that was just built from a changed scene; throws InputError.
void carry_over(const WorldState& from, WorldState& to);

}  // namespace impuls
