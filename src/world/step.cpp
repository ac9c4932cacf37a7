// One step of a world, in reading order: the interval dt between frames. What an island does in it, with
// substeps of its own choosing, is its stepper's business (steppers/choose.cpp).
#include "dynamics/acting_forces.h"
#include "world/undo.h"

namespace impuls {
namespace {

// Which pairs can touch; dormant islands among them become active first.
void find_touching(WorldState& s, const StopRequest* stop) {
    screen_pairs(s, stop);
    while (activate_touched(s)) {
        find_pairs(s);
        screen_pairs(s, stop);
    }
}

// Islands, and those that something wakes: the woken have more neighbours.
void find_islands(WorldState& s, const StopRequest* stop) {
    build_islands(s);
    while (wake_islands(s)) {
        find_touching(s, stop);
        build_islands(s);
    }
}

void advance_islands(WorldState& s, const StopRequest* stop) {
    WorldView view = view_of(s);
    view.stop = stop;
    StepOutput out{s.islands.next, s.joints, s.bodies};
    s.islands.schedule.advance(view, s.islands.groups, s.islands.is_asleep, out);
}

// Bodies that nothing is near need no substeps.
void advance_free_bodies(WorldState& s) {
    const std::span<const std::uint32_t> list = s.islands.groups.free_bodies;
    s.executor->parallel_for(list.size(), 256, [&](std::size_t begin, std::size_t end) {
        fly_all(s.bodies, list.subspan(begin, end - begin), s.gravity, s.method.integrator, s.dt,
                s.islands.next);
    });
}

void advance_grains(WorldState& s, const StopRequest* stop) {
    if (!s.output.status.ok) return;
    granular::GrainsView view = grains_view_of(s);
    view.stop = stop;
    if (const std::string failure = advance_grains(s.grains, view); !failure.empty())
        s.output.status = {false, failure};
}

// From pairs to next motions.
void advance_all(WorldState& s, StageClock& timed, const StopRequest* stop) {
    find_pulls(s.forces, s.bodies, s.gravity, static_cast<double>(s.step) * s.dt, s.dt, s.islands.pull);

    check_stop(stop);
    find_pairs(s);
    timed(Stage::Pairs);

    find_touching(s, stop);
    timed(Stage::Contacts);

    find_islands(s, stop);
    timed(Stage::Islands);

    if (s.output.watch.checked_uid != s.bodies.next_uid) find_overlaps(watch_view_of(s));
    advance_islands(s, stop);  // timed inside, island by island
    timed.skip();
    advance_free_bodies(s);
    advance_scripts(s);
    advance_grains(s, stop);
    timed(Stage::Integrate);
}

void watch_results(WorldState& s) {
    if (!s.output.status.ok) return;
    watch_step(watch_view_of(s));
    watch_grains(s.grains, grains_view_of(s), s.output.warnings);
}

// A step of a world that sleeps.
void pass_time(WorldState& s) {
    s.output.events.clear();
    s.output.broken_joints.clear();
    s.output.outcomes.clear();
    ++s.step;
}

void take_step(WorldState& s, const StopRequest* stop) {
    s.output.stage_seconds = {};
    StageClock timed(s.output.stage_seconds);

    check_stop(stop);
    EnergyBefore before = begin_ledger(view_of(s));
    const bool has_command = apply_commands(s);
    if (has_command) note_jump(view_of(s), s.ledger, before);
    const bool has_force = wake_due_forces(s);
    if (!begin_scripts(s)) return;
    timed(Stage::Commands);
    if (s.active.is_still && !s.grains.is_any() && !has_command && !has_force) return pass_time(s);
    feed_grains(s.grains, grains_view_of(s));
    if (granular::has_free_bodies(s.grains)) {
        advance_among_grains(s, [&] { advance_all(s, timed, stop); });
    } else {
        advance_all(s, timed, stop);
        collect(s);
    }
    watch_results(s);
    deliver_events(s);
    fall_asleep(s);
    if (s.output.status.ok)
        end_ledger(view_of(s), s.islands.schedule, s.islands.groups.free_bodies, s.islands.next, before,
                   s.ledger);
    settle(s);
    s.active.is_still = sleeps_on(s);
    timed(Stage::Finish);
}

}  // namespace

bool step_world(WorldState& s, Interruption* interruption) {
    if (!interruption) {
        take_step(s, nullptr);
        return true;
    }
    interruption->request.begin_step();
    interruption->undo.keep(s);
    try {
        take_step(s, &interruption->request);
        return true;
    } catch (const StepInterrupted&) {
        interruption->undo.take_back(s);
        place_scripts(s);
        return false;
    }
}

}  // namespace impuls
