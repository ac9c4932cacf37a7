// The commands of `impuls`, one file each. A command describes itself and adds its options to the parser;
// what it returns is run after parsing and gives the exit code. main.cpp holds the list.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace impuls::cli {

enum ExitCode { kOk = 0, kBadInput = 2, kFailed = 3, kFileTrouble = 4, kInterrupted = 130 };

struct Subcommand {
    const char* name;
    const char* about;
    const char* examples;
    std::function<int()> (*prepare)(CLI::App& app);
};

Subcommand run_command();
Subcommand check_command();
Subcommand schema_command();
Subcommand list_command();
Subcommand info_command();
Subcommand export_command();
Subcommand plot_command();
Subcommand show_command();
Subcommand replay_command();
Subcommand compare_command();
Subcommand validate_command();
Subcommand query_command();
Subcommand assemble_command();
Subcommand sweep_command();
Subcommand experiment_command();
Subcommand completion_command();
Subcommand man_command();

}  // namespace impuls::cli
