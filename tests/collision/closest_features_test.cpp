// Closest features against brute force; spec granular T2 (coherence) and T3 (correctness), item 2.9 and 4.3.
#include "collision/convex/closest_features.h"

#include <gtest/gtest.h>

#include <vector>

#include "collision/polyhedron_oracle.h"
#include "geometry/grains.h"
#include "support/full_size.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

using Status = FeatureDistance::Status;

Feature random_feature(const PolyhedronView& p, Rng& rng) {
    const auto kind = static_cast<FeatureKind>(rng.next() % 3);
    const std::size_t count = kind == FeatureKind::Vertex ? p.vertices.size()
                              : kind == FeatureKind::Edge ? p.edges.size()
                                                          : p.face_count();
    return {kind, static_cast<std::uint32_t>(rng.next() % count)};
}

// Every body of the source's table turns about its own axis, 1e-3 rad a query.
TEST(SpecGranular, T2_coherence) {
    const int queries = is_long() ? 100'000 : kSlowBuild ? 10'000 : 20'000;
    for (const int vertices : grain_vertex_counts()) {
        const Polyhedron grain = make_grain(vertices);
        FeaturePair pair;
        int one = 0, within_three = 0;
        for (int k = 0; k < queries; ++k) {
            const double t = 1e-3 * k;
            const Pose X_WA{{}, from_axis_angle({1, 0, 0}, t)};
            const Pose X_WB{{1.8, 1.8, 1.8}, from_axis_angle({0, 1, 0}, t)};
            const auto found = closest_features(grain.view(), grain.view(), relative_pose(X_WA, X_WB), pair);
            ASSERT_EQ(found.status, Status::Apart);
            one += found.cycles == 1, within_three += found.cycles <= 3;
        }
        EXPECT_GE(one, 0.97 * queries) << vertices;
        EXPECT_GE(within_three, 0.999 * queries) << vertices;
    }
}

