// From one direction to a full manifold, for any two convex shapes: the features that face each other along
// the normal are clipped against each other (Sutherland-Hodgman) and the gap is measured along the normal.
// Face on face gives a polygon, line on face its stretch, side by side lines two points, all else the pair of
// closest points. Called by all pairs without a form of their own, with the normal from separating axes or
// closest points.
#pragma once

#include "collision/manifold.h"
#include "collision/narrow/feature.h"

namespace impuls::narrow {

// How two convex shapes are nearest to each other, in a's frame.
struct Nearest {
    Vec3 normal;    // from a to b
    Vec3 p_a, p_b;  // closest or deepest points
    double distance;
    NearFeature near_a{}, near_b{};
};

// A normal this close (radians) to a face's is the face's: close to contact a difference of points is noise.
inline constexpr double kSnapNormal = 2e-3;
inline constexpr double kSnapPoint =
    1e-5;  // the same where a point touches: there the normal may turn freely

// The features with which a and b face each other, both in a's frame.
struct Facing {
    Feature a, b;
    int reference = 0;  // 0 none, 1 a's face, 2 b's face
};

// Fills `out` (in W) with points up to `margin` apart from features that face each other along the normal.
// `size` is the length that tolerances are relative to.
bool touch_features(const Facing& facing, const Pose& X_WA, const Nearest& nearest, double size,
                    double margin, Manifold& out);

// Which of the two is the face that clips.
int choose_reference(const Feature& a, const Feature& b, const Vec3& normal);
void place(Feature& feature, const Pose& X);

// The same for two convex colliders: finds the features first.
bool build_manifold(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_AB,
                    const Nearest& nearest, double margin, Manifold& out);

// One reference feature, a face with outward normal, clips the other; both in one frame. Appends to `count`
// points (room for kClipRoom) those of `incident` that are over the reference, with the gap along `outward`,
// a unit vector near the face's normal. Corners at most `snap` outside count as over it and are moved in.
// With reference_is_a the ids are named (reference, incident), else the other way round.
inline constexpr int kClipRoom = 2 * kMaxCorners;
int clip_feature(const Feature& reference, const Feature& incident, const Vec3& outward, double margin,
                 double snap, bool reference_is_a, ManifoldPoint* points);

}  // namespace impuls::narrow
