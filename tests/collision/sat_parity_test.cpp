// Separating axes against all faces and all pairs of edges one after the other, bit for bit; how far hulls
// reach and whether they are within a distance against the slow ways.
#include <gtest/gtest.h>

#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/narrow/box_polyhedron.h"
#include "collision/polyhedron_oracle.h"
#include "math/cross.h"
#include "support/full_size.h"

namespace impuls {
namespace {

// Every face of p with the vertex of q that is lowest along it.
double slow_faces(const PolyhedronView& p, const PolyhedronView& q, const Mat3& R_PQ, const Vec3& p_PQ) {
    double best = -kNoLimit;
    for (const HullPlane& plane : p.planes) {
        const Vec3 d{dot(R_PQ.c0, plane.normal), dot(R_PQ.c1, plane.normal), dot(R_PQ.c2, plane.normal)};
        const Vec3* lowest = &q.vertices[0];
        for (const Vec3& v : q.vertices)
            if (dot(v, d) < dot(*lowest, d)) lowest = &v;
        best = std::max(best, dot(plane.normal, p_PQ + R_PQ * *lowest) - plane.offset);
    }
    return best;
}

// Every pair of edges that make a face of the Minkowski difference.
double slow_edges(const PolyhedronView& a, const PolyhedronView& b, const Mat3& R, const Vec3& p) {
    double best = -kNoLimit;
    for (const HullEdge& e : a.edges)
        for (const HullEdge& f : b.edges) {
            const Vec3 along = a.vertices[e.b] - a.vertices[e.a];
            const Vec3 other = R * (b.vertices[f.b] - b.vertices[f.a]);
            const Vec3 left = a.planes[e.left].normal, right = a.planes[e.right].normal;
            const double bl = dot(-(R * b.planes[f.left].normal), along);
            const double br = dot(-(R * b.planes[f.right].normal), along);
            const double al = dot(left, other), ar = dot(right, other);
            if (bl * br >= 0 || al * ar >= 0 || bl * ar <= 0) continue;
            const Vec3 n = accurate_cross(along, other);
            const double nn = dot(n, n);
            if (nn <= 1e-26 * dot(along, along) * dot(other, other)) continue;
            const double side = dot(n, left) + dot(n, right) < 0 ? -1 : 1;
            const Vec3 between = (p + R * b.vertices[f.a]) - a.vertices[e.a];
            best = std::max(best, side * dot(n, between) / std::sqrt(nn));
        }
    return best;
}

void expect_slow_answer(const PolyhedronView& a, const PolyhedronView& b, const Pose& X, double margin,
                        double worth) {
    const Mat3 R = to_matrix(X.orientation), Rt = transpose(R);
    const double face_a = slow_faces(a, b, R, X.position), face_b = slow_faces(b, a, Rt, -(Rt * X.position));
    const double edges = slow_edges(a, b, R, X.position), faces = std::max(face_a, face_b);
    const SatResult r = separating_axis(a, b, X, margin, nullptr, worth);
    ASSERT_EQ(r.separated, std::max(faces, edges) > margin);
    if (r.separated) return;
    ASSERT_EQ(r.face_a.separation, face_a);
    if (face_b > face_a)
        ASSERT_EQ(r.face_b.separation, face_b);
    else
        ASSERT_LE(r.face_b.separation, face_b);
    // An edge as good as a face to rounding may be left out.
    if (edges > faces + worth + 1e-13 || edges > 1e-13)
        ASSERT_EQ(r.edges.separation, edges);
    else
        ASSERT_LE(r.edges.separation, edges);
}

TEST(SatParity, AllFacesAndEdges) {
    Rng rng(21, 1);
    const int pairs = amount(3000, 100'000);
    for (int k = 0; k < pairs; ++k) {
        const Polyhedron a = oracle::random_polyhedron(rng, 4 + k % 37);  // some of more than 64 edges
        const Polyhedron b =
            k % 5 ? oracle::random_polyhedron(rng, 4 + k % 23) : oracle::box_polyhedron({0.5, 0.7, 0.6});
        const Pose X{oracle::random_direction(rng) * rng.uniform(0.2, 1.8), rng.rotation()};
        for (const double worth : {0.0, 0.01}) expect_slow_answer(a.view(), b.view(), X, 0.05, worth);
        if (HasFatalFailure()) FAIL() << k;
    }
}

// More faces than heights are kept for, and edges than bits.
TEST(SatParity, ManyFaces) {
    Rng rng(21, 2);
    for (int k = 0; k < 12; ++k) {
        const Polyhedron a = oracle::random_polyhedron(rng, 100 + 10 * k),
                         b = oracle::random_polyhedron(rng, 18);
        const Pose X{oracle::random_direction(rng) * rng.uniform(0.6, 1.4), rng.rotation()};
        for (const double worth : {0.0, 0.01}) {
            expect_slow_answer(a.view(), b.view(), X, 0.05, worth);
            expect_slow_answer(b.view(), a.view(), X, 0.05, worth);
        }
        if (HasFatalFailure()) FAIL() << k;
    }
}

TEST(SatParity, BoxesOnTheStack) {
    Rng rng(21, 3);
    for (int k = 0; k < 500; ++k) {
        const narrow::BoxPolyhedron box({0.5, 0.7, 0.6});
        const Polyhedron b = oracle::random_polyhedron(rng, 16);
        const Pose X{oracle::random_direction(rng) * rng.uniform(0.6, 1.6), rng.rotation()};
        expect_slow_answer(box.view(), b.view(), X, 0.05, 0.005);
        if (HasFatalFailure()) FAIL() << k;
    }
}

// Boxes flush with each other: faces of a, of b and edges are equally good, and the first is taken.
TEST(SatParity, EqualFacesGiveTheFirst) {
    const Polyhedron p = oracle::box_polyhedron({0.5, 0.5, 0.5});
    for (const double x : {0.75, 0.9375, 1.0}) {
        const SatResult r = separating_axis(p.view(), p.view(), {{x, 0.125, 0}, {}}, 0.05);
        EXPECT_EQ(r.axis, SatAxis::FaceA);
        EXPECT_EQ(r.separation(), x - 1);
        EXPECT_EQ(p.hull.planes[r.face_a.face].normal, (Vec3{1, 0, 0}));
    }
}

TEST(SatParity, WithinIsTheVerdictOfDistance) {
    Rng rng(21, 4);
    int within = 0;
    const int pairs = amount(4000, 100'000);
    for (int k = 0; k < pairs; ++k) {
        const Collider a = oracle::convex_collider(oracle::random_polyhedron(rng, 4 + k % 30));
        const Collider b = oracle::convex_collider(oracle::random_polyhedron(rng, 14));
        const Pose X{oracle::random_direction(rng) * rng.uniform(0.8, 2), rng.rotation()};
        const ConvexCore core_a = convex_core(a), core_b = convex_core(b);
        const double distance = closest_points(core_a, core_b, X).distance;
        const Vec3 n = k % 2 ? oracle::random_direction(rng) : normalized(X.position);
        for (const double limit : {0.0, 0.05, 0.3, distance + 1e-9, distance - 1e-9})
            if (limit >= 0) {
                ASSERT_EQ(are_within(core_a, core_b, X, limit, n), distance <= limit) << k << ' ' << limit;
                within += distance <= limit;
            }
    }
    EXPECT_GT(within, pairs / 2);
}

TEST(SatParity, HullsReachAsFarAsTheirVertices) {
    Rng rng(21, 5);
    for (int k = 0; k < 200; ++k) {
        const Collider c = oracle::convex_collider(oracle::random_polyhedron(rng, 4 + k % 50));
        const Vec3 d = oracle::random_direction(rng);
        double most = -kNoLimit;
        for (const Vec3& v : c.polyhedron->hull.vertices) most = std::max(most, dot(v, d));
        ASSERT_EQ(reach_along(c, d), most);
    }
}

}  // namespace
}  // namespace impuls
