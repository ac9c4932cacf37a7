// Box against box: exact manifolds of flat contacts, ids under motion, edges, and overlap against edge
// clipping.
#include <gtest/gtest.h>

#include <set>

#include "collision/oracle.h"

namespace impuls {
namespace {

using namespace oracle;

std::set<std::uint32_t> features(const Manifold& m) {
    std::set<std::uint32_t> ids;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) ids.insert(m.points[i].feature);
    return ids;
}

std::set<std::tuple<double, double, double>> positions(const Manifold& m) {
    std::set<std::tuple<double, double, double>> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.count); ++i) {
        const Vec3 p = m.points[i].position;
        all.insert({p.x, p.y, p.z});
    }
    return all;
}

TEST(BoxBox, AlignedBoxesTouchAtTheCornersOfTheOverlapExactly) {
    const Body ground{box({4, 0.5, 4}), {{0, -0.5, 0}, {}}};
    for (const double y : {0.5, 0.5 - 0x1p-10, 0.5 + 0x1p-10}) {
        const Body cube{box({0.5, 0.5, 0.5}), {{1, y, -2}, {}}};
        const Manifold m = collide(ground, cube, 0.01);
        ASSERT_EQ(m.count, 4);
        EXPECT_EQ(m.normal, (Vec3{0, 1, 0}));
        const double mid = 0.5 * (y - 0.5);
        EXPECT_EQ(positions(m), (std::set<std::tuple<double, double, double>>{
                                    {0.5, mid, -2.5}, {0.5, mid, -1.5}, {1.5, mid, -2.5}, {1.5, mid, -1.5}}));
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(m.points[i].separation, y - 0.5);
    }
}

