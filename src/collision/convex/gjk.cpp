// GJK (gjk.h).
#include "collision/convex/gjk.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

constexpr int kMaxIterations = 200;
constexpr double kGap = 1e-14;       // duality gap relative to the size
constexpr double kTouching = 4e-15;  // nearer than this, relative to the size, the direction is rounding

void start(MinkowskiDifference& difference, Simplex& s) {
    const Vec3 to_b = difference.in_a(difference.b.center) - difference.a.center;
    s.push(difference.support(length_squared(to_b) > 0 ? to_b : Vec3{1, 0, 0}));
}

}  // namespace

GjkResult gjk(MinkowskiDifference& difference, Simplex& s, double give_up_beyond, double enough) {
    GjkResult out;
    if (s.count == 0) start(difference, s);
    if (reduce(s, false)) return {GjkResult::Kind::Overlap};
    const double scale = difference.scale() + length(difference.p_AB);
    double vv = dot(s.v, s.v);
    for (;; ++out.iterations) {
        const double distance = std::sqrt(vv);
        if (distance <= kTouching * scale) return {GjkResult::Kind::Overlap, true, 0, out.iterations};
        if (distance <= enough) return out;
        const MinkowskiPoint p = difference.support(-s.v);
        const double bound = dot(s.v, p.w) / distance;
        out.lower_bound = std::max(out.lower_bound, bound);
        if (bound > give_up_beyond) return {GjkResult::Kind::Beyond, true, bound, out.iterations};
        // Without progress: apart when -v separates at all, otherwise the origin is inside a thin
        // tetrahedron.
        const auto stalled = [&] { return out.kind = bound > 0 ? out.kind : GjkResult::Kind::Overlap, out; };
        if (distance - bound <= kGap * scale) return out;
        if (s.holds(p.w)) return stalled();
        if (out.iterations == kMaxIterations) return out.ok = false, out;
        const Simplex before = s;
        s.push(p);
        if (reduce(s, true)) return {GjkResult::Kind::Overlap, true, 0, out.iterations};
        const double next = dot(s.v, s.v);
        if (!(next < vv)) return s = before, stalled();
        vv = next;
    }
}

}  // namespace impuls
