// Shadows: a picture of depths as the light sees them. A point is lit by the share of nine neighbours in it
// that are no nearer to the light. Called by picture.cpp.
#pragma once

#include <vector>

#include "render/raster.h"

namespace impuls {

class ShadowMap {
  public:
    // Of everything inside a ball; `size` cells each way.
    ShadowMap(const Vec3& light, const Vec3& center, double radius, int size);
    void add(const Facet& facet);
    // From 0 (shadow) to 1, for a point of a surface with that normal.
    double light_at(const Vec3& p, const Vec3& normal) const;

  private:
    Projection projection_{};
    double radius_;
    std::vector<float> depths_{};
};

}  // namespace impuls
