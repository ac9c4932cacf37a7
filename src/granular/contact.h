// The patch where two solids of a set of grains touch: polyhedra by the edge formula in the slab of the
// pair's axis, spheres in closed form, half-spaces and the tangent planes of curved walls as polyhedra of one
// face. A pair remembers an axis (in a's frame) and the two support vertices along it. Pairs that are apart
// along it cost a few steps of climbing. Where the axis does not separate and the overlap is empty it is
// mended by reflection at the line between the supports (Chung, Wang 1996). Called by contacts.cpp.
#pragma once

#include <cstdint>

#include "geometry/grain_shape.h"
#include "geometry/overlap.h"
#include "granular/kernel/law.h"
#include "granular/kernel/overlap.h"

namespace impuls::granular {

struct PairAxis {
    float x = 0, y = 0, z = 0;  // 0: none yet
    std::uint16_t support_a = 0, support_b = 0;
};

// A grain or an obstacle where it is now.
struct Placed {
    const GrainShape* shape = nullptr;
    Vec3 position{};
    Quat orientation{};
    Mat3 rotation{};  // the same
    double size = 1;
};
struct HalfSpaceNow {
    Vec3 normal{};      // out of the wall
    double height = 0;  // of the plane over a's centre, along the normal
};

class PatchFinder {
  public:
    // False: apart.
    bool between(const Placed& a, const Placed& b, PairAxis& axis, Patch& out);
    bool with_plane(const Placed& a, const HalfSpaceNow& plane, PairAxis& axis, Patch& out);

  private:
    bool polyhedra(const Placed& a, const Placed& b, PairAxis& axis, Patch& out);
    bool sphere_and_polyhedron(const Placed& sphere, const Placed& solid, bool is_sphere_a, Patch& out);
    bool by_clipper(const Placed& a, const Placed& b, Patch& out);

    EdgeOverlap<double> overlap_;
    FeatureMarks marks_{};
    // For what has more near features than there is room for.
    OverlapFinder clipper_{};
    std::vector<Vec3> vertices_{};
    std::vector<HullPlane> planes_{};
};

}  // namespace impuls::granular
