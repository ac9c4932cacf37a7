// The face over which a manifold's load is spread, and Coulomb friction on it. Contact points are its
// corners; friction there would resist turning twice as much as it does, and tell slip and spin apart in the
// wrong way. With uniform pressure on the face A, and u = v + w x r the slip at r from its centre,
//     F = mu N mean(u/|u|),   M = mu N mean(r x u/|u|)
// (Farkas, Bartels, Unger and Wolf, Phys. Rev. Lett. 90, 248302, 2003; Goyal, Ruina and Papadopoulos 1991).
// Friction points that are drawn in towards the centre by a factor, with mu times another one, give the same
// F along v and the same M: both follow from the slip (fit). Where nothing slips, M is to give way at mu N
// times the face's mean distance from its centre. Called by the impulse stepper; the blocks have M and F for
// a disk, and ask whether it is one.
#pragma once

#include <array>
#include <span>

#include "base/assert.h"
#include "collision/collider.h"

namespace impuls {

struct Flat {  // in the tangent plane
    double x = 0, y = 0;
};

// Uniform pressure, by its centre and a sample of points around it.
class Patch {
  public:
    static constexpr std::size_t kMostCorners = 8;

    // Of the convex hull; a line where that has no area.
    explicit Patch(std::span<const Flat> points);
    Patch(const Flat& centre, double radius);  // a disk

    const Flat& centre() const { return centre_; }
    double spread() const { return spread_; }  // mean distance from the centre

    // Means of u/|u| along v and of its moment about the centre, for the patch at `size` times its size, with
    // the slip v along (x, y), of length 1, and w.
    struct Friction {
        double force, moment;
    };
    Friction friction(const Flat& along, double v, double w, double size) const;

  private:
    static constexpr std::size_t kRings = 4, kSpokes = 24, kMostSamples = kRings * (kSpokes + kMostCorners);
    struct Sample {
        double x, y, weight;
    };
    void add(double x, double y, double weight) {
        IMPULS_ASSERT_INDEX(count_, kMostSamples);
        samples_[count_++] = {x, y, weight};
    }
    void set_line(const Flat& a, const Flat& b);
    void finish();

    Flat centre_{};
    double spread_ = 0;
    std::size_t count_ = 0;
    std::array<Sample, kMostSamples> samples_{};
};

// A point as the patch is stood for: its place from the centre of the load, and its share of that.
struct PatchPoint {
    Flat at{};
    double share = 0;
};

// How the friction of points is to be changed: their places times `scale`, their coefficient times `grip`.
struct PatchGrip {
    double scale = 1, grip = 1;
};
// Friction at points that gives that of the patch at `size` times its size. `at_rest` is the scale for where
// nothing slips.
PatchGrip fit(const Patch& patch, double size, std::span<const PatchPoint> points, double at_rest,
              const Flat& v, double w);

// Whether points are on the rim of the flat end of a cylinder or cone; then its centre is set.
bool is_rim(const Collider& collider, const Pose& X_WC, const Vec3& normal, std::span<const Vec3> points,
            Vec3& centre);

}  // namespace impuls
