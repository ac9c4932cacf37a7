// The command line `impuls`: one list of commands; each describes itself in its own file (subcommands.h).
#include <csignal>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/subcommands.h"
#include "cli/usage.h"
#include "impuls/errors.h"

using namespace impuls;
using namespace impuls::cli;

namespace {

std::vector<Subcommand> subcommands() {
    return {run_command(),        check_command(), schema_command(),   list_command(),   info_command(),
            export_command(),     plot_command(),  show_command(),     replay_command(), compare_command(),
            validate_command(),   query_command(), assemble_command(), sweep_command(),  experiment_command(),
            completion_command(), man_command()};
}

int run_parsed(const std::function<int()>& command) {
    try {
        return command();
    } catch (const InputError& error) {
        print_issues(error);
        return kBadInput;
    } catch (const FileError& error) {
        complain(error.what());
        return kFileTrouble;
    } catch (const Interrupted&) {
        complain("interrupted; nothing was written");
        return kInterrupted;
    } catch (const std::bad_alloc&) {
        complain("not enough memory");
        return kFailed;
    } catch (const std::exception& error) {
        complain(std::string("internal error: ") + error.what());
        return kFailed;
    }
}

}  // namespace

int main(int argc, char** argv) {
    // A closed pipe and a file that may not grow are errors of a write, not the end of a recording.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app("Impuls: a physics engine and workbench for things that move and touch.", "impuls");
    std::map<CLI::App*, std::function<int()>> actions;
    describe_program(app);
    for (const Subcommand& command : subcommands()) {
        CLI::App* sub = add_subcommand(app, command);
        actions[sub] = command.prepare(*sub);
    }
    const std::optional<int> early = parse(app, argc, argv);
    const int code = early ? *early : run_parsed(actions.at(app.get_subcommands().front()));
    return finish_output() ? code : std::max<int>(code, kFileTrouble);
}
