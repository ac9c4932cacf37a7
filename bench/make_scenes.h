// Scene files that are too irregular for generators: written once by `impuls-bench make-scenes`, and by a
// test again.
#pragma once

#include <string>

namespace impuls::bench {

// 64 hulls of 12 to 20 vertices in turn, n bodies in layers of 16 x 16 in an open box.
std::string polys_scene();
// 2^levels - 1 rods as a binary tree in the horizontal plane, each child turned by 0.7/level rad from its
// parent.
std::string tree_scene(int levels = 7);

}  // namespace impuls::bench
