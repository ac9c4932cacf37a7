// Parsing the arguments with CLI11: help, version, and messages for what cannot be understood.
#pragma once

#include <optional>

#include "cli/subcommands.h"
#include "impuls/errors.h"

namespace impuls::cli {

void describe_program(CLI::App& app);
CLI::App* add_subcommand(CLI::App& app, const Subcommand& command);
// Parses; an exit code when that was all (help, version, an error already reported).
std::optional<int> parse(CLI::App& app, int argc, char** argv);
// Every issue on a line of its own, to stderr.
void print_issues(const InputError& error);

}  // namespace impuls::cli
