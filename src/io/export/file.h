// What exporters share: where they write, and the way through the frames of a recording.
#pragma once

#include <functional>
#include <string>

#include "geometry/aabb.h"
#include "impuls/export.h"
#include "io/files/output.h"

namespace impuls {

inline Existing existing(const ExportSettings& settings) {
    return settings.overwrite ? Existing::Replace : Existing::Refuse;
}

// Calls visit(number, frame) for all frames that the settings choose, in order, and reports progress from
// `from` to `to`. Throws InputError when they choose none of the frames that there are.
void for_each_frame(const Recording& recording, const ExportSettings& settings, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit);

// The box around all bodies but planes, over those frames; an empty recording gives a unit box at the origin.
Aabb find_extent(const Recording& recording, const ExportSettings& settings, double from, double to);

// "frame_000012.obj": the 12th frame of a recording.
std::string frame_file_name(std::size_t number, const char* extension);

}  // namespace impuls
