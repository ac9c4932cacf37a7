// Layers of an island that stands: its edges (pairs with contact points, and joints) by height above what
// supports it (collision/graph/stack_layers.h). Solving them one after the other from the ground up carries
// loads through a stack that sweeps over all of it would not (Erleben 2005, section 6.4).
#pragma once

#include "steppers/substep/context.h"

namespace impuls::substep {

// Lists the edges: pairs with present points, and joints.
void list_edges(Substep& s);
// Sorts them into layers; static and kinematic bodies support.
void find_layers(Substep& s);
// The lower bodies of a layer keep the velocity that was found for them, whatever pushes them.
void hold_lower(Substep& s, std::size_t layer);
void release_lower(Substep& s);

}  // namespace impuls::substep
