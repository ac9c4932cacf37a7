// What is drawn of joints and forces: rods, ropes, springs and rails as things among the bodies, joints as
// signs that shine through what hides them. Called by picture.cpp.
#pragma once

#include <vector>

#include "impuls/frame.h"
#include "render/facets.h"

namespace impuls {

struct Solid {
    Facets facets{};
    Vec3 color{};
    bool is_sign = false;
};

// `size` is that of the scene, m; signs of joints are fitted to it and to the bodies that they join.
std::vector<Solid> solids_of_joints(const Frame& frame, double size);
std::vector<Solid> solids_of_forces(const Frame& frame, double size);

}  // namespace impuls
