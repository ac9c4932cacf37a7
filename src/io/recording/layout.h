// Which groups and columns the frames of a recording hold, in the order of their bytes. Stored once as JSON
// (table `layouts`), named by number in every frame. Called by frame_codec.cpp, writer.cpp and reader.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "impuls/columns.h"
#include "impuls/frame.h"

namespace impuls {

struct FrameLayout {
    std::uint32_t id = 0;
    std::vector<GroupDesc> groups{};
};

// The engine's groups (without contacts and events when these are left out), then the frame's own.
FrameLayout layout_of(const Frame& frame, bool contacts, std::uint32_t id = 0);
// Whether a frame's own groups are those of the layout.
bool fits(const FrameLayout& layout, const Frame& frame);

std::string layout_text(const FrameLayout& layout);
// From text that may be damaged or hostile. Throws FileError.
FrameLayout parse_layout(const std::string& text, std::uint32_t id);

}  // namespace impuls
