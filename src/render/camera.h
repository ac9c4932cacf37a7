// How pictures look at a scene: a camera that sees everything when the scene does not give one. All is in the
// right-handed world; "up" is against gravity. Called by the renderer and by the POV-Ray exporter, so that
// both see the same.
#pragma once

#include <optional>

#include "geometry/aabb.h"
#include "impuls/frame.h"
#include "impuls/scene.h"

namespace impuls {

// Grows a box so that it holds the bodies of a frame but planes; what is not finite is left out.
void grow_extent(Aabb& extent, const Frame& frame);
// What pictures take as the space of a scene: a unit box at the origin where nothing has an extent.
Aabb finished_extent(const Aabb& extent);

// Diagonal of a box, m; 1 when it is a single point.
double size_of(const Aabb& box);

// A right-handed camera: right = forward x up, all three unit vectors.
struct Camera {
    Vec3 location, forward, right, up;
    double tan_half_width = 1;  // tangent of half the horizontal angle of view
    Vec3 light;

    // Where a point is seen, in units of half the picture's width from its middle, right and up; nothing for
    // a point that is not ahead.
    struct Seen {
        double x, y, depth;
    };
    std::optional<Seen> see(const Vec3& p) const;
};

// Against gravity; +y without any.
Vec3 up_of(const Scene& scene);
// Camera and light of the scene; what it leaves out is chosen to see the whole box in a picture of that
// ratio of width to height.
Camera choose_camera(const Scene& scene, const Aabb& extent, double aspect = 4.0 / 3.0);

}  // namespace impuls
