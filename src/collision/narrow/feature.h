// The part of a convex shape's surface that faces a direction: a face, a straight line or a point, with names
// for its corners, edges and itself. Round shapes give what is straight on them: the line along a capsule,
// cylinder or cone, a cap as an octagon whose corners are fixed to the body (so that ids last) but for the
// deepest rim point of a tilted cap. Called by the contact builder for all pairs without a form of their own.
#pragma once

#include <array>
#include <cstdint>

#include "base/assert.h"
#include "base/raw_array.h"
#include "collision/collider.h"
#include "impuls/vec.h"

namespace impuls::narrow {

inline constexpr int kMaxCorners = 16;  // faces with more are thinned out evenly

struct Feature {
    int count = 0;         // corners: 1 point, 2 line, 3 or more a face, counter-clockwise from outside
    Vec3 normal{};         // outward: of the face; else the direction asked for
    std::uint32_t id = 0;  // of the face
    RawArray<Vec3, kMaxCorners> points;
    std::array<std::uint32_t, kMaxCorners> corner_id;  // of each corner
    std::array<std::uint32_t, kMaxCorners> edge_id;    // of the edge from this corner to the next

    void add(const Vec3& p, std::uint32_t corner, std::uint32_t edge) {
        IMPULS_ASSERT_INDEX(count, kMaxCorners);
        const auto k = static_cast<std::size_t>(count++);
        points[k] = p, corner_id[k] = corner, edge_id[k] = edge;
    }
};

// Ids of single features: unique within a shape.
constexpr std::uint32_t corner_name(std::uint32_t k) {
    return k;
}
constexpr std::uint32_t edge_name(std::uint32_t k) {
    return 0x40000000u | k;
}
constexpr std::uint32_t face_name(std::uint32_t k) {
    return 0x80000000u | k;
}
// One id for a pair of them: a fixed 32-bit mix.
constexpr std::uint32_t pair_name(std::uint32_t a, std::uint32_t b) {
    std::uint32_t h = a * 0x9e3779b1u + 0x7f4a7c15u;
    h ^= h >> 15;
    h = (h + b) * 0x85ebca77u;
    h ^= h >> 13;
    h *= 0xc2b2ae3du;
    return h ^ h >> 16;
}

// What is known of a polyhedron's facing feature: any vertex, best one close to it, where the search starts;
// and the face, where n is a face's own normal.
struct NearFeature {
    std::uint32_t vertex = 0;
    std::int64_t face = -1;  // below 0: not known
};

// Features this close (radians) to lying on each other are clipped, not touched in one point.
inline constexpr double kFacing = 0.1;

// What of the convex shape faces the unit vector n (both in its frame). Directions within about `flat`
// (radians) of a face's normal or of a line's normals give that face or line. With flat >= 2 a polyhedron
// always gives a face: the one that looks most directly along n, but where an edge lies across n (within
// kFacing) one of the two at that edge.
void facing_feature(const Collider& shape, const Vec3& n, double flat, Feature& out,
                    const NearFeature& near = {});

}  // namespace impuls::narrow