// Cold starts from any of the nine kinds of pairs, with polyhedra of 4 to 16 vertices.
TEST(SpecGranular, T3_separated_pairs_converge_and_are_right) {
    const int wanted = amount(20'000, 1'000'000);
    Rng rng(3, 1);
    Polyhedron a, b;
    int apart = 0;
    for (int k = 0; apart < wanted; ++k) {
        if (k % 50 == 0) {
            a = oracle::random_polyhedron(rng, 4 + static_cast<int>(rng.next() % 13));
            b = oracle::random_polyhedron(rng, 4 + static_cast<int>(rng.next() % 13));
        }
        const Pose X{oracle::random_direction(rng) * rng.uniform(0.8, 4), rng.rotation()};
        FeaturePair pair{random_feature(a.view(), rng), random_feature(b.view(), rng)};
        if (k % 2) pair = start_features(a.view(), b.view(), X);
        const auto found = closest_features(a.view(), b.view(), X, pair);
        const oracle::Placed pa(a, {}), pb(b, X);
        if (found.status == Status::Penetrating) {
            // No direction separates, or only by rounding.
            if (k % 20 == 0) {
                ASSERT_LE(oracle::brute_separation(pa, pb), 1e-12) << k;
            }
            continue;
        }
        ASSERT_EQ(found.status, Status::Apart) << k;
        ++apart;
        ASSERT_NEAR(found.distance, oracle::brute_distance(pa, pb), 1e-12) << k;
        ASSERT_NEAR(length(found.p_a - found.p_b), found.distance, 1e-12);
        const Vec3 q = rotate_inverse(X.orientation, found.p_b - X.position);
        for (const HullPlane& p : a.hull.planes) ASSERT_LE(dot(p.normal, found.p_a), p.offset + 1e-12);
        for (const HullPlane& p : b.hull.planes) ASSERT_LE(dot(p.normal, q), p.offset + 1e-12);
    }
}

TEST(SpecGranular, T3_penetrating_pairs_are_all_seen) {
    const int wanted = amount(10'000, 100'000);
    Rng rng(4, 1);
    Polyhedron a, b;
    int overlapping = 0;
    for (int k = 0; overlapping < wanted; ++k) {
        if (k % 50 == 0) {
            a = oracle::random_polyhedron(rng, 4 + static_cast<int>(rng.next() % 13));
            b = oracle::random_polyhedron(rng, 4 + static_cast<int>(rng.next() % 13));
        }
        const Pose X{oracle::random_direction(rng) * rng.uniform(0, 1.6), rng.rotation()};
        // A point of both is a proof that they overlap: one vertex or the middle of an edge inside, or
        // centres.
        const oracle::Placed pa(a, {}), pb(b, X);
        const auto depth_in = [](const oracle::Placed& p, const Vec3& x) {
            double h = -1e300;
            for (const HullPlane& plane : p.planes) h = std::max(h, dot(plane.normal, x) - plane.offset);
            return h;
        };
        bool proven = false;
        for (const Vec3& v : pa.vertices)
            for (const double t : {0.0, 0.3, 0.6, 1.0})
                proven = proven || depth_in(pb, a.center + (v - a.center) * t) < -1e-12;
        if (!proven) continue;
        ++overlapping;
        FeaturePair pair{random_feature(a.view(), rng), random_feature(b.view(), rng)};
        const auto found = closest_features(a.view(), b.view(), X, pair);
        ASSERT_EQ(found.status, Status::Penetrating) << k;
    }
}

// Polygon faces: boxes in parallel, tilted and edge-on poses, distances in closed form.
TEST(ClosestFeatures, BoxesInSpecialPoses) {
    const Polyhedron box = oracle::box_polyhedron({1, 1, 1});
    const double s = std::sqrt(0.5);
    const Quat turn_z{std::cos(std::acos(-1.0) / 8), 0, 0, std::sin(std::acos(-1.0) / 8)};  // 45 degrees
    struct Case {
        Pose X;
        double distance;
    };
    const std::vector<Case> cases{
        {{{3, 0, 0}, {}}, 1},                               // faces parallel, aligned
        {{{3, 0.5, -0.7}, {}}, 1},                          // shifted
        {{{3, 3, 0}, {}}, std::sqrt(2.0)},                  // parallel edges
        {{{3, 3, 3}, {}}, std::sqrt(3.0)},                  // corners
        {{{4, 0, 0}, turn_z}, 3 - 1 / s},                   // edge over a face
        {{{4, 0, 5}, turn_z}, std::hypot(3 - 1 / s, 3.0)},  // end of that edge past the face's border
    };
    Rng rng(5, 1);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (int start = 0; start < 200; ++start) {
            FeaturePair pair{random_feature(box.view(), rng), random_feature(box.view(), rng)};
            const auto found = closest_features(box.view(), box.view(), cases[i].X, pair);
            ASSERT_EQ(found.status, Status::Apart) << i;
            EXPECT_NEAR(found.distance, cases[i].distance, 1e-14) << i;
            const auto again = closest_features(box.view(), box.view(), cases[i].X, pair);
            EXPECT_EQ(again.cycles, 1);
            EXPECT_EQ(again.distance, found.distance);
        }
    }
}

// The cost of a tracked query does not grow with the number of vertices: no scans, as many cycles.
TEST(ClosestFeatures, TrackedQueriesAreLocal) {
    for (const int vertices : {12, 462}) {
        const Polyhedron grain = make_grain(vertices);
        FeaturePair pair;
        int searches = 0, cycles = 0;
        for (int k = 0; k < 10'000; ++k) {
            const Pose X{{0, 0, 3}, from_axis_angle({1, 0.3, 0.2}, 1e-3 * k)};
            const auto found = closest_features(grain.view(), grain.view(), X, pair);
            if (k > 0) searches += found.searches, cycles += found.cycles;
        }
        EXPECT_EQ(searches, 0);
        EXPECT_LT(cycles, 10'500);
    }
}

}  // namespace
}  // namespace impuls
