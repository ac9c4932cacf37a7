// The GJK distance (Gilbert, Johnson, Keerthi 1988; van den Bergen 1999) of two cores. It stops by the
// duality gap
//   |v| - v.w / |v| <= 1e-14 of the size,   w = support point along -v,
// since v.w / |v| is a lower bound of the distance. Called for closest points and for depths of penetration.
#pragma once

#include <limits>

#include "collision/convex/minkowski.h"
#include "collision/convex/simplex.h"

namespace impuls {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// The simplex nearest to the origin, starting from `s` where that is not empty. Ends early when the
// cores are known to be farther apart than `give_up_beyond`, or nearer than `enough`.
struct GjkResult {
    enum class Kind { Apart, Overlap, Beyond } kind = Kind::Apart;
    bool ok = true;
    double lower_bound = 0;  // of the distance of the cores
    int iterations = 0;
};
GjkResult gjk(MinkowskiDifference& difference, Simplex& s, double give_up_beyond = kNoLimit,
              double enough = 0);

}  // namespace impuls
