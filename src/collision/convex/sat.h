// Separating axes of two convex polyhedra: the separation along n is that of B's lowest from A's highest
// point, and its maximum over the normals of the faces of A - B is minus the exact depth of an overlap (and a
// lower bound of the distance when apart). Those normals are the faces of A, of B (turned around), and cross
// products of edges whose arcs on the Gauss sphere cross (Gregorius, The separating axis test, GDC 2013).
// Edges are left out by a bound: n on the arc between the normals L and R of an edge of A at p is
// (s L + t R) / |s L + t R| with s, t >= 0, so with any point x of B the separation along n is at most
// (s L.(x-p) + t R.(x-p)) / |s L + t R| <= best when both products are <= min(best, 0).
// Called by the manifold code of polyhedra.
#pragma once

#include <limits>

#include "geometry/polyhedron.h"

namespace impuls {

struct SatFace {
    std::uint32_t face = 0;    // of its own polyhedron
    std::uint32_t vertex = 0;  // of the other one, deepest below the face
    double separation = -std::numeric_limits<double>::infinity();
};

struct SatEdges {
    std::uint32_t edge_a = 0, edge_b = 0;
    Vec3 normal{};  // in a, from a to b
    double separation = -std::numeric_limits<double>::infinity();
};

enum class SatAxis : std::uint8_t { FaceA, FaceB, Edges };

struct SatResult {
    bool separated = false;  // by more than the margin; the search then ends, and only `axis` is set further
    SatAxis axis = SatAxis::FaceA;  // the one of largest separation, in doubt the first
    SatFace face_a{}, face_b{};
    SatEdges edges{};

    double separation() const {
        return axis == SatAxis::FaceA   ? face_a.separation
               : axis == SatAxis::FaceB ? face_b.separation
                                        : edges.separation;
    }
};

// The axis of the last call, tried first: a pair that stays apart costs one support point. It decides only
// whether the search may end early, so `separated` does not depend on it.
struct SatCache {
    SatAxis axis = SatAxis::FaceA;
    std::uint32_t a = 0, b = 0;  // face of a or b, or an edge of each
    bool is_set = false;
};

// Of faces of b only those better than the faces of a are looked for, and edges only where they may be better
// than the faces by more than `worth`, or separate: otherwise `face_b` is some face of b, `edges` some edges
// or none.
SatResult separating_axis(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB, double margin,
                          SatCache* cache = nullptr, double worth = 0);

// Direction of the result's axis, in a, from a to b.
Vec3 sat_normal(const SatResult& result, const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB);

}  // namespace impuls
