// What searches over many pairs need of a collider, in one cache line.
#pragma once

#include "impuls/vec.h"

namespace impuls {

struct alignas(64) Outline {
    Vec3 centre{};      // W, of the collider
    Vec3 v{};           // of its body
    double reach = 0;   // how far the body's surface may get from where its velocity carries it in a step
    double radius = 0;  // of a sphere; 0 for other shapes
};

}  // namespace impuls
