// Closest points of two segments (clip_edge.h).
#include "collision/convex/clip_edge.h"

#include "math/cross.h"

namespace impuls {
namespace {

constexpr double kParallel = 1e-24;  // squared sine

double clamp01(double x) {
    return std::clamp(x, 0.0, 1.0);
}

// Common range of two parallel segments, as seen from a; where there is none, the end nearest to b.
double parallel_parameter(const Segment& a, const Segment& b, double aa) {
    const double t0 = dot(b.start - a.start, a.along) / aa, t1 = t0 + dot(b.along, a.along) / aa;
    return 0.5 * (clamp01(std::min(t0, t1)) + clamp01(std::max(t0, t1)));
}

}  // namespace

SegmentPair closest_on_segments(const Segment& a, const Segment& b) {
    const Vec3 r = a.start - b.start;
    const double aa = dot(a.along, a.along), bb = dot(b.along, b.along), ab = dot(a.along, b.along);
    const double ar = dot(a.along, r), br = dot(b.along, r);
    const Vec3 n = accurate_cross(a.along, b.along);
    const double nn = dot(n, n);
    SegmentPair out;
    // (b x r).n / n.n, not (ab br - ar bb) / n.n, which cancels for nearly parallel segments.
    out.s = nn > kParallel * aa * bb ? clamp01(dot(accurate_cross(b.along, r), n) / nn)
                                     : parallel_parameter(a, b, aa);
    out.t = clamp01((ab * out.s + br) / bb);
    out.s = clamp01((ab * out.t - ar) / aa);
    return out;
}

}  // namespace impuls
