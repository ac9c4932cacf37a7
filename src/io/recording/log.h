// Whether the log beside a recording (-wal) is its own. SQLite applies whatever log bears the right name: the
// one of a recording that was replaced by a copy of another would be mixed into it, and a copy of a recording
// that was killed, without its log, silently lacks what was written last. So recordings have a random
// schema_version (bytes 40 to 43 of page 1), which their logs repeat. Called by the reader.
#pragma once

#include <string>

namespace impuls {

enum class LogState { Fine, Missing, Foreign };

// Throws FileError when what bears the name of a log is not a file.
LogState log_state(const std::string& file);
std::string log_warning(const std::string& file, LogState state);

}  // namespace impuls
