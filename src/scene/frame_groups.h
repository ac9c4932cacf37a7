// The engine's groups of columns as they lie in the arrays of a Frame, and one view for these and for groups
// of programs. A column of the engine is one line of the tables in frame_groups.cpp: the codec of recordings,
// quantities, CSV and JSON find it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "impuls/columns.h"
#include "impuls/frame.h"

namespace impuls {

inline constexpr std::size_t kMostGroups = 64, kMostColumns = 64, kMostNumbers = 64;

constexpr std::size_t bytes_of(NumberType type) {
    return type == NumberType::Float64 ? 8 : type == NumberType::Uint32 ? 4 : 1;
}

// What a number of a column means to somebody who reads it.
enum class Meaning : std::uint8_t {
    Number,
    Body,   // a body's place, or kNoBody: written as its name
    Inner,  // for programs only: not in tables
};

// Where a column lies: numbers of an entry are side by side, entries `stride` bytes apart.
struct ColumnView {
    const ColumnDesc* desc = nullptr;
    const std::byte* data = nullptr;  // nullptr: all 0
    std::size_t stride = 0;
    NumberType type = NumberType::Float64;  // in memory
    Meaning meaning = Meaning::Number;
    const char* heading = nullptr;  // of its parts in a table; nullptr: its name and a dot

    double number(std::size_t entry, std::uint32_t part) const;
};

struct FrameColumn {
    ColumnDesc desc;
    void* (*data)(Frame& frame);  // of the first entry; nullptr when there is none
    std::size_t stride;
    Meaning meaning = Meaning::Number;
    const char* heading = nullptr;
};

enum class EntryNames : std::uint8_t { None, Bodies, Joints, Axes, Forces };

struct FrameGroup {
    const char* name;
    std::size_t (*count)(const Frame& frame);
    void (*resize)(Frame& frame, std::size_t count);
    std::vector<FrameColumn> columns;
    EntryNames entries = EntryNames::None;
    bool is_contact = false;  // left out of recordings without contacts

    ColumnView view(const Frame& frame, std::size_t column) const;
};

// In the order in which they are stored and shown.
const std::vector<FrameGroup>& frame_groups();
// nullptr: there is none of that name.
const FrameGroup* find_frame_group(std::string_view name);
const GroupDesc& desc_of(const FrameGroup& group);

ColumnView view_of(const ColumnGroup& group, std::size_t column);

// Of a program's group. Throws InputError.
void check_group(const GroupDesc& group);

}  // namespace impuls
