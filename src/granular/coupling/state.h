// The sets of grains of a scene in a world, with its bodies as walls, advanced inside a step of the world by
// substeps of their own. What grains do to a wall is measured; bodies that move freely are pushed by it.
//
//     build.cpp    kinds, laws and first grains, from the scene
//     walls.cpp    obstacles of bodies, and where these go in a step
//     free_bodies.cpp  those that move freely: substeps, and what pushes them
//     feed.cpp     grains that come while it runs
//     step.cpp     one step of the world: feeds, walls, substeps; what is warned of
//     output.cpp   what frames tell
//     visit.h      what hashes and checkpoints hold; restore.cpp: of another world, or read
// Called by worlds, which own a GrainState and give the others a GrainsView of themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/stop.h"
#include "base/warning_log.h"
#include "dynamics/body_set.h"
#include "dynamics/contact_law.h"
#include "granular/system.h"
#include "impuls/columns.h"
#include "impuls/frame.h"
#include "scene/descriptions.h"
#include "scene/grain_sets.h"

namespace impuls::granular {

struct GrainState {
    // In restore.cpp: made in place, g++ 12 takes empty vectors for uninitialised ones.
    GrainState();
    GrainState(const GrainState&);
    GrainState(GrainState&&) noexcept;
    GrainState& operator=(const GrainState&);
    GrainState& operator=(GrainState&&) noexcept;
    ~GrainState();

    System system{};
    std::shared_ptr<const GrainKinds> kinds{};  // null: a world without grains
    std::vector<std::int64_t> made{};           // by set: grains so far
    std::vector<std::uint64_t> uids{};          // of the system's bodies
    std::vector<std::uint32_t> walls{};         // of each of these the number of obstacles
    double substep = 0;                         // the longest
    double reach = 0;                           // m: a grain farther from the origin is lost

    bool is_any() const { return kinds != nullptr; }
};

// What grains may read of a world.
struct GrainsView {
    const BodySet& bodies;
    const ContactLaws& laws;
    const Descriptions& described;
    Vec3 gravity;
    double dt;  // s: a step, the interval between frames
    std::int64_t step;
    Executor& executor;
    const StopRequest* stop = nullptr;          // asked once a substep
    std::span<const Motion> next{};             // by body: after the step
    std::span<const std::uint32_t> advanced{};  // ascending: bodies that have one

    const Scene& parts() const { return described.parts(); }
    double time() const { return static_cast<double>(step) * dt; }
};

// build.cpp
void make_grains(GrainState& state, const GrainsView& view);  // when a world is built
// Draws the next grain of a set.
void add_grain_of(GrainState& state, const GrainsView& view, std::uint32_t set, const Vec3& place);

// walls.cpp
void update_walls(GrainState& state, const GrainsView& view);  // after bodies came or went
void begin_walls(GrainState& state,
                 const GrainsView& view);  // where they are, and how they go on in the step

// free_bodies.cpp
std::size_t place_of_uid(const BodySet& bodies, std::uint64_t uid);  // their number: none
void bind_free_bodies(GrainState& state, const BodySet& bodies);     // masses of those that move freely
bool has_free_bodies(const GrainState& state);
std::int64_t substeps_of(const GrainState& state, double dt);  // of a step with such bodies
// Those that grains touch.
void list_pushed(const GrainState& state, const BodySet& bodies, std::vector<std::uint32_t>& list);
// What grains do to them now, for a time.
void push_bodies(GrainState& state, const GrainsView& view, double time, BodySet& bodies);

// feed.cpp: in a step, before all else
void feed_grains(GrainState& state, const GrainsView& view);

// step.cpp
// Between the steppers and the end of a step: walls go to where they will be, grains with them. Returns what
// went wrong, or "".
std::string advance_grains(GrainState& state, const GrainsView& view);
void watch_grains(const GrainState& state, const GrainsView& view, WarningLog& warnings);

// output.cpp
void fill_grains(const GrainState& state, ColumnGroup& group);
void fill_walls(const GrainState& state, const BodySet& bodies, ColumnGroup& group);
void add_grain_totals(const GrainState& state, const Vec3& gravity, FrameTotals& totals);

// restore.cpp
// A world of a changed scene goes on with the grains of another; throws InputError.
void carry_grains(const GrainState& from, GrainState& to);
// What is wrong with grains that were read, or "".
std::string damage_of(const GrainState& state);

}  // namespace impuls::granular
