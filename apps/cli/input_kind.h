// What a file is that may be a scene or a recording. Called by `impuls info` and `impuls show`.
#pragma once

#include <string>

namespace impuls::cli {

// Recordings are SQLite files; a scene file is text. Throws InputError where there is no file.
bool is_recording(const std::string& file);

}  // namespace impuls::cli
