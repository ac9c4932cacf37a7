// Arguments, help and their errors (usage.h). All parse errors exit with 2, like any bad input.
#include "cli/usage.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "impuls/recording.h"

namespace impuls::cli {
namespace {

// Help without the fine print of CLI11: name, kind of value, meaning, default.
class Help : public CLI::Formatter {
  public:
    Help() { column_width(34); }
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        return type.empty() ? "" : " " + type.substr(0, type.find(':'));
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        const std::string value = option->get_default_str();
        return option->get_description() + (value.empty() ? "" : fmt::format(" (default: {})", value));
    }
};

std::string version_text() {
    std::string text = "impuls";
    for (const auto& [key, value] : build_info()) {
        text += key == "engine" ? fmt::format(" {}", value) : fmt::format("\n{}: {}", key, value);
    }
    return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

// The command a parse error is about: the one that was being parsed, or the program itself.
CLI::App& parsed_command(CLI::App& app) {
    const auto subs = app.get_subcommands();
    return subs.empty() ? app : *subs.front();
}

std::string unexpected_text(const CLI::App& command, const std::string& word) {
    if (word.rfind("-", 0) != 0) return fmt::format("unexpected argument '{}'", word);
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("unknown option {}{}", name, did_you_mean(name, option_names(command)));
}

bool is_of_missing(const CLI::ParseError& error) {
    return dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
}

// The first that must be given and is not, as the help names it.
std::string missing_text(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        const std::string type = option->get_type_name();
        return fmt::format("{} is missing",
                           option->get_positional() ? type : option->get_name() + " " + type);
    }
    return {};
}

int report(CLI::App& app, const CLI::ParseError& error) {
    CLI::App& command = parsed_command(app);
    std::vector<std::string> extras = command.remaining(true);
    if (const auto* unexpected = dynamic_cast<const CLI::ExtrasError*>(&error);
        unexpected && !extras.empty()) {
        for (const std::string& word : extras) complain(unexpected_text(command, word));
    } else if (const std::string missing = missing_text(command); !missing.empty() && is_of_missing(error)) {
        complain(missing);
    } else {
        complain(error.what());
    }
    complain(fmt::format("see impuls {}{}--help", &command == &app ? "" : command.get_name(),
                         &command == &app ? "" : " "));
    return kBadInput;
}

}  // namespace

void describe_program(CLI::App& app) {
    app.formatter(std::make_shared<Help>());
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text, "Version, build and CPU");
    app.set_help_flag("-h,--help", "This help");
    app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
    app.footer(
        "\nExamples:\n"
        "  impuls run newtons-cradle                     (one that comes with Impuls: impuls list scenes)\n"
        "  impuls run tower.json --until 2 --record tower.impuls\n"
        "  impuls export tower.impuls --format csv -o tower.csv\n"
        "\nEvery command has its own --help. Exit codes: 0 ok, 2 bad input, 3 simulation failed (or "
        "warnings,\n"
        "with --strict), 4 file or disk (exists already, full, unreadable), 130 interrupted.");
}

CLI::App* add_subcommand(CLI::App& app, const Subcommand& command) {
    CLI::App* sub = app.add_subcommand(command.name, command.about);
    sub->set_help_flag("-h,--help", "This help");
    sub->footer(std::string("\nExamples:\n") + command.examples);
    return sub;
}

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
    if (argc < 2) {
        complain("no command given; see impuls --help");
        return kBadInput;
    }
    const std::string first = argv[1];
    const std::vector<std::string> names = command_names(app);
    if (first.rfind("-", 0) != 0 && std::find(names.begin(), names.end(), first) == names.end()) {
        if (first == "studio" || first == "bench")
            complain(fmt::format("{} is a program of its own, started from the sources: ./impuls {}", first,
                                 first));
        else
            complain(
                fmt::format("unknown command '{}'{}; see impuls --help", first, did_you_mean(first, names)));
        return kBadInput;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        CLI::App& command = parsed_command(app);
        print(&command == &app ? app.help() : command.help("impuls"));
        return kOk;
    } catch (const CLI::CallForVersion&) {
        print(version_text() + "\n");
        return kOk;
    } catch (const CLI::ParseError& error) {
        return report(app, error);
    }
    return std::nullopt;
}

void print_issues(const InputError& error) {
    for (const Issue& issue : error.issues()) {
        if (issue.file.empty()) {
            complain(issue.text());
        } else {
            std::fputs((issue.text() + "\n").c_str(), stderr);
        }
    }
}

}  // namespace impuls::cli
