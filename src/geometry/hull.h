// Convex hulls of points as polyhedra with polygon faces: coplanar triangles are merged into one face.
// Qhull (Barber, Dobkin, Huhdanpaa 1996) finds the hull on points that are centred and scaled by a power of
// two, so that equal shapes of any size and place give equal topology. The order of vertices, faces and
// edges depends on the order of the points only.
// Called by mass properties, shape checks and tessellation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/assert.h"
#include "impuls/vec.h"

namespace impuls {

// The half-space dot(normal, x) <= offset that holds the body; normal has length 1.
struct HullPlane {
    Vec3 normal;
    double offset = 0;
};

// Vertices a < b; walking from a to b the face `left` is on the left seen from outside.
struct HullEdge {
    std::uint32_t a = 0, b = 0;
    std::uint32_t left = 0, right = 0;
};

struct Hull {
    std::vector<Vec3> vertices;               // input points, bit for bit, in input order
    std::vector<std::uint32_t> source;        // number of each vertex among the input points
    std::vector<std::uint32_t> corners;       // vertex numbers of all faces, one face after the other
    std::vector<std::uint32_t> first_corner;  // where each face begins in `corners`, and the end
    std::vector<HullPlane> planes;            // one a face
    std::vector<HullEdge> edges;              // sorted by (a, b)

    std::size_t face_count() const { return planes.size(); }
    // Vertex numbers counter-clockwise seen from outside, the lowest first.
    std::span<const std::uint32_t> face(std::size_t f) const {
        IMPULS_ASSERT(f + 1 < first_corner.size() && first_corner[f] <= first_corner[f + 1] &&
                      first_corner[f + 1] <= corners.size());
        return {corners.data() + first_corner[f], corners.data() + first_corner[f + 1]};
    }
};

// A hull, or the reason why there is none.
struct HullResult {
    Hull hull;
    std::string error;
    bool ok() const { return error.empty(); }
};
HullResult convex_hull(std::span<const Vec3> points);

}  // namespace impuls
