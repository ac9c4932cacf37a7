// Finding scenes (shipped.h). The program knows where it lies by /proc, as it may be moved after installing.
#include "cli/shipped.h"

#include <CLI/CLI.hpp>

namespace impuls::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

fs::path shipped_scenes() {
    std::error_code error;
    const fs::path program = folder_of_program();
    for (const fs::path& folder : {program / "../share/impuls/scenes", fs::path(IMPULS_SCENES_DIR)})
        if (fs::is_directory(folder, error)) return fs::canonical(folder, error);
    return {};
}

std::string scene_file(const std::string& name) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(name, error)) || name.empty() || fs::path(name).is_absolute())
        return name;
    const fs::path folder = shipped_scenes();
    if (folder.empty()) return name;
    for (const fs::path& file : {folder.parent_path() / name, folder / "examples" / (name + ".json")})
        if (fs::is_regular_file(file, error)) return file.string();
    return name;
}

CLI::Option* add_scene_argument(CLI::App& app, std::string& file, const std::string& name,
                                const std::string& about) {
    return app
        .add_option(name, file, about + ", or the name of one that comes with Impuls (impuls list scenes)")
        ->required()
        ->transform([](const std::string& given) { return scene_file(given); });
}

}  // namespace impuls::cli
