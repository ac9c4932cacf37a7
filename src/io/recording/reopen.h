// Recordings that are written on: made ready for a writer, and what a new row follows. Called by writer.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "impuls/recording.h"

namespace impuls {

struct Reopened {
    RecordOptions options{};                                               // as it was begun with
    std::optional<std::int64_t> last_step{};                               // that has a hash
    std::int64_t structures = 0, layouts = 0, commands = 0, warnings = 0;  // numbers used so far
};

// Merges the log that a killed writer left, and leaves the file ready to be written to. Throws FileError (no
// such file: InputError) when it is no recording, cannot be written, or is open elsewhere.
Reopened reopen_recording(const std::string& file);

}  // namespace impuls
