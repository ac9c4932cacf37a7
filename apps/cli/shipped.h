// The scenes that come with the program: beside it when it is installed (share/impuls/scenes), else those of
// the source tree it was built from. Called by all commands that read scenes, and by `impuls list scenes`.
#pragma once

#include <filesystem>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace impuls::cli {

// The folder, or an empty path.
std::filesystem::path shipped_scenes();
// What is no file here may be one of theirs: "scenes/examples/crane.json" and "crane" name the same scene
// everywhere. A name that is neither comes back as it is.
std::string scene_file(const std::string& name);
// The positional argument of a command that reads a scene.
CLI::Option* add_scene_argument(CLI::App& app, std::string& file, const std::string& name,
                                const std::string& about);

}  // namespace impuls::cli
