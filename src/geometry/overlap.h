// The overlap polyhedron of two convex polyhedra: volume, centroid, area vectors and area moments of both
// sides, and the closed line where the two surfaces meet (granular text, section 3.1; Schinner's plan for
// grain contact). The smaller body is clipped by the planes of the larger one, one plane after the other, on
// a closed surface with shared corners: each corner is put inside, on or outside a plane once, so that the
// surface stays closed whatever the rounding, and errors stay at rounding times size even where faces are
// nearly parallel.
// Identities: area_a + area_b = 0, moment_a + moment_b = 0, dV/dx_b = area_b, dV/dtheta_b = moment_b about
// the point b turns about. Called by granular and areal contact and by the collision component.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/polyhedron.h"
#include "impuls/vec.h"

namespace impuls {

// In a's frame. A patch where both surfaces coincide with the same outward side counts for the body with the
// smaller radius (a if equal).
struct Overlap {
    double volume = 0;
    Vec3 center{};                    // centroid of the overlap
    Vec3 area_a{}, area_b{};          // integral of the outward normal over a's, b's part of the boundary
    Vec3 moment_a{}, moment_b{};      // integral of (r - center) x normal over these parts
    double patch_a = 0, patch_b = 0;  // area of these parts
    double line_length = 0;           // of the intersection line; zero when one body holds the other
};

// The integral of (r - point) x normal, from that about the centroid.
constexpr Vec3 moment_about(const Vec3& point, const Overlap& o, const Vec3& moment, const Vec3& area) {
    return moment + cross(o.center - point, area);
}

// Where a face of the overlap lies.
struct OverlapFace {
    bool of_b = false;
    std::uint32_t face = 0;  // its number in that body
};

// Finds overlaps and keeps the buffers: no allocation once warm. The spans hold until the next call.
class OverlapFinder {
  public:
    // False, and zeros, when the bodies are apart or only touch (up to rounding). X_AB places b in a's frame.
    bool find(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB, Overlap& out);

    std::span<const Vec3> vertices() const { return vertices_; }  // a's frame
    std::size_t face_count() const { return now_.source.size(); }
    OverlapFace source(std::size_t f) const { return now_.source[f]; }
    // Corner k of face f as a vertex number, counter-clockwise from outside.
    std::size_t corner_count(std::size_t f) const { return now_.first[f + 1] - now_.first[f]; }
    std::uint32_t corner(std::size_t f, std::size_t k) const {
        return now_.corners[now_.first[f] + k].vertex;
    }

    // The intersection line as closed polygons, a's part of the surface on the left seen from outside. Loop
    // i is line()[loops()[i]] to line()[loops()[i + 1]], without repeating its first point. Made by
    // trace_line().
    void trace_line();
    std::span<const Vec3> line() const { return line_; }
    std::span<const std::uint32_t> loops() const { return loops_; }

  private:
    struct Corner {
        std::uint32_t vertex = 0, edge = 0;  // the edge to the next corner
    };
    struct Surface {
        std::vector<Corner> corners{};
        std::vector<std::uint32_t> first{};
        std::vector<OverlapFace> source{};
    };
    struct Plane {
        Vec3 normal{};
        double offset = 0, tolerance = 0;
        std::uint32_t face = 0;
    };
    // What the current plane does to an edge that it crosses, and how the new face goes on from there.
    struct Crossing {
        std::uint32_t vertex = 0, next_edge = 0, cap_edge = 0;
        bool met = false, in_cap = false;
    };
    struct LineStep {
        std::uint32_t from = 0, to = 0;
        bool done = false;
    };

    void load(const PolyhedronView& body, const Pose& X_AB);
    bool load_planes(const PolyhedronView& cutter, const Pose& X_AB, const Vec3& center);
    void bound();
    bool misses(const Plane& plane) const;
    bool clip(const Plane& plane);
    void renumber();
    std::uint32_t crossing_vertex(std::uint32_t edge, std::uint32_t kept, std::uint32_t dropped);
    void clip_face(std::size_t f);
    void close(std::size_t begin, OverlapFace source);
    void replace_edge(std::uint32_t old_edge, std::uint32_t edge);
    void add_caps(const Plane& plane);
    void measure(const Vec3& origin, Overlap& out);

    bool cut_by_b_ = false;  // the planes are b's
    double radius_ = 0;      // of the clipped body about its centre
    std::vector<Vec3> vertices_{}, kept_{};
    std::vector<double> height_{};         // over the current plane
    std::vector<signed char> side_{};      // -1 inside, 0 on, 1 outside
    std::vector<std::uint32_t> number_{};  // of each vertex after the cut
    Surface now_{}, next_{};
    std::vector<Plane> planes_{};
    std::vector<Crossing> crossings_{};     // by edge
    std::vector<std::uint32_t> crossed_{};  // edges crossed by the current plane
    Vec3 box_center_{}, box_half_{};
    std::vector<unsigned char> owners_{};  // by edge: bit 0 a face of a, bit 1 a face of b
    std::vector<Vec3> line_{};
    std::vector<std::uint32_t> loops_{};
    std::vector<LineStep> steps_{};
};

}  // namespace impuls
