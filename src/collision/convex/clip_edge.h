// The part of a segment inside a Voronoi cell, with the neighbour behind each end that was cut (V-Clip's
// clipping, Mirtich 1998, section 4.2), and closest points of two segments. Called by closest_features.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "collision/convex/polyhedron_feature.h"
#include "impuls/vec.h"

namespace impuls {

struct Segment {
    Vec3 start, along;
    Vec3 at(double t) const { return start + along * t; }
};

struct ClippedEdge {
    double low = 0, high = 1;  // low > high: outside through several planes together
    Feature below{}, above{};
    bool cut_low = false, cut_high = false;
    bool outside = false;  // both ends behind one plane, that of `below`

    // Cuts by a plane that is `d0` above the cell at the segment's start and `d1` at its end; positive is
    // out.
    void cut(double d0, double d1, const Feature& neighbor, double slack) {
        if (outside) return;
        if (d0 > slack && d1 > slack) {
            below = neighbor;
            outside = true;
        } else if (d0 > slack) {
            const double t = d0 / (d0 - d1);
            if (t > low) low = t, below = neighbor, cut_low = true;
        } else if (d1 > slack) {
            const double t = d0 / (d0 - d1);
            if (t < high) high = t, above = neighbor, cut_high = true;
        }
    }
};

// Parameters of the closest points of two segments; for parallel ones the middle of the common range. The
// unconstrained minimum is clamped on one segment first, the other follows, then the first again: clamping
// both at once (Lin) gives too large a distance for half of all pairs (Schinner 4.2.2.7).
struct SegmentPair {
    double s = 0, t = 0;
};
SegmentPair closest_on_segments(const Segment& a, const Segment& b);

}  // namespace impuls
