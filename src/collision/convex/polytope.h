// The growing polytope of EPA: triangles with neighbours, outward unit normals and distances of their planes
// from the origin (negative while the origin is outside, which the first tetrahedron allows). Triangles too
// thin to have a normal take over the plane of the face they were cut from and are never chosen.
// Fixed storage: no allocation in a step. Called by epa.cpp.
#pragma once

#include <array>
#include <cstddef>

#include "base/raw_array.h"
#include "collision/convex/minkowski.h"

namespace impuls {

class Polytope {
  public:
    static constexpr int kMaxPoints = 256;
    struct Face {
        std::array<int, 3> corner{};    // counter-clockwise from outside
        std::array<int, 3> neighbor{};  // across the edge from corner k to k + 1
        std::array<int, 3> back{};      // number of that edge in the neighbour
        Vec3 normal{};
        double offset = 0;
        bool alive = false, thin = false;
    };

    // A tetrahedron with volume.
    Polytope(const std::array<MinkowskiPoint, 4>& corners, double scale);

    const Face& nearest_face() const;  // to the origin
    bool is_full() const { return point_count_ == kMaxPoints || face_count_ > kMaxFaces / 2; }
    // Replaces the faces that p sees, beginning with `seen`. False when rounding left no simple border.
    bool expand(const Face& seen, const MinkowskiPoint& p);
    // Weights of the corners at the foot of the origin on the face.
    std::array<double, 3> weights(const Face& face) const;
    const MinkowskiPoint& point(int i) const { return points_[static_cast<std::size_t>(i)]; }

  private:
    static constexpr int kMaxFaces = 4 * kMaxPoints;
    struct Border {
        int face, edge;
    };

    Face& face(int f) { return faces_[static_cast<std::size_t>(f)]; }
    int add_face(int i, int j, int k, const Face* plane_if_thin);
    void link(int f, int edge, int g, int back);
    void collect(int f, int edge, const Vec3& w);
    bool close(int apex);

    double scale_;
    int point_count_ = 0, face_count_ = 0, free_count_ = 0, border_count_ = 0;
    RawArray<MinkowskiPoint, kMaxPoints> points_;
    RawArray<Face, kMaxFaces> faces_;
    RawArray<int, kMaxFaces> free_;
    RawArray<Border, kMaxFaces> border_;
};

}  // namespace impuls
