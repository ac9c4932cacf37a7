// The groups of a frame as tables for people: numbers with headings, bodies by name. Called by csv.cpp,
// json.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "impuls/frame.h"
#include "scene/frame_groups.h"

namespace impuls {

// A group as it is in one frame; columns that are for programs only are left out.
struct GroupView {
    const GroupDesc* desc = nullptr;
    EntryNames entries = EntryNames::None;
    std::size_t count = 0;
    std::vector<ColumnView> columns{};
};

// All groups with columns to show, but that of the frame itself.
std::vector<GroupView> groups_of(const Frame& frame);
// "x", "qw", "depth", "force.x": of each number of a column.
std::vector<std::string> headings(const ColumnView& column);
// What an entry is called: a body or joint by its name, an axis as joint.axis; else its number.
std::string entry_name(const Frame& frame, const GroupView& group, std::size_t entry);
// "" when there is none.
std::string body_name_at(const Frame& frame, const ColumnView& column, std::size_t entry);

}  // namespace impuls
