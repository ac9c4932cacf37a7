// How many points where: capsules and boxes lying, standing and crossing; centres inside; degenerate poses.
#include <gtest/gtest.h>

#include "collision/oracle.h"

namespace impuls {
namespace {

using namespace oracle;

const Quat kLyingX = from_axis_angle({0, 0, 1}, 1.5707963267948966);  // local y along world -x
const Body kGround{plane(), {}};
const Body kSlab{box({4, 0.5, 4}), {{0, -0.5, 0}, {}}};

TEST(Manifolds, SphereOnPlaneIsExact) {
    const Manifold m = collide({sphere(0.5), {{3, 0.25, -2}, {}}}, kGround, 0);
    ASSERT_EQ(m.count, 1);
    EXPECT_EQ(m.normal, (Vec3{0, -1, 0}));
    EXPECT_EQ(m.points[0].separation, -0.25);
    EXPECT_EQ(m.points[0].position, (Vec3{3, -0.125, -2}));
}

TEST(Manifolds, CapsuleLyingOnPlaneOrBoxHasTwoPoints) {
    const Body lying{capsule(0.25, 1), {{0, 0.25, 0}, kLyingX}};
    for (const Body& ground : {kGround, kSlab}) {
        const Manifold m = collide(lying, ground, 0.01);
        ASSERT_EQ(m.count, 2);
        EXPECT_NEAR(m.normal.y, -1, 1e-12);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(std::abs(m.points[i].position.x), 1, 1e-12);
            EXPECT_NEAR(m.points[i].separation, 0, 1e-12);
        }
        EXPECT_NE(m.points[0].feature, m.points[1].feature);
    }
}

TEST(Manifolds, CapsuleStandingHasOnePoint) {
    const Body standing{capsule(0.25, 1), {{0, 1.25, 0}, {}}};
    for (const Body& ground : {kGround, kSlab}) {
        const Manifold m = collide(standing, ground, 0.01);
        ASSERT_EQ(m.count, 1);
        EXPECT_EQ(m.points[0].separation, 0);
        EXPECT_EQ(m.points[0].position, (Vec3{0, 0, 0}));
    }
}

// Rocking from one end over flat to the other: an end keeps its id whether or not the other one touches.
TEST(Manifolds, RockingCapsuleKeepsTheIdsOfItsEnds) {
    for (const Body& ground : {kGround, kSlab}) {
        const auto at_tilt = [&](double angle) {
            const Quat q = normalized(from_axis_angle({0, 0, 1}, angle) * kLyingX);
            return collide({capsule(0.25, 1), {{0, 0.25 + std::abs(std::sin(angle)), 0}, q}}, ground, 0.01);
        };
        const Manifold flat = at_tilt(0), left = at_tilt(0.1), right = at_tilt(-0.1);
        ASSERT_EQ(flat.count, 2);
        ASSERT_EQ(left.count, 1);
        ASSERT_EQ(right.count, 1);
        EXPECT_NE(left.points[0].feature, right.points[0].feature);
        for (const Manifold* m : {&left, &right}) {
            const auto& p = m->points[0];
            const auto& same = flat.points[0].feature == p.feature ? flat.points[0] : flat.points[1];
            EXPECT_EQ(same.feature, p.feature);
            EXPECT_NEAR(length(same.position - p.position), 0, 0.1);
        }
    }
}

TEST(Manifolds, CapsuleOverhangingAnEdgeTouchesWhereTheBoxEnds) {
    const Body b{capsule(0.25, 1), {{4, 0.25, 0}, kLyingX}};  // half of it over the slab's edge at x = 4
    const Manifold m = collide(kSlab, b, 0.01);
    ASSERT_EQ(m.count, 2);
    double low = 9, high = -9;
    for (std::size_t i = 0; i < 2; ++i) {
        low = std::min(low, m.points[i].position.x), high = std::max(high, m.points[i].position.x);
    }
    EXPECT_NEAR(low, 3, 1e-9);
    EXPECT_NEAR(high, 4, 1e-9);
}

// The edge from (-1, 0, 0) to (1, 0, 0) lies on the box; its lower end is beyond the border, and a face there
// that is not at the edge looks down more than those that are.
TEST(Manifolds, EdgeOverhangingAnEdgeTouchesAlongItsLength) {
    const Collider body =
        convex({{-1, 0, 0}, {1, 0, 0}, {2, 0.3, 0.5}, {2, 0.3, -0.5}, {0, 2, 1}, {0, 2, -1}});
    for (const double tilt : {-1e-6, -1e-9, 0.0, 1e-9, 1e-6}) {
        const Manifold m = collide({body, {{3.2, 0, 0}, from_axis_angle({0, 0, 1}, tilt)}}, kSlab, 0.01);
        ASSERT_EQ(m.count, 2) << tilt;
        EXPECT_NEAR(m.normal.y, -1, 1e-5);
        EXPECT_NEAR(std::min(m.points[0].position.x, m.points[1].position.x), 2.2, 1e-2);
        EXPECT_NEAR(std::max(m.points[0].position.x, m.points[1].position.x), 4, 1e-2);
    }
}

TEST(Manifolds, CapsuleAlongABoxEdgeHasTwoPoints) {
    const double r = 0.25, c = std::sqrt(0.5);
    const Body b{capsule(r, 1),
                 {{0, r * c, 4 + r * c}, kLyingX}};  // touches the edge y = 0, z = 4 at 45 degrees
    const Manifold m = collide(kSlab, b, 0.01);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(length(m.normal - Vec3{0, c, c}), 0, 1e-9);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(length(m.points[i].position - Vec3{i == 0 ? 1.0 : -1.0, 0, 4}), 0, 1e-9);
        EXPECT_NEAR(m.points[i].separation, 0, 1e-9);
    }
}

