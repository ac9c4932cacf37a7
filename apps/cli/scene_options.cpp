// Scene file and overrides (scene_options.h).
#include "cli/scene_options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/number_check.h"
#include "cli/shipped.h"
#include "impuls/scene_file.h"

namespace impuls::cli {

void add_overwrite_option(CLI::App& app, bool& overwrite) {
    app.add_flag("--overwrite", overwrite, "Replace what exists");
}

Existing existing_files(bool overwrite) {
    return overwrite ? Existing::Replace : Existing::Refuse;
}

void add_set_option(CLI::App& app, std::vector<std::string>& set) {
    app.add_option("--set", set,
                   "Change a value of the scene, e.g. settings.dt=0.001, variables.n=20; repeatable")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

void SceneOptions::add_to(CLI::App& app) {
    add_scene_argument(app, file, "scene", "Scene file")->type_name("SCENE");
    app.add_option("--until", until, "Simulated time to reach (default: settings.duration)")
        ->check(seconds_from(0))
        ->type_name("SECONDS");
    app.add_option("--dt", dt, "Time step (default: settings.dt)")
        ->check(seconds_above(0))
        ->type_name("SECONDS");
    app.add_option("--threads", threads, "Threads; 0 takes all cores; results do not depend on it")
        ->capture_default_str()
        ->check(whole_number(0, 4096))
        ->type_name("N");
    add_set_option(app, set);
}

namespace {

Overrides parse_changes(const std::vector<std::string>& set) {
    Overrides overrides;
    for (const std::string& text : set) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw InputError(fmt::format("--set {}: expected path=value, e.g. settings.dt=0.001", text));
        }
        overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return overrides;
}

}  // namespace

Scene load_with(const std::string& file, const std::vector<std::string>& set) {
    return load_scene(file, parse_changes(set));
}

void set_method(Scene& scene, const std::string& method) {
    if (method.empty()) return;
    scene.settings.method = parse_method(method);
    // How the old one was written must not come back when the scene is saved in a recording.
    std::erase_if(scene.spellings, [](const auto& s) { return s.first.rfind("/settings/method", 0) == 0; });
}

Overrides SceneOptions::changes() const {
    Overrides all = parse_changes(set);
    if (dt) all.emplace_back("settings.dt", fmt::format("{}", *dt));
    return all;
}

Scene SceneOptions::load(const std::string& method) const {
    Overrides all = changes();
    if (until) all.emplace_back("settings.duration", fmt::format("{}", *until));
    Scene scene = load_scene(file, all);
    set_method(scene, method);
    return scene;
}

std::shared_ptr<Executor> SceneOptions::executor() const {
    return std::make_shared<Executor>(threads);
}

}  // namespace impuls::cli
