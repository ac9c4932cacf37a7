// Overlap polyhedra against closed forms, identities and finite differences; degenerate contacts.
#include "geometry/overlap.h"

#include <gtest/gtest.h>

#include "geometry/overlap_bodies.h"

namespace impuls {
namespace {

using namespace overlap_bodies;

const Quat kUpright{};

TEST(Overlap, ShiftedCubesGiveABox) {
    const Polyhedron a = box({1, 1, 1});
    OverlapFinder finder;
    Overlap o;
    ASSERT_TRUE(finder.find(a.view(), a.view(), {{1.5, 1, 0.25}, kUpright}, o));
    EXPECT_NEAR(o.volume, 0.5 * 1 * 1.75, 1e-14);
    EXPECT_LT(length(o.center - Vec3{0.75, 0.5, 0.125}), 1e-14);
    // a gives the faces +x, +y, +z of the overlap, b the three others.
    EXPECT_LT(length(o.area_a - Vec3{1.75, 0.875, 0.5}), 1e-14);
    EXPECT_LT(length(o.area_b + o.area_a), 1e-14);
    EXPECT_NEAR(o.patch_a, 1.75 + 0.875 + 0.5, 1e-14);
    EXPECT_NEAR(o.line_length, 2 * (0.5 + 1 + 1.75), 1e-13);
    finder.trace_line();
    EXPECT_EQ(finder.line().size(), 6u);
    EXPECT_EQ(finder.loops().size(), 2u);
    EXPECT_EQ(finder.vertices().size(), 8u);
    EXPECT_EQ(finder.face_count(), 6u);
}

TEST(Overlap, CornerThroughAFaceIsAPyramid) {
    // A cube standing on its corner, the corner a depth d below the floor's top: a corner pyramid of volume
    // (sqrt(3) d)^3 / 6 with an equilateral base of edge sqrt(6) d.
    const Polyhedron floor = box({10, 5, 10}), cube = box({1, 1, 1});
    const double d = 0.1;
    const Vec3 diagonal = normalized(Vec3{1, 1, 1}), up{0, 1, 0};
    const Quat q = normalized(
        Quat{1 + dot(diagonal, up), cross(diagonal, up).x, cross(diagonal, up).y, cross(diagonal, up).z});
    OverlapFinder finder;
    Overlap o;
    ASSERT_TRUE(finder.find(floor.view(), cube.view(), {{0, 5 - d + std::sqrt(3.0), 0}, q}, o));
    EXPECT_NEAR(o.volume, std::pow(std::sqrt(3.0) * d, 3) / 6, 1e-14);
    EXPECT_NEAR(o.center.y, 5 - d / 4, 1e-12);
    EXPECT_LT(length(o.area_a - Vec3{0, std::sqrt(3.0) / 4 * 6 * d * d, 0}), 1e-13);
    EXPECT_LT(length(o.moment_a), 1e-14);
    EXPECT_NEAR(o.line_length, 3 * std::sqrt(6.0) * d, 1e-12);
}

TEST(Overlap, ContainedBodyHasNoLine) {
    const Polyhedron big = icosahedron(), small = box({0.2, 0.3, 0.1});
    const Pose X{{0.3, -0.2, 0.1}, normalized(Quat{0.9, 0.1, 0.3, 0.2})};
    OverlapFinder finder;
    Overlap o;
    for (const bool swap : {false, true}) {
        ASSERT_TRUE(
            finder.find((swap ? small : big).view(), (swap ? big : small).view(), swap ? inverse(X) : X, o));
        EXPECT_NEAR(o.volume, 8 * 0.2 * 0.3 * 0.1, 1e-15);
        EXPECT_EQ(o.line_length, 0);
        EXPECT_LT(length(o.area_a) + length(o.area_b), 1e-15);
        EXPECT_LT(length(o.center - (swap ? Vec3{} : X.position)), 1e-15);
    }
}

TEST(Overlap, TouchingIsNoOverlap) {
    const Polyhedron a = box({1, 2, 3}), b = box({0.5, 0.5, 0.5});
    OverlapFinder finder;
    Overlap o;
    EXPECT_FALSE(finder.find(a.view(), b.view(), {{1.5, 0.3, 0.1}, kUpright}, o));
    EXPECT_FALSE(finder.find(a.view(), b.view(), {{1.5, 2.5, 0.1}, kUpright}, o));
    EXPECT_FALSE(finder.find(a.view(), b.view(), {{1.5, 2.5, 3.5}, kUpright}, o));
    EXPECT_FALSE(finder.find(a.view(), b.view(), {{9, 0, 0}, kUpright}, o));
    EXPECT_EQ(o.volume, 0);
    EXPECT_EQ(finder.face_count(), 0u);
}

TEST(Overlap, IdenticalBodiesAndCoincidentFaces) {
    const Polyhedron grain20 = grain(20, 3), a = box({1, 1, 1}), plate = box({1, 0.25, 1});
    OverlapFinder finder;
    Overlap o, same;
    ASSERT_TRUE(finder.find(grain20.view(), grain20.view(), {}, o));
    const Polyhedron big = box({9, 9, 9});
    ASSERT_TRUE(finder.find(grain20.view(), big.view(), {}, same));
    EXPECT_NEAR(o.volume, same.volume, 1e-14);
    // A plate inside the cube, flush with five of its faces.
    ASSERT_TRUE(finder.find(a.view(), plate.view(), {{0, 0.75, 0}, kUpright}, o));
    EXPECT_NEAR(o.volume, 2, 1e-14);
    EXPECT_LT(length(o.center - Vec3{0, 0.75, 0}), 1e-14);
}

// A face turned against its partner by angles down to rounding: volume is that of a wedge.
TEST(Overlap, NearlyParallelFaces) {
    const Polyhedron a = box({1, 1, 1}), b = box({2, 1, 2});
    OverlapFinder finder;
    Overlap o;
    for (double angle = 1e-3; angle > 1e-17; angle *= 0.1) {
        for (const double depth : {0.0, 1e-9, 1e-3}) {
            // The underside of b through (0, 1 - depth, 0), turned about z: y = 1 - depth + x tan(angle).
            const Quat q = normalized(Quat{1, 0, 0, 0.5 * angle});
            const double t = 4 * angle / (4 - angle * angle);  // tan of the turn
            const Vec3 p = Vec3{0, 1 - depth, 0} + rotate(q, {0, 1, 0});
            const double left = std::min(1.0, depth / t);  // the wedge is -1 <= x <= left
            const double expected = 2 * ((left + 1) * depth + t * 0.5 * (1 - left * left));
            finder.find(a.view(), b.view(), {p, q}, o);
            EXPECT_NEAR(o.volume, expected, 1e-14) << angle << " " << depth;
            EXPECT_LT(length(o.area_a + o.area_b), 1e-14);
        }
    }
}

template <class Check>
void for_random_pairs(int count, Check&& check) {
    const Polyhedron bodies[] = {tetrahedron(), box({0.8, 1, 0.6}), icosahedron(), grain(20, 1),
                                 grain(62, 2)};
    Rng rng(4, 4);
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const Polyhedron &a = bodies[rng.next() % 5], &b = bodies[rng.next() % 5];
        const Vec3 direction = rotate(rng.rotation(), {0, 0, 1});
        const Pose X{direction * rng.uniform(0.2, 0.8) * (a.radius + b.radius), rng.rotation()};
        OverlapFinder finder;
        Overlap o;
        if (!finder.find(a.view(), b.view(), X, o)) continue;
        ++found;
        check(a, b, X, finder, o);
    }
    EXPECT_GT(found, count / 3);
}

TEST(Overlap, SurfaceIsClosedAndLineGivesTheAreaVector) {
    for_random_pairs(300, [](const auto&, const auto&, const Pose&, OverlapFinder& finder, const Overlap& o) {
        EXPECT_LT(length(o.area_a + o.area_b), 1e-14);
        EXPECT_LT(length(o.moment_a + o.moment_b), 1e-14);
        finder.trace_line();
        Vec3 area;
        double total = 0;
        for (std::size_t loop = 0; loop + 1 < finder.loops().size(); ++loop) {
            const auto line =
                finder.line().subspan(finder.loops()[loop], finder.loops()[loop + 1] - finder.loops()[loop]);
            for (std::size_t k = 0; k < line.size(); ++k) {
                const Vec3 p = line[k], q = line[(k + 1) % line.size()];
                area += 0.5 * cross(p - o.center, q - o.center), total += length(q - p);
            }
        }
        EXPECT_LT(length(area - o.area_a), 2e-14);
        EXPECT_NEAR(total, o.line_length, 1e-13);
    });
}

TEST(SpecGranular, Item3_1_area_vector_is_the_gradient_of_the_volume) {
    for_random_pairs(200, [](const auto& a, const auto& b, const Pose& X, OverlapFinder& finder,
                             const Overlap& o) {
        const auto volume = [&](const Pose& at) {
            Overlap v;
            finder.find(a.view(), b.view(), at, v);
            return v.volume;
        };
        const double h = 1e-5;
        const Vec3 torque = moment_about(X.position, o, o.moment_b, o.area_b);
        for (int i = 0; i < 3; ++i) {
            Vec3 e;
            e[i] = h;
            const double dx =
                (volume({X.position + e, X.orientation}) - volume({X.position - e, X.orientation})) / (2 * h);
            EXPECT_NEAR(dx, o.area_b[i], 2e-8);
            const double turn = (volume({X.position, from_axis_angle(e, h) * X.orientation}) -
                                 volume({X.position, from_axis_angle(e, -h) * X.orientation})) /
                                (2 * h);
            EXPECT_NEAR(turn, torque[i], 2e-8);
        }
    });
}

TEST(Overlap, ExchangingTheBodiesExchangesTheSides) {
    for_random_pairs(
        200, [](const auto& a, const auto& b, const Pose& X, OverlapFinder& finder, const Overlap& o) {
            Overlap s;
            ASSERT_TRUE(finder.find(b.view(), a.view(), inverse(X), s));
            EXPECT_NEAR(s.volume, o.volume, 1e-14);
            EXPECT_LT(length(rotate(X.orientation, s.area_a) - o.area_b), 1e-14);
            EXPECT_LT(length(X * s.center - o.center) * o.volume, 1e-14 * (1 + o.volume));
        });
}

TEST(Overlap, ScalesExactly) {
    const auto scaled = [](Polyhedron p, double s) {
        for (Vec3& v : p.hull.vertices) v *= s;
        for (HullPlane& f : p.hull.planes) f.offset *= s;
        p.center *= s;
        return p;
    };
    for_random_pairs(
        50, [&](const auto& a, const auto& b, const Pose& X, OverlapFinder& finder, const Overlap& o) {
            const double s = 0x1p-40;
            Overlap t;
            finder.find(scaled(a, s).view(), scaled(b, s).view(), {X.position * s, X.orientation}, t);
            EXPECT_EQ(t.volume, o.volume * s * s * s);
            EXPECT_EQ(t.center, o.center * s);
            EXPECT_EQ(t.area_a, o.area_a * (s * s));
            EXPECT_EQ(t.moment_b, o.moment_b * (s * s * s));
        });
}

}  // namespace
}  // namespace impuls
