// `impuls completion` and `impuls man`: scripts for shells and the manual page, both read off the list of
// commands, so that they never differ from the program.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/families.h"
#include "cli/output.h"
#include "cli/subcommands.h"
#include "impuls/errors.h"

namespace impuls::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    const CLI::App* root = &app;
    while (root->get_parent()) root = root->get_parent();
    return root->get_subcommands([](const CLI::App*) { return true; });
}

std::string options_of(const CLI::App& command) {
    std::string words;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
    return words;
}

std::string bash_script(const CLI::App& app) {
    std::string names, cases, families_names;
    for (const CLI::App* command : commands_of(app)) {
        names += (names.empty() ? "" : " ") + command->get_name();
        cases += fmt::format("        {}) options=\"{}\" ;;\n", command->get_name(), options_of(*command));
    }
    for (const Family& family : families())
        families_names += (families_names.empty() ? "" : " ") + std::string(family.name);
    return fmt::format(
        "# Completion of impuls for bash. To load it: source <(impuls completion bash)\n"
        "_impuls() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} options=\n"
        "    COMPREPLY=()\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$word\")\n"
        "        return\n"
        "    fi\n"
        "    case ${{COMP_WORDS[1]}} in\n{}"
        "    esac\n"
        "    if [[ $word == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
        "    elif [[ ${{COMP_WORDS[1]}} == list ]] && ((COMP_CWORD == 2)); then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$word\")\n"
        "    fi\n"
        "}}\n"
        "complete -o default -F _impuls impuls\n",
        names, cases, families_names);
}

// Backslashes and dots at the start of a line mean something to roff.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

std::string manual_page(const CLI::App& app) {
    std::string page =
        ".TH IMPULS 1\n.SH NAME\nimpuls \\- simulate bodies that move and touch\n.SH SYNOPSIS\n.B "
        "impuls\nCOMMAND "
        "[OPTION]...\n.SH DESCRIPTION\nSimulates rigid bodies with joints, contact and friction from scene "
        "files, "
        "records, replays, compares, plots and draws them.\n.SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        page +=
            fmt::format(".SS {}\n{}\n", roff(command->get_name()), roff(command->get_description() + "."));
        for (const CLI::Option* option : command->get_options())
            page += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(option->get_positional())),
                                roff(option->get_description()));
        page += ".PP\n.nf\n" + roff(command->get_footer()) + "\n.fi\n";
    }
    return page +
           ".SH EXIT STATUS\n0 ok, 2 bad input, 3 simulation failed, 4 file or disk, 130 interrupted.\n"
           ".SH FILES\nScenes are JSON with comments; recordings (.impuls) are SQLite files.\n";
}

std::function<int()> prepare_completion(CLI::App& app) {
    const auto shell = std::make_shared<std::string>();
    app.add_option("shell", *shell, "bash or zsh")->required()->type_name("SHELL");
    return [shell, &app] {
        if (*shell != "bash" && *shell != "zsh")
            throw InputError(fmt::format("no completion for '{}'; there is bash and zsh", *shell));
        if (*shell == "zsh") print("autoload -U +X bashcompinit && bashcompinit\n");
        print(bash_script(app));
        return kOk;
    };
}

std::function<int()> prepare_man(CLI::App& app) {
    return [&app] {
        print(manual_page(app));
        return kOk;
    };
}

}  // namespace

Subcommand completion_command() {
    return {"completion", "Print a script that completes commands and options in a shell",
            "  impuls completion bash > ~/.local/share/bash-completion/completions/impuls\n"
            "  source <(impuls completion zsh)",
            prepare_completion};
}

Subcommand man_command() {
    return {"man", "Print the manual page", "  impuls man | man -l -", prepare_man};
}

}  // namespace impuls::cli
