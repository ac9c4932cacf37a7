// Numbers of options: checks whose complaints say what was typed and what is possible. Used by the commands.
#pragma once

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>

namespace impuls::cli {

CLI::Validator whole_number(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
// Of seconds, at any place of time.
CLI::Validator a_time();
CLI::Validator seconds_from(double least);   // at least
CLI::Validator seconds_above(double least);  // more than
CLI::Validator number_above(double least);

}  // namespace impuls::cli
