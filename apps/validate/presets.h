// Laws that every preset is held to, each with bounds of its own: impacts, rolling, friction and rest, as in
// scenes/faults but smaller. A bound that is not a number: the preset promises nothing there.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "validate/law_files.h"

namespace impuls {

inline constexpr double kNoPromise = std::numeric_limits<double>::quiet_NaN();
using PresetBounds = std::array<double, 4>;  // default, accurate, fast, erleben

// One result a preset, called "<preset>: <name>"; `measure` gets a scene's method.
struct PresetLaw {
    const char* name;
    double analytic;
    double dt;
    PresetBounds bounds;
    const char* note;
    std::function<double(const MethodDesc&)> measure;
};
std::vector<LawResult> by_presets(const std::vector<PresetLaw>& laws);

// Runs to the end and returns the largest energy from nothing on the way (base/energy_gain.h).
double run_for_gain(World& world, double seconds);

}  // namespace impuls
