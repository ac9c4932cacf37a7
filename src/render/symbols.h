// What is drawn of joints and forces: rods, ropes, springs and rails as things among the bodies, joints as
// signs that shine through what hides them. Called by picture.cpp.
#pragma once

#include <vector>

#include "geometry/aabb.h"
#include "impuls/frame.h"
#include "render/facets.h"

namespace impuls {

struct Link {
    Facets facets{};
    Vec3 color{};
    bool is_sign = false;
};

// `size` is that of the scene, m; signs of joints are fitted to it and to the bodies that they join. No line
// has a smaller radius than `thinnest`, m.
std::vector<Link> solids_of_joints(const Frame& frame, double size, double thinnest);
std::vector<Link> solids_of_forces(const Frame& frame, double size, double thinnest);
// Lets a camera that sees the bodies of this extent also see their rails, springs and arrows, where there are
// few of them.
void grow_extent_by_links(Aabb& extent, const Frame& frame);

}  // namespace impuls
