// What commands have in common: the scene file and changes made while loading it; whether files are replaced.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "impuls/executor.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "io/files/output.h"

namespace CLI {
class App;
}

namespace impuls::cli {

struct SceneOptions {
    std::string file{};
    std::optional<double> dt{};
    std::optional<double> until{};
    int threads = 1;
    std::vector<std::string> set{};

    void add_to(CLI::App& app);
    // The scene with --set, --dt, --until and, when not empty, the method applied. Throws InputError.
    Scene load(const std::string& method = {}) const;
    // --set and --dt as changes of a scene.
    Overrides changes() const;
    std::shared_ptr<Executor> executor() const;
};

// Adds the flag --overwrite: without it no file that exists is touched.
void add_overwrite_option(CLI::App& app, bool& overwrite);
Existing existing_files(bool overwrite);

// Adds the repeatable option --set path=value.
void add_set_option(CLI::App& app, std::vector<std::string>& set);
// Replaces the method of a scene, when the text is not empty. Throws InputError.
void set_method(Scene& scene, const std::string& method);

// Loads with changes written as path=value. Throws InputError.
Scene load_with(const std::string& file, const std::vector<std::string>& set);

}  // namespace impuls::cli
