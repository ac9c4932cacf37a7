// Commands that are still to come: those of the timeline, by time or by condition, and those that were given
// and wait for the next step, checked and with all defaults; and what has changed the structure so far.
// Called by check.cpp and by the world, which keeps one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "commands/plan.h"
#include "commands/present_world.h"
#include "impuls/quantity.h"

namespace impuls {

// How much was done for commands; tests count it, nothing else reads it.
struct CommandWork {
    std::size_t checked = 0;   // descriptions
    std::size_t copied = 0;    // descriptions of a structure that others hold
    std::size_t numbered = 0;  // bodies whose place in the tables was found again
};

// An entry of the timeline with a condition.
struct ConditionalCommand {
    std::size_t entry = 0;
    Quantity condition{};
    std::uint8_t is_done = 0;  // state: it happens once
};

struct CommandQueue {
    std::size_t timeline_done = 0;
    std::vector<ConditionalCommand> conditional{};
    std::vector<Command> pending{};  // from outside
    CommandPlan plan{};
    std::vector<Command> journal{};  // those that changed the structure
    CommandWork work{};
    std::vector<std::uint32_t> woken{};  // scratch space: bodies that commands of a step wake
};

// Visits the commands of the timeline that are due at the start of the next step, and counts them.
template <class Visit>
std::size_t for_due_commands(const PresentWorld& now, const CommandQueue& queue, Visit&& visit) {
    const auto& timeline = now.described.first_parts().timeline;
    std::size_t k = queue.timeline_done;
    for (; k < timeline.size() && now.has_come(timeline[k].time); ++k)
        if (timeline[k].when.empty()) visit(timeline[k].command);
    return k - queue.timeline_done;
}
// Those of the timeline, when a world is built.
std::vector<ConditionalCommand> find_conditions(const Descriptions& described);
// Whether its time has come, and it has not happened yet.
bool may_hold(const PresentWorld& now, const ConditionalCommand& c);
// Of the timeline, or pending; also those that may be due.
bool has_due_commands(const PresentWorld& now, const CommandQueue& queue);

}  // namespace impuls