TEST(Manifolds, CapsuleAcrossABoxEdgeHasOnePoint) {
    const double c = std::sqrt(0.5);
    const Body b{capsule(0.25, 1),
                 {{0, 0.25 * c, 4 + 0.25 * c}, from_axis_angle({1, 0, 0}, -0.7853981633974483)}};
    const Manifold m = collide(kSlab, b, 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(length(m.points[0].position - Vec3{0, 0, 4}), 0, 1e-9);
}

TEST(Manifolds, CapsuleAxisInsideTheBoxLeavesThroughTheNearestFace) {
    const Body b{capsule(0.25, 1), {{0.5, -0.125, 0}, kLyingX}};
    const Manifold m = collide(kSlab, b, 0);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(m.normal.y, 1, 1e-12);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(m.points[i].separation, -0.375, 1e-12);
}

TEST(Manifolds, ParallelCapsulesHaveTwoPointsAndCrossedOnesOne) {
    const Body a{capsule(0.25, 1), {{0, 0, 0}, kLyingX}};
    const Manifold two = collide(a, {capsule(0.25, 1), {{0.5, 0.5, 0}, kLyingX}}, 0.01);
    ASSERT_EQ(two.count, 2);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(two.points[i].separation, 0, 1e-12);
        EXPECT_NEAR(two.points[i].position.y, 0.25, 1e-12);
        EXPECT_NEAR(std::abs(two.points[i].position.x - 0.25), 0.75, 1e-12);  // overlap from -0.5 to 1
    }
    const Quat along_z = from_axis_angle({1, 0, 0}, 1.5707963267948966);
    const Manifold one = collide(a, {capsule(0.25, 1), {{0.5, 0.5, 0}, along_z}}, 0.01);
    ASSERT_EQ(one.count, 1);
    EXPECT_NEAR(length(one.points[0].position - Vec3{0.5, 0.25, 0}), 0, 1e-9);
}

TEST(Manifolds, FlushCapsulesKeepIdsUnderSmallMotion) {
    Rng rng(2);
    const Body a{capsule(0.25, 1), {{0, 0, 0}, kLyingX}};
    for (int k = 0; k < 2000; ++k) {
        Body b{capsule(0.25, 1), {{0, 0.5, 0}, kLyingX}};
        b.pose.position += rng.direction() * 1e-3;
        b.pose.orientation = normalized(from_axis_angle(rng.direction(), 1e-3) * kLyingX);
        const Manifold m = collide(a, b, 0.01);
        ASSERT_EQ(m.count, 2) << k;
        EXPECT_EQ(m.points[0].feature, 0u);
        EXPECT_EQ(m.points[1].feature, 1u);
    }
}

TEST(Manifolds, BoxOnPlaneFlatOnEdgeOnCorner) {
    const Collider cube = box({0.5, 0.5, 0.5});
    const Manifold flat = collide({cube, {{1, 0.5, 2}, {}}}, kGround, 0.01);
    ASSERT_EQ(flat.count, 4);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(flat.points[i].separation, 0);
        EXPECT_EQ(flat.points[i].position.y, 0);
    }
    const Quat on_edge = from_axis_angle({0, 0, 1}, 0.7853981633974483);
    EXPECT_EQ(collide({cube, {{0, std::sqrt(0.5), 0}, on_edge}}, kGround, 0.01).count, 2);
    const Quat on_corner = from_axis_angle({1, 0, -1}, std::acos(1 / std::sqrt(3.0)));
    EXPECT_EQ(collide({cube, {{0, 0.5 * std::sqrt(3.0), 0}, on_corner}}, kGround, 0.01).count, 1);
    EXPECT_EQ(collide({cube, {{0, -3, 0}, {}}}, kGround, 0.01).count, 4);
    EXPECT_EQ(collide({cube, {{0, 0.52, 0}, {}}}, kGround, 0.01).count, 0);
}

TEST(Manifolds, SphereCentreInsideBoxLeavesThroughTheNearestFace) {
    const Manifold m = collide({sphere(0.25), {{1, -0.125, 0}, {}}}, kSlab, 0);
    ASSERT_EQ(m.count, 1);
    EXPECT_EQ(m.normal, (Vec3{0, -1, 0}));
    EXPECT_EQ(m.points[0].separation, -0.375);
    EXPECT_EQ(m.points[0].position, (Vec3{1, -0.1875, 0}));  // between 0 and -0.375
}

TEST(Manifolds, CoincidentCentresTakeAFixedNormal) {
    const Pose X{{1, 2, 3}, from_axis_angle({1, 2, 3}, 1)};
    const Collider shapes[] = {sphere(0.5), box({0.5, 1, 2}), capsule(0.25, 1)};
    for (const Collider& a : shapes) {
        for (const Collider& b : shapes) {
            const Manifold m = collide({a, X}, {b, X}, 0);
            ASSERT_GT(m.count, 0);
            EXPECT_NEAR(length(m.normal), 1, 1e-12);
            EXPECT_NEAR(gap({a, X}, {b, X}, m.normal), min_separation(m), 1e-9);
            EXPECT_NEAR(signed_distance({a, X}, {b, X}).gap, min_separation(m), 0.02);
        }
    }
    EXPECT_EQ(collide({sphere(0.5), X}, {sphere(0.5), X}, 0).normal, (Vec3{0, 1, 0}));
}

TEST(Manifolds, PlanesNeverCollideWithPlanes) {
    EXPECT_FALSE(has_narrow_phase(ColliderKind::Plane, ColliderKind::Plane));
    EXPECT_EQ(collide(kGround, kGround, 1).count, 0);
    EXPECT_TRUE(has_narrow_phase(ColliderKind::Plane, ColliderKind::Box));
}

}  // namespace
}  // namespace impuls
