// Grains of a frame for drawing: kinds by the structure, places by the frame's group. Called by gather.cpp,
// camera.cpp.
#pragma once

#include <functional>
#include <memory>

#include "geometry/triangles.h"
#include "impuls/frame.h"
#include "scene/grain_sets.h"

namespace impuls {

struct DrawnGrainKind {
    TriangleMesh mesh{};  // about the centre of mass
    Vec3 color{};         // as in files
    double radius = 0;
};

// Kinds of a structure, made anew when it changes; spheres with so many segments around.
class GrainMeshes {
  public:
    const std::vector<DrawnGrainKind>& of(const std::shared_ptr<const Scene>& structure, int segments);

  private:
    std::shared_ptr<const Scene> structure_{};
    int segments_ = 0;
    std::vector<DrawnGrainKind> kinds_{};
};

struct GrainPlaceNow {
    Pose pose{};
    double size = 1;
    std::uint32_t kind = 0;
};
// Of a frame with a group `grains`; those that are not finite are left out.
void for_each_grain(const Frame& frame, const std::function<void(const GrainPlaceNow&)>& visit);

}  // namespace impuls