TEST(BoxBox, OffsetBoxesTouchAtTheCornersOfTheOverlapRectangle) {
    const Body a{box({1, 1, 1}), {{0, 0, 0}, {}}};
    const Body b{box({1, 1, 1}), {{0.5, 2, 0.25}, {}}};
    const Manifold m = collide(a, b, 0.01);
    ASSERT_EQ(m.count, 4);
    // Two corners come from edges of a crossing edges of b, pulled onto a's face exactly.
    EXPECT_EQ(positions(m), (std::set<std::tuple<double, double, double>>{
                                {-0.5, 1, -0.75}, {-0.5, 1, 1}, {1, 1, -0.75}, {1, 1, 1}}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(m.points[i].separation, 0);
}

TEST(BoxBox, CrossedPlanksTouchInTheCrossing) {
    const Body a{box({2, 0.25, 0.5}), {{0, 0, 0}, {}}};
    const Body b{box({0.5, 0.25, 2}), {{0, 0.5, 0}, {}}};
    const Manifold m = collide(a, b, 0.01);
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(positions(m), (std::set<std::tuple<double, double, double>>{
                                {-0.5, 0.25, -0.5}, {-0.5, 0.25, 0.5}, {0.5, 0.25, -0.5}, {0.5, 0.25, 0.5}}));
}

TEST(BoxBox, TurnedBoxGivesAnOctagon) {
    const Body a{box({1, 1, 1}), {}};
    const Body b{box({1, 1, 1}), {{0, 2, 0}, from_axis_angle({0, 1, 0}, 0.7853981633974483)}};
    const Manifold m = collide(a, b, 0.01);
    ASSERT_EQ(m.count, 8);
    EXPECT_EQ(features(m).size(), 8u);
    // Corners of the octagon: one coordinate 1, the other sqrt(2) - 1.
    for (std::size_t i = 0; i < 8; ++i) {
        const double x = std::abs(m.points[i].position.x), z = std::abs(m.points[i].position.z);
        EXPECT_NEAR(std::max(x, z), 1, 1e-9);
        EXPECT_NEAR(std::min(x, z), std::sqrt(2.0) - 1, 0.011);
    }
}

// A pile built flush: the same four points through small tilts, slides and turns, in a common tilted frame as
// well.
TEST(BoxBox, FlushStackKeepsFourPointsAndIdsUnderSmallMotion) {
    Rng rng(3);
    for (const Vec3 below : {Vec3{0.5, 0.5, 0.5}, Vec3{1, 0.5, 1}, Vec3{0.5, 2, 0.5}}) {
        const Quat frame = below.x == 1 ? rng.orientation() : Quat{};
        const Body a{box(below), {{0, 0, 0}, frame}};
        const Vec3 above{0, below.y + 0.5, 0};
        const Body rest{box({0.5, 0.5, 0.5}), {rotate(frame, above), frame}};
        const Manifold first = collide(a, rest, 0.02);
        ASSERT_EQ(first.count, 4);
        for (int k = 0; k < 2000; ++k) {
            Body b = rest;
            b.pose.position += rng.direction() * rng.uniform(0, 1e-3);
            b.pose.orientation = normalized(from_axis_angle(rng.direction(), rng.uniform(0, 1e-3)) * frame);
            const Manifold m = collide(a, b, 0.02);
            ASSERT_EQ(m.count, 4);
            ASSERT_EQ(features(m), features(first)) << k;
            ASSERT_NEAR(dot(m.normal, first.normal), 1, 1e-6);
            // Separation over the four corners follows the motion, to first order.
            for (std::size_t i = 0; i < 4; ++i) ASSERT_LT(std::abs(m.points[i].separation), 3e-3);
        }
    }
}

// Which face is the reference is a matter of preference; what touches what is not.
TEST(BoxBox, SwapExchangesTheHalvesOfTheIds) {
    const Body a{box({1, 1, 1}), {}}, b{box({0.5, 0.5, 0.5}), {{0.75, 1.5, 0.75}, {}}};
    const Manifold m = collide(a, b, 0.01), w = collide(b, a, 0.01);
    ASSERT_EQ(m.count, 4);
    ASSERT_EQ(w.count, 4);
    EXPECT_EQ(m.normal, -w.normal);
    std::set<std::uint32_t> exchanged;
    for (const std::uint32_t id : features(w)) exchanged.insert((id & 0xff) << 8 | id >> 8);
    EXPECT_EQ(features(m), exchanged);
    EXPECT_EQ(positions(m), positions(w));
}

// A beam lies across the edge of another, a quarter of its thickness deep: as long as it is hardly rolled
// about its length both ends of that line are held. With the deeper one alone it would roll over to the
// other.
TEST(BoxBox, DeepInAnEdgeABeamIsHeldOnBothSides) {
    const Vec3 half{0.06, 0.06, 0.3};
    const double quarter = 0.7853981633974483, overlap = 0.015;
    const Body below{box(half), {{}, from_axis_angle({0, 0, 1}, quarter)}};
    for (const double roll : {-0.02, -0.005, 0.0, 0.005, 0.02}) {
        const Quat across = from_axis_angle({1, 0, 0}, roll) * from_axis_angle({0, 1, 0}, 2 * quarter);
        const Body above{box(half), {{0, 0.06 * std::sqrt(2.0) + 0.06 - overlap, 0}, across}};
        const Manifold m = collide(below, above, 0.01);
        ASSERT_EQ(m.count, 2) << roll;
        EXPECT_NEAR(m.normal.y, 1, 1e-3) << roll;
        EXPECT_NEAR(std::abs(m.points[0].position.z - m.points[1].position.z), 0.12, 2e-3) << roll;
    }
}

TEST(BoxBox, CubeOnEdgeGivesTwoPointsAndOnCornerOne) {
    const Body ground{box({4, 0.5, 4}), {{0, -0.5, 0}, {}}};
    const double quarter = 0.7853981633974483;
    const Quat on_edge = from_axis_angle({0, 0, 1}, quarter);
    const Manifold edge = collide(ground, {box({0.5, 0.5, 0.5}), {{0, std::sqrt(0.5), 0}, on_edge}}, 0.01);
    ASSERT_EQ(edge.count, 2);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(std::abs(edge.points[i].position.z), 0.5, 1e-12);
        EXPECT_NEAR(edge.points[i].separation, 0, 1e-12);
    }
    const Quat on_corner = from_axis_angle({1, 0, -1}, std::acos(1 / std::sqrt(3.0)));
    const Quat turned = normalized(on_corner * Quat{});
    const Manifold corner =
        collide(ground, {box({0.5, 0.5, 0.5}), {{0, 0.5 * std::sqrt(3.0), 0}, turned}}, 0.01);
    ASSERT_EQ(corner.count, 1);
    EXPECT_NEAR(corner.points[0].separation, 0, 1e-12);
    EXPECT_NEAR(length(corner.points[0].position), 0, 1e-12);
}

TEST(BoxBox, CrossingEdgesTouchInOnePoint) {
    const double quarter = 0.7853981633974483;
    for (const double gap : {-0.01, 0.005}) {
        const Body a{box({0.5, 0.5, 0.5}), {{0, 0, 0}, from_axis_angle({0, 0, 1}, quarter)}};
        const Body b{box({0.5, 0.5, 0.5}),
                     {{0.1, 2 * std::sqrt(0.5) + gap, -0.2}, from_axis_angle({1, 0, 0}, quarter)}};
        const Manifold m = collide(a, b, 0.02);
        ASSERT_EQ(m.count, 1);
        EXPECT_NEAR(m.normal.y, 1, 1e-12);
        EXPECT_NEAR(m.points[0].separation, gap, 1e-12);
        EXPECT_NEAR(length(m.points[0].position - Vec3{0, std::sqrt(0.5) + 0.5 * gap, -0.2}), 0.0, 1e-12);
    }
}

TEST(BoxBox, OverlapAgreesWithEdgeClipping) {
    Rng rng(9);
    int overlapping = 0, apart = 0;
    for (int k = 0; k < 20000; ++k) {
        const auto edge = [&] { return rng.uniform(0.1, 1); };
        const Body a{box({edge(), edge(), edge()}), {{}, rng.orientation()}};
        const Body b{box({edge(), edge(), edge()}),
                     {rng.direction() * rng.uniform(0, 2.5), rng.orientation()}};
        const Manifold m = collide(a, b, 0);
        if (boxes_overlap(a, b, -1e-9)) {
            ++overlapping;
            ASSERT_GT(m.count, 0) << k;
        } else if (!boxes_overlap(a, b, 1e-9)) {
            ++apart;
            ASSERT_EQ(m.count, 0) << k;
        }
    }
    EXPECT_GT(overlapping, 4000);
    EXPECT_GT(apart, 4000);
}

TEST(BoxBox, CoincidentBoxesGetSomeFixedNormal) {
    const Body a{box({0.5, 0.5, 0.5}), {{1, 2, 3}, {}}};
    const Manifold m = collide(a, a, 0);
    ASSERT_GT(m.count, 0);
    EXPECT_EQ(m.normal, (Vec3{1, 0, 0}));
    EXPECT_EQ(min_separation(m), -1);
}

}  // namespace
}  // namespace impuls
