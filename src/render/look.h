// What a picture is drawn with besides its frame. Called by the renderer and by exporters.
#pragma once

#include "render/camera.h"

namespace impuls {

// How all pictures of a recording look: chosen once, so that they can follow each other.
struct Look {
    Camera camera{};
    Vec3 up{0, 1, 0}, background{};
    double size = 1;  // m, of the whole scene
};

struct PictureSettings {
    int width = 800, height = 600;  // px, kSmallest to kLargest
    int samples = 2;                // each way in a pixel
    bool joints = true, labels = false, axes = false;
};
inline constexpr int kSmallestPicture = 16, kLargestPicture = 4096;

Look choose_look(const Scene& scene, const Aabb& extent, double aspect = 4.0 / 3.0);

}  // namespace impuls
