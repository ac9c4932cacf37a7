// Random mechanisms: bodies of random shapes, sizes and masses (ratios to 10^4) on a jittered grid, joined by
// a random tree of random joints with some loops on top, and thrown about. Every joint of the family takes
// part but motors: points and directions of its description are found by their fields, so most new joints
// need no line here.
#pragma once

#include <cstdint>

#include "impuls/scene.h"

namespace impuls {

struct MechanismKind {
    bool has_floor = false;  // and gravity; otherwise free in space
    bool has_loops = false;
    int only = -1;  // number of the one kind of joint; -1: all kinds
};

Scene random_mechanism(std::uint64_t seed, const MechanismKind& kind);

}  // namespace impuls
