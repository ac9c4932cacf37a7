// Whether a command can be applied: to the world as it is, or as pending commands will leave it. Called by
// World::apply and when commands are applied.
#pragma once

#include "impuls/command.h"
#include "world/state.h"

namespace impuls {

// All throw InputError.
void check_command(const WorldState& s, const Command& command);
// After the commands of the timeline that are due, and the pending ones.
void check_pending(WorldState& s, const Command& command);

// With defaults, as it will be in the structure.
BodyDesc checked_body(const WorldState& s, const BodyDesc& desc);
JointDesc checked_joint(const WorldState& s, const JointDesc& desc);
ForceDesc checked_force(const WorldState& s, const ForceDesc& desc);
// The joint as it is after the command.
Joint changed_axis(const WorldState& s, const SetAxis& command);

}  // namespace impuls
