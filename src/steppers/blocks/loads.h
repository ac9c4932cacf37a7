// What contacts bear at rest: weights passed down from body to body (from group to group of bodies that
// joints hold together), shared by the contacts below in proportion to their last impulses. Stress that
// contacts only have from one another is not in it.
#pragma once

#include "steppers/blocks/context.h"

namespace impuls::blocks {

// Groups of dynamic nodes that joints hold together.
void group_nodes(Context& c);

// BlockManifold::load of all manifolds.
void estimate_loads(Context& c);

}  // namespace impuls::blocks
