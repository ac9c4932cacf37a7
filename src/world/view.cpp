// What steppers (steppers/view.h), the watch (watch/watch.h) and grains (granular/coupling/state.h) see of a
// world.
#include "world/state.h"

namespace impuls {

WorldView view_of(WorldState& s) {
    WorldView view{s.method, s.dt, s.gravity,  s.bodies, s.joints, s.laws, s.described.parts(),
                   {},       {},   *s.executor};
    PairTables& p = s.pairs;
    view.colliders = {s.numbers.number, s.numbers.first, s.colliders.outlines, s.colliders.size};
    view.pairs = {p.colliders, p.bodies, p.keys, s.contacts, p.old_start, &p.cache};
    view.forces = &s.forces;
    view.pull = s.islands.pull;
    view.time = static_cast<double>(s.step) * s.dt;
    view.memories = &s.memories;
    view.surfaces = s.surfaces.get();
    return view;
}

WatchView watch_view_of(WorldState& s) {
    return {view_of(s),
            s,
            s.islands.schedule,
            s.output.watch,
            s.output.warnings,
            s.joints.angle,
            s.islands.groups.free_bodies,
            s.islands.next,
            s.pairs.of_contact,
            s.active.lists.joints};
}

granular::GrainsView grains_view_of(const WorldState& s) {
    return {s.bodies, s.laws,      s.described, s.gravity,      s.dt,
            s.step,   *s.executor, nullptr,     s.islands.next, s.active.lists.bodies};
}

}  // namespace impuls
