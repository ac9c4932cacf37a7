// Quantities of groups of columns, the engine's and those of programs: how many entries, a value of one
// entry, and the least, largest, mean or sum over all. Called by quantity.cpp.
//     <group>.count    <group>[3].<column>[.x]    <group>.<column>[.x].<min|max|mean|sum>
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "impuls/quantity.h"

namespace impuls {

// None: the name is not of that kind. `known` collects names that it might have meant.
std::optional<Quantity> find_in_groups(const std::string& name, std::span<const ColumnGroup> groups,
                                       std::vector<std::string>& known);

// The parts of a value by name: "", "x", "y", "z", "magnitude", ... and the columns of a Quantity.
std::vector<std::string> part_names(const ColumnDesc& column);

void add_group_help(std::vector<std::pair<std::string, std::string>>& help);

}  // namespace impuls
