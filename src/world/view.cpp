// What steppers see of a world (steppers/view.h).
#include "world/state.h"

namespace impuls {

WorldView view_of(WorldState& s) {
    WorldView view{s.method, s.dt, s.gravity, s.bodies, s.joints, s.laws, *s.structure, {}, {}, *s.executor};
    view.colliders = {s.collider_number, s.first_collider, s.outlines, s.collider_size};
    view.pairs = {s.collider_pairs, s.body_pairs, s.pair_keys, s.contacts, s.old_contacts, &s.pair_cache};
    return view;
}

}  // namespace impuls
