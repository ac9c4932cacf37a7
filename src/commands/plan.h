// What the world will be when the pending commands have been applied: which names come and which go. Each
// command is checked once, against this; check.cpp fills it, the world empties it when it applies them.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "impuls/command.h"

namespace impuls {

// By name; nothing: it goes.
template <class T>
using PlannedNames = std::unordered_map<std::string, std::optional<T>>;

// A command of the timeline that is due, with all defaults, or why it cannot be applied.
struct DueCommand {
    Command command{};
    std::string problem{};
};

struct CommandPlan {
    bool is_begun = false;  // with what the timeline does before them
    std::size_t noted = 0;  // how many of the pending commands are in it
    std::vector<DueCommand> due{};
    PlannedNames<BodyDesc> bodies{};
    PlannedNames<JointDesc> joints{};  // with the axes that they will have
    PlannedNames<ForceDesc> forces{};
    PlannedNames<MaterialDesc> materials{};
    std::vector<std::pair<MaterialPair, bool>> contacts{};  // whether there will be an entry; the last counts

    // Joints and forces by the names of their bodies, also of such as are gone: made when the first body
    // goes.
    bool has_ends = false;
    std::unordered_map<std::string, std::vector<std::string>> joints_of{}, forces_of{};
};

}  // namespace impuls
