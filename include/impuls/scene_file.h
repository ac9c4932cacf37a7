// Scene files: JSON with comments. Numbers may be expressions ("2*r"), strings may hold {expressions}.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "impuls/command.h"
#include "impuls/scene.h"

namespace impuls {

/// Changes made while loading, as `--set path=value`: {"settings.dt", "0.001"}, {"variables.n", "20"}.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Reads and validates a file with all its includes. Throws InputError (all problems at once; also for a
/// missing file).
Scene load_scene(const std::string& file, const Overrides& overrides = {});
/// The same from text; `file` is used in messages and as the place includes are relative to.
Scene parse_scene(const std::string& text, const std::string& file = "scene",
                  const Overrides& overrides = {});

/// The scene as text, with generators, variables, expressions and comments as they were written.
std::string to_json(const Scene& scene);
void save_scene(const Scene& scene, const std::string& file);

/// Commands as one line of JSON, for recordings.
std::string to_json(const Command& command);
Command parse_command(const std::string& text);

/// The JSON Schema (draft 7) of scene files.
std::string scene_schema();

}  // namespace impuls
