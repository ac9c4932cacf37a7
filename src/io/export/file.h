// What exporters share: where they write, and the way through the frames of a recording.
#pragma once

#include <functional>
#include <string>

#include "impuls/export.h"
#include "io/files/output.h"

namespace impuls {

using Progress = std::function<void(double)>;

inline Existing existing(const ExportSettings& settings) {
    return settings.overwrite ? Existing::Replace : Existing::Refuse;
}

// Calls visit(number, frame) for all frames in order and reports progress from `from` to `to`.
void for_each_frame(const Recording& recording, const Progress& progress, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit);

// "frame_000012.obj": the 12th frame of a recording.
std::string frame_file_name(std::size_t number, const char* extension);

}  // namespace impuls
