// Who advances an island: the only place that decides.
#pragma once

#include "steppers/workspace.h"

namespace impuls {

// Advances the island of the workspace by the first stepper of the list that takes it, and says in the
// outcome who it was and why those before it did not.
Outcome advance_island(const WorldView& view, Workspace& workspace);

}  // namespace impuls
