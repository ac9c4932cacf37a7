// Closest features of two convex polyhedra that are apart, tracked from call to call: a walk over vertices,
// edges and faces that ends where each closest point lies in the other feature's Voronoi cell (Lin, Canny
// 1991; Schinner 1995, 4.2). The steps are those of V-Clip (Mirtich, ACM Trans. Graph. 17, 1998): edges are
// clipped to cells and the sign of the distance's slope at the clip points decides, so that no closest points
// are computed on the way and every step shortens the distance. Planes at an edge's ends are tried before
// those at its sides, and clipping to a face yields a vertex where the nearest border point is one: without
// both rules the walk of Lin and Canny can circle between edge-edge and edge-face pairs. Only the features
// looked at are transformed, so one cycle costs the same for any number of vertices. Called by the bench
// study, queries and granular contact; overlapping pairs are handed to GJK/EPA or clipping.
#pragma once

#include "collision/convex/polyhedron_feature.h"
#include "geometry/polyhedron.h"

namespace impuls {

// Kept by the caller between calls; any pair is a valid start.
struct FeaturePair {
    Feature a{}, b{};
    friend bool operator==(const FeaturePair&, const FeaturePair&) = default;
};

struct FeatureDistance {
    enum class Status : std::uint8_t {
        Apart,
        Penetrating,
        Undecided  // the cycle limit was reached: touching within rounding; ask GJK
    } status = Status::Apart;
    double distance = 0;  // 0 unless apart
    Vec3 p_a{}, p_b{};    // closest points in a's frame, set when apart
    int cycles = 0;       // pairs looked at; 1 when the first pair was right
    int searches = 0;     // scans of all faces, to leave a local minimum below a face or to find an overlap
};

FeatureDistance closest_features(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB,
                                 FeaturePair& pair);

// Vertices facing each other along the line of the centres: a good first pair.
FeaturePair start_features(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB);

}  // namespace impuls
