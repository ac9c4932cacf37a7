// The scenes of the comparison: files in scenes/bench with their sizes, full and quick.
#pragma once

#include <string>
#include <vector>

#include "impuls/scene_file.h"

namespace impuls::bench {

enum class SceneKind {
    Rest,   // starts at rest and should stay: sink, lateral drift and speed are errors
    Pile,   // falls and settles: penetration and lost bodies are errors
    Joints  // swings without loss: joint gap and change of energy are errors
};

struct CatalogScene {
    std::string name{};
    std::string file{};  // in scenes/bench
    SceneKind kind = SceneKind::Rest;
    Overrides size{};   // beyond the file's own values
    Overrides quick{};  // instead, in quick runs
};

const std::vector<CatalogScene>& catalog();
// Throws InputError with the known names.
const CatalogScene& find_scene(const std::string& name);

// The scene file with its size and the user's changes.
Scene load(const CatalogScene& entry, bool is_quick, const Overrides& changes = {});
int step_count(const Scene& scene);

}  // namespace impuls::bench
