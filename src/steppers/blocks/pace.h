// How finely a step is divided: passes follow from speeds, substeps from the loads of contacts.
#pragma once

#include "steppers/blocks/context.h"

namespace impuls::blocks {

// So many that pairs, and joints, whose rows are frozen within a pass, move in it by no more than they may
// (98th percentile). More than kMostPasses: few bodies, and a fast one among them.
int count_passes(const Context& c);

// So many that contacts at rest sag by no more than Fineness::sag of their size.
int count_substeps(const Context& c);

}  // namespace impuls::blocks
