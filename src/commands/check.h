// Whether a command can be applied as pending commands will leave the world, and what it says with all
// defaults: then it is applied without another look. Called by World::apply and at the start of a step.
#pragma once

#include "commands/queue.h"
#include "impuls/command.h"

namespace impuls {

// Checks and completes a command and notes it in the plan. Throws InputError; the plan is then to be dropped.
void prepare(const PresentWorld& now, CommandPlan& plan, CommandWork& work, Command& command);
// Whether it could be applied now; throws InputError.
void check_command(const PresentWorld& now, const Command& command);
// The command after those of the timeline that are due, and the pending ones; throws InputError, and then
// nothing has changed.
Command prepared(const PresentWorld& now, CommandQueue& queue, const Command& command);
// Checks what is due, and whatever is pending and not checked yet; what is wrong is among the due ones.
void check_due(const PresentWorld& now, CommandQueue& queue);

// The force that a Drag of this body is.
std::string drag_name(const std::string& body);
// The joint as it is after the command; throws InputError.
JointDesc changed_axis(JointDesc joint, const SetAxis& command);

}  // namespace impuls
