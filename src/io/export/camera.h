// How pictures look at a recording: the space that its bodies use, and a camera that sees it all when the
// scene does not give one. Everything is in the right-handed world; "up" is against gravity.
#pragma once

#include "geometry/aabb.h"
#include "impuls/scene.h"
#include "io/export/file.h"

namespace impuls {

// The box around all bodies but planes, over all frames; an empty recording gives a unit box at the origin.
Aabb find_extent(const Recording& recording, const Progress& progress, double from, double to);

// Diagonal of a box, m; 1 when it is a single point.
double size_of(const Aabb& box);

// A right-handed camera: right = forward x up, all three unit vectors.
struct Camera {
    Vec3 location, forward, right, up;
    double tan_half_width = 1;  // tangent of half the horizontal angle of view
    Vec3 light;
};

// Camera and light of the scene; what it leaves out is chosen to see the whole box at 4:3.
Camera choose_camera(const Scene& scene, const Aabb& extent);

}  // namespace impuls
