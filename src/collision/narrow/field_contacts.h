// Collects single contacts of distance fields and sorts them into manifolds: deepest first, contacts whose
// normal is within 26 degrees of a manifold's join it, at most eight manifolds; each keeps at most five
// points: four that are well spread and the deepest (reduce.h). The order depends on depths and sample
// numbers only. Called by the pairs with distance fields.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/manifold.h"

namespace impuls::narrow {

// Samples of b are told from those of a by the highest bit of their feature.
inline constexpr std::uint32_t kSampleOfB = 0x80000000u;

// Two surfaces touch where they face each other. A sample deep in the other solid, near a side that it looks
// at from behind, would push the wrong way: such contacts are left out. `own` is the normal of the sample's
// surface (zero: any), `other` the gradient of the distance that it was tested against.
inline bool faces(const Vec3& own, const Vec3& other) {
    return dot(own, other) < 0.2;
}

class FieldContacts {
  public:
    static constexpr std::size_t kMaxManifolds = 8;
    static constexpr int kPoints = 5;
    static constexpr double kCosine = 0.9;

    // The collection of this thread, emptied; it keeps its memory.
    static FieldContacts& fresh();

    // `normal` from a to b, `on` a point of the surface whose sample this is: `towards` = +1 when the other
    // surface lies `separation` along the normal from it, -1 against it.
    void add(const Vec3& on, const Vec3& normal, double towards, double separation, std::uint32_t feature) {
        all_.push_back({{on + normal * (0.5 * towards * separation), separation, feature}, normal, 0});
    }
    // Appends manifolds; depths that differ by less than `tolerance` count as equal.
    bool emit(double tolerance, std::vector<Manifold>& out);

  private:
    struct Contact {
        ManifoldPoint point{};
        Vec3 normal{};
        std::size_t group = 0;
    };
    std::vector<Contact> all_{};
    std::vector<ManifoldPoint> points_{};
};

}  // namespace impuls::narrow
