// What a world file of AERO says, as it says it: between reading (aero.cpp) and the scene (aero_scene.cpp).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "impuls/errors.h"
#include "impuls/scene.h"

namespace impuls {

// A body, or a part of a composed one, while it is read.
struct AeroBody {
    int line = 0;
    BodyDesc desc{};
    bool is_composed = false;
    std::vector<AeroBody> parts{};
};

struct AeroLink {
    int line = 0;
    std::string type{}, a{}, b{};
    std::vector<double> numbers{};
    Vec3 at_a{}, at_b{};
};

struct AeroForce {
    int line = 0;
    std::string type{}, body{}, target{};
    double from = 0, until = 0, strength = 0;
    Vec3 at{}, at_target{}, vector{};
};

struct AeroWorld {
    double start = 0;  // s
    Vec3 gravity = SettingsDesc{}.gravity;
    std::int64_t seed = 0;
    std::vector<AeroBody> bodies{};
    std::vector<AeroLink> links{};
    std::vector<AeroForce> forces{};
    int later_states = 0;
    std::set<std::string> left_out{};
};

// The scene; what cannot be one is added to the problems.
Scene scene_of(AeroWorld world, const std::string& file, std::vector<Issue>& problems);

}  // namespace impuls
