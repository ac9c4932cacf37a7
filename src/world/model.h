// What a world was made from, and what never changes in a step: commands alone change it. Constants of bodies
// and joints lie beside their state (dynamics/body_set.h, joint.h), since a body has one number for both.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/id_table.h"
#include "dynamics/contact_law.h"
#include "impuls/executor.h"
#include "impuls/settings.h"
#include "scene/descriptions.h"

namespace impuls {

// Colliders of all bodies, one behind the other (build.cpp).
struct ColliderNumbers {
    std::vector<std::uint32_t> body{}, number{};  // by collider: its body, its number in it
    std::vector<std::uint64_t> ids{};             // ascending, never used again
    std::vector<std::uint32_t> first{};           // by body, and one end
};

struct Model : WorldIds {
    std::shared_ptr<Executor> executor{};
    Method method{};
    double dt = 0;  // s: a step, the interval between frames
    Descriptions described{};
    ContactLaws laws{};  // of each two materials
    ColliderNumbers numbers{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        connected{};  // bodies that a joint keeps from colliding, ascending
};

}  // namespace impuls
