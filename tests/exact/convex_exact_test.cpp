// Convex pairs against exact arithmetic: random poses and near-degenerate ones (parallel faces, touching,
// edges nearly parallel, tilts of 1e-9 to 1e-3 rad). Features, GJK, EPA and separating axes must agree with
// the exact signed distance to 1e-9 of the size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "collision/convex/closest_features.h"
#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/polyhedron_oracle.h"
#include "exact/exact_reference.h"
#include "geometry/grains.h"
#include "support/full_size.h"

namespace impuls {
namespace {

// The rotation that takes the frame (u, n) to (v, m); unit, perpendicular.
Quat frame_to_frame(const Vec3& u, const Vec3& n, const Vec3& v, const Vec3& m) {
    const Mat3 from{u, n, cross(u, n)}, to{v, m, cross(v, m)};
    const Mat3 R = to * transpose(from);
    // Eigenvector by power iteration on Bar-Itzhack's symmetric 4x4 form of the rotation.
    const double K[4][4] = {{R.c0.x + R.c1.y + R.c2.z, R.c1.z - R.c2.y, R.c2.x - R.c0.z, R.c0.y - R.c1.x},
                            {R.c1.z - R.c2.y, R.c0.x - R.c1.y - R.c2.z, R.c1.x + R.c0.y, R.c2.x + R.c0.z},
                            {R.c2.x - R.c0.z, R.c1.x + R.c0.y, R.c1.y - R.c0.x - R.c2.z, R.c2.y + R.c1.z},
                            {R.c0.y - R.c1.x, R.c2.x + R.c0.z, R.c2.y + R.c1.z, R.c2.z - R.c0.x - R.c1.y}};
    double q[4] = {0.5, 0.4, 0.3, 0.2};
    for (int k = 0; k < 200; ++k) {
        double next[4] = {}, norm = 0;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) next[i] += (K[i][j] + (i == j ? 1 : 0)) * q[j];
        for (const double x : next) norm += x * x;
        for (int i = 0; i < 4; ++i) q[i] = next[i] / std::sqrt(norm);
    }
    return normalized(Quat{q[0], q[1], q[2], q[3]});
}

Vec3 any_across(const Vec3& n) {
    return normalized(cross(n, std::abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
}

// Moves b along n until its lowest point is `gap` over a's highest.
Pose placed_over(const Polyhedron& a, const Polyhedron& b, const Quat& q, const Vec3& n, double gap,
                 const Vec3& aside) {
    double high = -1e300, low = 1e300;
    for (const Vec3& v : a.hull.vertices) high = std::max(high, dot(n, v));
    for (const Vec3& v : b.hull.vertices) low = std::min(low, dot(n, rotate(q, v)));
    return {aside - n * dot(aside, n) + n * (high - low + gap), q};
}

double any_of(Rng& rng, std::initializer_list<double> values) {
    return values.begin()[rng.next() % values.size()];
}

Pose face_on_face(const Polyhedron& a, const Polyhedron& b, const Quat& tilt, double gap, Rng& rng) {
    const Vec3 n = a.hull.planes[rng.next() % a.hull.face_count()].normal;
    const Vec3 m = b.hull.planes[rng.next() % b.hull.face_count()].normal;
    const Quat q =
        tilt * frame_to_frame(any_across(m), m, normalized(cross(n, oracle::random_direction(rng))), -n);
    return placed_over(a, b, q, n, gap, oracle::random_direction(rng) * rng.uniform(0, 0.6));
}

Pose edge_along_edge(const Polyhedron& a, const Polyhedron& b, const Quat& tilt, double gap, Rng& rng) {
    const auto frame = [&](const Polyhedron& p, Vec3& u, Vec3& n) {
        const HullEdge& e = p.hull.edges[rng.next() % p.hull.edges.size()];
        u = normalized(p.hull.vertices[e.b] - p.hull.vertices[e.a]);
        n = normalized(p.hull.planes[e.left].normal + p.hull.planes[e.right].normal);
    };
    Vec3 u, n, v, m;
    frame(a, u, n), frame(b, v, m);
    const Quat q = tilt * frame_to_frame(v, m, u, -n);
    return placed_over(a, b, q, n, gap, u * rng.uniform(-0.4, 0.4));
}

Pose random_pose(const Polyhedron& a, const Polyhedron& b, Rng& rng) {
    const double angle = any_of(rng, {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3});
    const double gap = any_of(rng, {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3});
    const Quat tilt = from_axis_angle(oracle::random_direction(rng), angle);
    switch (rng.next() % 4) {
        case 0:
            return face_on_face(a, b, tilt, gap, rng);
        case 1:
            return edge_along_edge(a, b, tilt, gap, rng);
        case 2:
            return {oracle::random_direction(rng) * rng.uniform(0, 1.2), rng.rotation()};
        default:
            return {oracle::random_direction(rng) * rng.uniform(0.5, 3), rng.rotation()};
    }
}

double signed_exact(const oracle::Placed& a, const oracle::Placed& b) {
    const double apart = exact::distance(a.vertices, b.vertices);
    return apart > 0 ? apart : -exact::depth(a.vertices, b.vertices);
}

struct Worst {
    double gjk = 0, axes = 0, features = 0;
    int apart = 0, undecided = 0;
};

void compare(const Polyhedron& pa, const Polyhedron& pb, const Pose& X, Worst& worst,
             const std::string& name) {
    constexpr double kTolerance = 1e-9;
    const double truth = signed_exact({pa, {}}, {pb, X});
    const Closest c =
        closest_points(convex_core(oracle::convex_collider(pa)), convex_core(oracle::convex_collider(pb)), X);
    ASSERT_NEAR(c.distance, truth, kTolerance) << name;
    worst.gjk = std::max(worst.gjk, std::abs(c.distance - truth));
    const double axes = separating_axis(pa.view(), pb.view(), X, 100).separation();
    if (truth <= 0) {
        ASSERT_NEAR(axes, truth, kTolerance) << name;
        worst.axes = std::max(worst.axes, std::abs(axes - truth));
    }
    FeaturePair pair;
    const auto features = closest_features(pa.view(), pb.view(), X, pair);
    if (features.status == FeatureDistance::Status::Apart) {
        ++worst.apart;
        ASSERT_NEAR(features.distance, std::max(truth, 0.0), kTolerance) << name;
        worst.features = std::max(worst.features, std::abs(features.distance - std::max(truth, 0.0)));
    } else {
        // Handed over as overlapping: right to rounding.
        ASSERT_LE(truth, 1e-14) << name << ' ' << static_cast<int>(features.status);
        worst.undecided += features.status == FeatureDistance::Status::Undecided;
    }
}

Polyhedron body(int number) {
    Rng rng(21, 1);
    switch (number) {
        case 0:
            return make_grain(4);
        case 1:
            return oracle::box_polyhedron({0.5, 0.7, 0.4});
        case 2:
            return make_grain(12);
        default:
            return oracle::random_polyhedron(rng, 14);
    }
}

class ExactConvex : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(ExactConvex, SignedDistances) {
    const int poses = is_long() ? 100'000 : 60;
    const auto& [i, j] = GetParam();
    const Polyhedron a = body(i), b = body(j);
    Rng rng(22, static_cast<std::uint64_t>(10 * i + j));
    Worst worst;
    for (int k = 0; k < poses; ++k) {
        compare(a, b, random_pose(a, b, rng), worst, std::to_string(k));
        if (HasFatalFailure()) return;
    }
    RecordProperty("gjk", std::to_string(worst.gjk * 1e15) + "e-15");
    RecordProperty("axes", std::to_string(worst.axes * 1e15) + "e-15");
    RecordProperty("features", std::to_string(worst.features * 1e15) + "e-15");
    RecordProperty("undecided", worst.undecided);
}

std::string pair_name(const testing::TestParamInfo<std::pair<int, int>>& info) {
    constexpr const char* kNames[] = {"tetrahedron", "box", "icosahedron", "hull"};
    return std::string(kNames[info.param.first]) + "_" + kNames[info.param.second];
}

INSTANTIATE_TEST_SUITE_P(Pairs, ExactConvex,
                         testing::Values(std::pair{0, 0}, std::pair{0, 1}, std::pair{0, 2}, std::pair{0, 3},
                                         std::pair{1, 1}, std::pair{1, 2}, std::pair{1, 3}, std::pair{2, 2},
                                         std::pair{2, 3}, std::pair{3, 3}),
                         pair_name);

}  // namespace
}  // namespace impuls
