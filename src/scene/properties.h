// What can be measured of bodies, joints and the like: columns of the engine's groups of a frame, and what is
// derived from them. Called by quantity.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "impuls/frame.h"
#include "scene/frame_groups.h"

namespace impuls {

// A column of the engine's groups, or something derived.
struct Property {
    std::string name;
    int size;  // how many numbers: 1, 3 (a vector), 4 (a quaternion; only its parts have names)
    std::string unit;
    void (*derive)(const Frame& frame, std::size_t index, double* out);
    const FrameGroup* group = nullptr;
    std::size_t column = 0;

    void read(const Frame& frame, std::size_t index, double* out) const {
        if (derive) return derive(frame, index, out);
        const ColumnView view = group->view(frame, column);
        for (int k = 0; k < size; ++k) out[k] = view.number(index, static_cast<std::uint32_t>(k));
    }
};

using Properties = std::vector<Property>;

// The columns of a group, then what is derived.
inline Properties properties_of(const char* name, Properties derived) {
    const FrameGroup* group = find_frame_group(name);
    Properties all;
    for (std::size_t c = 0; c < group->columns.size(); ++c) {
        const ColumnDesc& column = group->columns[c].desc;
        if (group->columns[c].meaning == Meaning::Inner) continue;
        all.push_back({column.name, static_cast<int>(column.size), column.unit, nullptr, group, c});
    }
    all.insert(all.end(), derived.begin(), derived.end());
    return all;
}

}  // namespace impuls
