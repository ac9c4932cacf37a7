// Experiments with grains: each is a scene with parameters, and what is measured in its course. Called by
// experiment.cpp.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "impuls/world.h"

namespace impuls::cli {

using Parameters = std::map<std::string, double>;

struct Parameter {
    const char* name;
    double value;
    const char* about;
};

struct Experiment {
    const char* name;
    const char* about;
    std::vector<Parameter> parameters;
    std::vector<const char*> results;  // names with units
    // A scene file; `seed` is among the parameters.
    std::string (*scene)(const Parameters& p);
    // Runs the world to its end; asks `go_on` after each step.
    std::vector<double> (*measure)(World& world, const Parameters& p, const std::function<bool()>& go_on);
};
std::span<const Experiment> experiments();

}  // namespace impuls::cli
