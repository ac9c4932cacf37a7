// `impuls schema`: the JSON Schema of scene files, for editors and validators.
#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "cli/subcommands.h"
#include "impuls/scene_file.h"

namespace impuls::cli {

Subcommand schema_command() {
    return {"schema", "Print the JSON Schema of scene files", "  impuls schema > impuls.schema.json",
            [](CLI::App&) {
                return std::function<int()>([] {
                    const std::string text = scene_schema();
                    print(!text.empty() && text.back() == '\n' ? text : text + "\n");
                    return static_cast<int>(kOk);
                });
            }};
}

}  // namespace impuls::cli
