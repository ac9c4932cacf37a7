// `--set path=value`: changes in the JSON before anything is evaluated. Called by the scene loader.
#pragma once

#include <json/json.h>

#include <string>
#include <vector>

#include "impuls/scene_file.h"

namespace impuls {

// A changed value: messages about it name the option instead of a place in the file.
struct Overridden {
    std::string path;
    std::string label;  // --set bodies.ball.mass=3
};

std::vector<Overridden> apply_overrides(Json::Value& root, const Overrides& overrides,
                                        std::vector<Issue>& issues);

}  // namespace impuls
