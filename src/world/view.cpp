// What steppers see of a world (steppers/view.h).
#include "world/state.h"

namespace impuls {

WorldView view_of(WorldState& s) {
    WorldView view{s.method, s.dt, s.gravity, s.bodies, s.joints, s.laws, *s.structure, {}, {}, *s.executor};
    const ColliderTables& c = s.colliders;
    PairTables& p = s.pairs;
    view.colliders = {c.number, c.first, c.outlines, c.size};
    view.pairs = {p.colliders, p.bodies, p.keys, s.contacts, p.old_start, &p.cache};
    view.forces = &s.forces;
    view.pull = s.islands.pull;
    view.time = static_cast<double>(s.step) * s.dt;
    view.memories = &s.memories;
    return view;
}

}  // namespace impuls
