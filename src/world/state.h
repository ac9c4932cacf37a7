// Everything a world owns, and the stages that work on it. Each stage is one function; the order in which
// they make up a step is in step.cpp.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/broad/broad.h"
#include "collision/graph/contact_graph.h"
#include "collision/graph/groups.h"
#include "collision/graph/pair_cache.h"
#include "collision/outline.h"
#include "dynamics/body_set.h"
#include "dynamics/contact.h"
#include "dynamics/contact_law.h"
#include "dynamics/joint.h"
#include "impuls/world.h"
#include "steppers/blocks/step.h"
#include "steppers/view.h"
#include "world/articulated.h"
#include "world/dormant.h"
#include "world/id_table.h"
#include "world/island.h"

namespace impuls {

// From search to search for pairs (pairs.cpp).
struct PairSearch {
    std::vector<Pair> found{};  // by the broad phase; then those that are admitted, chunk by chunk
    std::vector<LastPlace> found_places{};  // of these
    std::vector<std::uint32_t> start{};     // of each chunk among the pairs, and one end
    std::vector<Pair> last{};               // the pairs of the search before
    std::vector<PairKey> last_keys{};       // likewise
    std::vector<LastPlace> places{};        // of the pairs, in these
    bool can_compare = false;               // numbers and rules are those of the search before
};

// Room for islands by blocks, one chunk after the other.
struct BlockRoom {
    Island island{};
    blocks::Scratch scratch{};
    Results results{};
};

struct WorldState {
    // What it was made from.
    std::shared_ptr<Executor> executor{};
    std::shared_ptr<const Scene> first_structure{};  // as expanded from the scene
    Method method{};
    double dt = 0;

    // State that decides the future.
    std::int64_t step = 0;
    Vec3 gravity{};
    BodySet bodies{};
    JointSet joints{};
    ContactPoints contacts{};  // by key
    std::shared_ptr<const Scene> structure{};
    std::size_t timeline_done = 0;
    std::vector<Command> pending{};
    std::vector<Command> journal{};  // applied commands that changed the structure
    ContactGraph graph{};            // nodes are the bodies, then timers; edges decide which events are news

    // Ids and names.
    IdTable<BodyTag> body_ids{};
    IdTable<JointTag> joint_ids{};

    // Neutral: rebuilt from the state whenever needed.
    std::vector<std::uint32_t> collider_body{}, collider_number{};  // one entry a collider of the world
    std::vector<std::uint64_t> collider_ids{};                      // ascending, never used again
    ContactLaws laws{};                                             // of each two materials
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        connected{};                              // bodies that a joint keeps from colliding
    std::vector<std::uint32_t> first_collider{};  // by body, and one end
    InPlay in_play{};
    Dormant dormant{};
    std::vector<std::uint8_t> quiet_steps{};  // by body: for how many nothing changed, up to 255
    // Lists by body and collider hold what is in play now; of the dormant, what they had when they were.
    std::unique_ptr<BroadPhase> broad{};
    std::vector<Aabb> boxes{};
    std::vector<Outline> outlines{};      // by collider
    std::vector<double> collider_size{};  // as in the colliders
    std::vector<Pair> collider_pairs{}, body_pairs{};
    PairSearch search{};
    std::vector<PairKey> pair_keys{};
    std::vector<std::uint32_t> edge_of_pair{};  // in the graph
    PairCache pair_cache{};
    std::vector<NodeRole> roles{};
    std::vector<Pair> contact_edges{};          // body pairs, without those that cannot touch in this step
    std::vector<Pair> joint_edges{};            // of joints in play that hold, then those to their frames
    std::vector<std::uint32_t> edge_joint{};    // its joint; of an edge to a frame, plus the number of joints
    std::vector<std::uint32_t> old_contacts{};  // start of each pair's old points in `contacts`, and one end
    std::vector<std::uint8_t> has_contact{};    // by pair: whether one of these is present
    Groups islands{};
    std::vector<std::uint8_t> island_sleeps{}, is_supported{};  // by island; by body, in the step just done
    bool is_still = false;  // all slept through the last step: so they do until a command comes
    std::vector<std::uint32_t> node_of{};  // of dynamic bodies in their island
    std::vector<std::unique_ptr<IslandWork>> work{};
    std::size_t works_used = 0;  // in this step
    std::vector<std::unique_ptr<ArticulatedWork>> articulated_work{};
    std::vector<std::unique_ptr<BlockRoom>> block_rooms{};
    std::vector<Motion> next{};
    ContactPoints next_contacts{};
    // After a step: of each contact its pair; of each pair its first contact, and one end (empty when
    // contacts came or went since), and whether one of them is present (of the end: none is).
    std::vector<std::uint32_t> contact_pair{}, contact_start{};
    std::vector<std::uint8_t> is_borne{};

