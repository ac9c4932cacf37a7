// Finding scenes (shipped.h). The program knows where it lies by /proc, as it may be moved after installing.
#include "cli/shipped.h"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "impuls/errors.h"

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

namespace {

// Names that are near to one that does not exist: of files in its folder, and of scenes that come along.
std::string similar(const std::string& name, const fs::path& shipped) {
    std::error_code error;
    const fs::path folder = fs::path(name).parent_path();
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
        known.push_back(entry.path().filename().string());
    if (folder.empty() && !shipped.empty())
        for (const auto& entry : fs::directory_iterator(shipped / "examples", error))
            known.push_back(entry.path().stem().string());
    std::sort(known.begin(), known.end());
    return did_you_mean(fs::path(name).filename().string(), known);
}

}  // namespace

std::string scene_file(const std::string& name) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(name, error)) || name.empty()) return name;
    const fs::path folder = shipped_scenes();
    if (!folder.empty() && !fs::path(name).is_absolute())
        for (const fs::path& file : {folder.parent_path() / name, folder / "examples" / (name + ".json")})
            if (fs::is_regular_file(file, error)) return file.string();
    const std::string near = similar(name, folder);
    if (!near.empty()) throw CLI::ValidationError(name + ": no such file" + near);
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
