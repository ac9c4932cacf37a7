// `impuls run --resume`: from a recording to the world that goes on with it, or that branches off. Used by
// run.cpp.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/scene_options.h"
#include "impuls/resume.h"

namespace impuls::cli {

struct ResumeCommandOptions {
    std::string file{};
    std::optional<double> at{};

    void add_to(CLI::App& app);
    bool is_given() const { return !file.empty(); }
};

// Commands of the recording that are still to be given, each at its step.
struct LaterCommands {
    std::vector<std::pair<std::int64_t, Command>> list{};
    std::size_t next = 0;
    Recorder* recorder = nullptr;  // that does not hold them yet

    void give(World& world);
};

// A world taken up from a recording, and the scene it goes on with.
struct Taken {
    Scene scene{};
    World world;
    std::vector<std::pair<std::int64_t, Command>> commands{};
    std::vector<std::pair<std::string, std::string>> parent{};  // entries in the metadata
};

// A step that was simulated again is not as recorded (exit code 3).
struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What is wrong with the options before anything is read. Throws InputError.
void check_resume(const ResumeCommandOptions& o, const SceneOptions& changes, const std::string& method,
                  const std::optional<std::string>& record);
// Throws InputError, FileError, Difference, Interrupted.
Taken take_up(const ResumeCommandOptions& o, const SceneOptions& changes, const std::string& method,
              bool into_new_file, bool shows_progress);
// Steps from now to a time, or to the scene's end.
std::int64_t steps_left(const World& world, const std::optional<double>& until);

}  // namespace impuls::cli
