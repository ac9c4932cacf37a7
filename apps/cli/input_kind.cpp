// Tells recordings from scenes by their first bytes (input_kind.h).
#include "cli/input_kind.h"

#include <string_view>

#include "io/files/input.h"

namespace impuls::cli {

bool is_recording(const std::string& file) {
    const std::string_view magic = "SQLite format 3";
    return read_file_head(file, magic.size()) == magic;
}

}  // namespace impuls::cli
