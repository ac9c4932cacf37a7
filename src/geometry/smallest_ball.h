// The smallest ball around points (Welzl, Smallest enclosing disks, balls and ellipsoids, 1991), with the
// move-to-front order of the points that were found outside. Called by sphere trees.
#pragma once

#include <span>

#include "impuls/vec.h"

namespace impuls {

struct Ball {
    Vec3 center{};
    double radius = 0;
};
// Changes the order of the points. The radius is that of the farthest point, so all are inside.
Ball smallest_ball(std::span<Vec3> points);

}  // namespace impuls
