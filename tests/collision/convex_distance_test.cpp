// GJK, EPA, closest features and separating axes agree with brute force, with closed forms and with each
// other.
#include <gtest/gtest.h>

#include <cstdlib>

#include "collision/convex/closest_features.h"
#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/polyhedron_oracle.h"
#include "support/full_size.h"

namespace impuls {
namespace {

Collider simple(ColliderKind kind, const Vec3& half) {
    Collider c;
    c.kind = kind;
    c.half = half;
    c.radius = half.x;
    c.size = std::min({half.x, half.y, half.z});
    return c;
}

// Largest dot(n, x) over the collider, written out independently of the support points.
double support_height(const Collider& c, const Pose& X, const Vec3& n) {
    const Vec3 m = rotate_inverse(X.orientation, n);
    const double flat = std::hypot(m.x, m.z);
    double h = 0;
    switch (c.kind) {
        case ColliderKind::Sphere:
            h = c.radius;
            break;
        case ColliderKind::Box:
            h = std::abs(m.x) * c.half.x + std::abs(m.y) * c.half.y + std::abs(m.z) * c.half.z;
            break;
        case ColliderKind::Capsule:
            h = std::abs(m.y) * c.half.y + c.radius;
            break;
        case ColliderKind::Cylinder:
            h = std::abs(m.y) * c.half.y + flat * c.radius;
            break;
        case ColliderKind::Cone:
            h = std::max(m.y * c.half.y, flat * c.radius - m.y * c.half.y);
            break;
        case ColliderKind::Ellipsoid:
            h = std::sqrt(length_squared(scale(m, c.half)));
            break;
        default:
            h = -1e300;
            for (const Vec3& v : c.polyhedron->hull.vertices) h = std::max(h, dot(m, v));
    }
    return h + dot(n, X.position);
}
double gap(const Collider& a, const Pose& A, const Collider& b, const Pose& B, const Vec3& n) {
    return -support_height(b, B, -n) - support_height(a, A, n);
}

Collider random_collider(int kind, Rng& rng) {
    const double r = rng.uniform(0.3, 1), h = rng.uniform(0.3, 1);
    constexpr ColliderKind kKinds[] = {ColliderKind::Sphere,   ColliderKind::Box,  ColliderKind::Capsule,
                                       ColliderKind::Cylinder, ColliderKind::Cone, ColliderKind::Ellipsoid};
    if (kind == 6) return oracle::convex_collider(oracle::random_polyhedron(rng, 14));
    const bool round = kind != 1 && kind != 5;
    return simple(kKinds[kind], {r, kind == 0 ? r : h, round ? r : rng.uniform(0.3, 1)});
}

// Local search for a direction that is better than the one claimed.
double climb(const Collider& a, const Pose& A, const Collider& b, const Pose& B, Vec3 n, Rng& rng) {
    double best = gap(a, A, b, B, n), step = 0.3;
    for (int k = 0; k < 400 && step > 1e-9; ++k) {
        const Vec3 m = normalized(n + oracle::random_direction(rng) * step);
        const double g = gap(a, A, b, B, m);
        if (g > best)
            best = g, n = m;
        else
            step *= 0.95;
    }
    return best;
}

// Duality certifies a distance: the points are in the bodies, and the normal separates by as much.
TEST(ConvexDistance, AllPairsOfShapesAreCertified) {
    const int poses = amount(300, 20'000);
    for (int ka = 0; ka < 7; ++ka) {
        for (int kb = 0; kb < 7; ++kb) {
            Rng rng(7, static_cast<std::uint64_t>(ka * 7 + kb));
            for (int k = 0; k < poses; ++k) {
                const Collider a = random_collider(ka, rng), b = random_collider(kb, rng);
                const Pose A{oracle::random_direction(rng), rng.rotation()};
                const Pose B{A.position + oracle::random_direction(rng) * rng.uniform(0, 3), rng.rotation()};
                const Closest c = closest_points(a, A, b, B);
                ASSERT_NEAR(length(c.normal), 1, 1e-14);
                ASSERT_NEAR(gap(a, A, b, B, c.normal), c.distance, 2e-9) << ka << kb << ' ' << k;
                ASSERT_LE(length(c.p_b - c.p_a - c.normal * c.distance), 1e-4);
                ASSERT_NEAR(dot(c.p_b - c.p_a, c.normal), c.distance, 1e-9) << ka << kb << ' ' << k;
                for (int i = 0; i < 20; ++i) {
                    const Vec3 n = oracle::random_direction(rng);
                    ASSERT_LE(dot(n, c.p_a), support_height(a, A, n) + 1e-9);
                    ASSERT_LE(dot(n, c.p_b), support_height(b, B, n) + 1e-9);
                }
                if (c.distance >= 0) continue;
                for (int i = 0; i < 100; ++i)
                    ASSERT_LE(gap(a, A, b, B, oracle::random_direction(rng)), c.distance + 2e-9);
                ASSERT_LE(climb(a, A, b, B, c.normal, rng), c.distance + 2e-9) << ka << kb << ' ' << k;
            }
        }
    }
}

TEST(ConvexDistance, FeaturesGjkEpaAndAxesAgree) {
    Rng rng(8, 1);
    const int pairs = amount(1500, 50'000);
    for (int k = 0; k < pairs; ++k) {
        const Polyhedron pa =
            k % 3 ? oracle::random_polyhedron(rng, 12) : oracle::box_polyhedron({0.5, 0.7, 0.9});
        const Polyhedron pb = oracle::random_polyhedron(rng, 4 + k % 17);
        const Pose X{oracle::random_direction(rng) * rng.uniform(0, 2), rng.rotation()};
        const Closest c = closest_points(convex_core(oracle::convex_collider(pa)),
                                         convex_core(oracle::convex_collider(pb)), X);
        const SatResult sat = separating_axis(pa.view(), pb.view(), X, 100);
        FeaturePair pair;
        const auto features = closest_features(pa.view(), pb.view(), X, pair);
        const oracle::Placed a(pa, {}), b(pb, X);
        ASSERT_EQ(features.status == FeatureDistance::Status::Apart, c.distance > 0) << k;
        if (c.distance > 0) {
            ASSERT_NEAR(features.distance, c.distance, 1e-13) << k;
            ASSERT_LE(sat.separation(), c.distance + 1e-14);
        } else {
            ASSERT_NEAR(sat.separation(), c.distance, 1e-13) << k;
            ASSERT_NEAR(oracle::brute_separation(a, b), c.distance, 1e-12) << k;
            ASSERT_LE(length(c.p_b - c.p_a - c.normal * c.distance), 1e-12) << k;
        }
        const Vec3 n = sat_normal(sat, pa.view(), pb.view(), X);
        ASSERT_NEAR(oracle::separation_along(a, b, n), sat.separation(), 1e-13) << k;
    }
}

// Spheres and capsules are cores with a radius: closed forms hold to rounding, concentric ones included.
TEST(ConvexDistance, RoundPairsAreExact) {
    const Collider ball = simple(ColliderKind::Sphere, {0.5, 0.5, 0.5});
    const Collider rod = simple(ColliderKind::Capsule, {0.25, 1, 0.25});
    const Closest same = closest_points(ball, {}, ball, {});
    EXPECT_DOUBLE_EQ(same.distance, -1);
    EXPECT_NEAR(length(same.normal), 1, 1e-15);
    const Quat lying = from_axis_angle({0, 0, 1}, std::acos(-1.0) / 2);
    const Closest crossing = closest_points(rod, {}, rod, {{}, lying});
    EXPECT_DOUBLE_EQ(crossing.distance, -0.5);
    EXPECT_NEAR(std::abs(crossing.normal.z), 1, 1e-12);
    const Closest inside = closest_points(rod, {}, rod, {{0, 0.5, 0}, {}});
    EXPECT_DOUBLE_EQ(inside.distance, -0.5);
    EXPECT_NEAR(inside.normal.y, 0, 1e-12);
    EXPECT_DOUBLE_EQ(closest_points(ball, {}, rod, {{2, 0.3, 0}, {}}).distance, 1.25);
}

// Depth of a point p inside an ellipsoid with half axes h. Its foot is h_i^2 p_i / (t + h_i^2), with t such
// that this is on the ellipsoid: the only root above -min h^2 (Eberly 2013), by bisection in s = t + min h^2.
double depth_in_ellipsoid(const Vec3& p, const Vec3& h) {
    const double least = std::min({h.x * h.x, h.y * h.y, h.z * h.z});
    const auto foot = [&](double s) {
        Vec3 q;
        for (int i = 0; i < 3; ++i) q[i] = h[i] * h[i] * p[i] / (s + (h[i] * h[i] - least));
        return q;
    };
    double low = 0, high = least;
    for (int k = 0; k < 200; ++k) {
        const double s = 0.5 * (low + high);
        const Vec3 q = foot(s);
        const double level =
            length_squared(Vec3{q.x / h.x, q.y / h.y, q.z / h.z});  // 1 on the ellipsoid, falls with s
        (level > 1 ? low : high) = s;
    }
    return length(foot(high) - p);
}

// The depth is almost a radius of curvature, and directions hardly differ.
TEST(ConvexDistance, NearTheCentreOfAnAlmostRoundEllipsoid) {
    Rng rng(12, 1);
    const Collider point = simple(ColliderKind::Sphere, {0, 0, 0});
    for (int k = 0; k < amount(300, 20'000); ++k) {
        const double off_round = std::pow(10, -rng.uniform(0, 3)),
                     off_centre = std::pow(10, -rng.uniform(0, 3));
        Vec3 h;
        for (int i = 0; i < 3; ++i) h[i] = 1 + 0.3 * off_round * rng.uniform(-1, 1);
        const Vec3 p = oracle::random_direction(rng) * (0.7 * off_centre);
        const Closest c = closest_points(simple(ColliderKind::Ellipsoid, h), {}, point, {p, {}});
        ASSERT_NEAR(-c.distance, depth_in_ellipsoid(p, h), 2e-9)
            << k << ' ' << off_round << ' ' << off_centre;
    }
}

TEST(ConvexDistance, TouchingBoxesHaveAFaceNormal) {
    const Collider box = simple(ColliderKind::Box, {1, 1, 1});
    for (const double shift : {2.0, 2 + 1e-15, 2 - 1e-15, 2 + 1e-13, 2 - 1e-13, 2 - 1e-9, 2 + 1e-9}) {
        const Closest c = closest_points(box, {}, box, {{0.3, shift, -0.2}, {}});
        EXPECT_NEAR(c.distance, shift - 2, 1e-15) << shift;
        EXPECT_NEAR(c.normal.y, 1, 1e-6) << shift;
        EXPECT_NEAR(c.p_a.y, 1, 1e-14);
    }
}

TEST(ConvexDistance, CacheChangesRoundingOnly) {
    Rng rng(9, 1);
    const Collider a = oracle::convex_collider(oracle::random_polyhedron(rng, 40));
    for (int kind = 0; kind < 7; ++kind) {
        const Collider b = random_collider(kind, rng);
        GjkCache cache;
        int cold = 0, warm = 0;
        for (int k = 0; k < 500; ++k) {
            const Pose B{{1.6 + std::sin(0.01 * k), 0.3, 0.1}, from_axis_angle({1, 2, 3}, 0.01 * k)};
            const Closest without = closest_points(a, {}, b, B);
            const Closest with = closest_points(a, {}, b, B, &cache);
            ASSERT_NEAR(with.distance, without.distance, 1e-9);
            if (without.distance > 0) cold += without.iterations, warm += with.iterations;
            const Closest again = closest_points(a, {}, b, B);
            ASSERT_EQ(again.distance, without.distance);
            ASSERT_EQ(again.normal, without.normal);
        }
        EXPECT_LE(warm, cold);
    }
}

TEST(ConvexDistance, GivesUpBeyondALimit) {
    const Collider box = simple(ColliderKind::Box, {1, 1, 1});
    const Closest far = closest_points(box, {}, box, {{10, 1, 0}, {}}, nullptr, 2);
    EXPECT_TRUE(far.beyond);
    EXPECT_GT(far.distance, 2);
    EXPECT_LE(far.distance, 8);
    EXPECT_FALSE(closest_points(box, {}, box, {{10, 1, 0}, {}}, nullptr, 8.5).beyond);
}

// Lengths times 2^k: the same bits.
TEST(ConvexDistance, ScalesByPowersOfTwo) {
    Rng rng(10, 1);
    for (int kind = 1; kind < 6; ++kind) {
        const Collider a = random_collider(1, rng), b = random_collider(kind, rng);
        for (int k = 0; k < 50; ++k) {
            const Pose X{oracle::random_direction(rng) * rng.uniform(0.2, 2), rng.rotation()};
            const Closest one = closest_points(a, {}, b, X);
            for (const double s : {0x1p-7, 0x1p20}) {
                const Closest c = closest_points(simple(a.kind, a.half * s), {}, simple(b.kind, b.half * s),
                                                 {X.position * s, X.orientation});
                ASSERT_EQ(c.distance, one.distance * s) << kind;
                ASSERT_EQ(c.normal, one.normal) << kind;
            }
        }
    }
}

TEST(SeparatingAxis, CacheDoesNotChangeTheVerdict) {
    Rng rng(11, 1);
    const Polyhedron a = oracle::random_polyhedron(rng, 14), b = oracle::random_polyhedron(rng, 14);
    SatCache cache;
    int separated = 0;
    for (int k = 0; k < 4000; ++k) {
        const Pose X{{1.45 + 0.3 * std::sin(0.003 * k), 0.1, 0}, from_axis_angle({1, 2, 3}, 0.002 * k)};
        const SatResult cold = separating_axis(a.view(), b.view(), X, 0.01);
        const SatResult warm = separating_axis(a.view(), b.view(), X, 0.01, &cache);
        ASSERT_EQ(cold.separated, warm.separated);
        separated += cold.separated;
        if (cold.separated) continue;
        ASSERT_EQ(cold.separation(), warm.separation());
        ASSERT_EQ(cold.axis, warm.axis);
    }
    EXPECT_GT(separated, 200);
    EXPECT_LT(separated, 3800);
}

}  // namespace
}  // namespace impuls
