// JSON into described structs, driven by `visit_fields` alone. All problems are collected; what could not be
// read keeps its default and is listed as broken. Called by the scene loader and parse_command.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "impuls/command.h"
#include "impuls/scene.h"
#include "io/scene/text.h"

namespace impuls {

struct ReadProblems {
    std::vector<Issue> issues{};
    std::set<std::string> broken{};  // paths
};

// Fills fields, variables, spellings and places.
ReadProblems read_scene(const SceneText& text, Scene& scene);
// Numbers and strings are taken literally: no expressions, nothing scaled.
ReadProblems read_command(const SceneText& text, Command& command);

}  // namespace impuls