    // What is told.
    std::vector<GraphEvent> graph_events{};
    std::vector<std::uint32_t> broken_joints{};  // in the last step
    std::vector<Event> events{};                 // of the last step
    Frame frame{};
    bool frame_is_current = false;
    std::array<double, kStages> stage_seconds{};
    std::vector<std::string> warnings{};
    StepStatus status{};
};

// All contacts and edges in order, of what is in play and of the dormant.
template <class Visit>
void for_each_contact(const WorldState& s, Visit&& visit) {
    visit_merged(
        s.contacts, s.dormant.contacts, [](const auto& c) { return c.is_present; },
        [](const auto& a, const auto& b) { return a.key < b.key; }, visit);
}
template <class Visit>
void for_each_edge(const WorldState& s, Visit&& visit) {
    visit_merged(
        s.graph.edges, s.dormant.edges, [](const auto& e) { return e.is_near; },
        [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }, visit);
}

// Seconds since `start`, which moves to now.
inline double lap(std::chrono::steady_clock::time_point& start) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start).count();
    start = now;
    return seconds;
}

// build.cpp
void build(WorldState& s, std::shared_ptr<const Scene> structure);
void add_body(WorldState& s, const BodyDesc& desc);
void add_joint(WorldState& s, const JointDesc& desc);
void update_numbers(WorldState& s);    // after anything was added or removed
void update_connected(WorldState& s);  // after joints began or ceased to hold
const MaterialDesc& material_of(const Scene& structure, const std::string& name);

// commands.cpp
void check_command(const WorldState& s, const Command& command);  // throws InputError
void apply_command(WorldState& s, const Command& command);        // throws InputError, then nothing changed
bool apply_commands(WorldState& s);                               // due and pending ones; whether any

// pairs.cpp
void find_pairs(WorldState& s);
void screen_pairs(WorldState& s);  // which pairs can touch in this step

// stages.cpp
void build_islands(WorldState& s);
void collect(WorldState& s);  // next motions and contacts become the present ones, unless not finite

// sleep.cpp
bool is_awake(const WorldState& s, std::uint32_t body);      // or moves by itself
bool sleeps_through(const WorldState& s, std::size_t pair);  // neither end can move in this step
bool wake_islands(WorldState& s);                            // before they are advanced; whether any woke
void fall_asleep(WorldState& s);                             // at the end of a step
bool sleeps_on(const WorldState& s);                         // whether the next step changes nothing
void wake(WorldState& s, std::uint32_t body);                // and what it touches or is joined to
void wake_all(WorldState& s);

// events.cpp
void update_nodes(WorldState& s);  // the graph's nodes, after anything was added or removed
bool has_sensor(const WorldState& s);
bool is_sensor_pair(const WorldState& s, std::size_t pair);
void deliver_events(WorldState& s);  // at the end of a step

// view.cpp
WorldView view_of(WorldState& s);

// step.cpp
void step_world(WorldState& s);
// The substeps of one island: step_impulse.cpp, step_velocity.cpp.
void advance_by_impulses(IslandWork& island, const Method& method, double dt);
void advance_by_velocities(IslandWork& island, const Method& method, double dt);

// frame.cpp
void fill_frame(WorldState& s);

// checkpoint.cpp
std::uint64_t hash_state(const WorldState& s);
std::vector<std::byte> write_checkpoint(const WorldState& s);
void read_checkpoint(WorldState& s, std::span<const std::byte> bytes);

}  // namespace impuls
