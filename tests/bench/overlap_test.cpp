// The judge of final poses against closed forms: boxes, balls and hulls that overlap by a known depth.
#include "bench/overlap_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "base/rng.h"

namespace impuls::bench {
namespace {

constexpr double kFar = 10;

Solid box(double x, double y, double z) {
    Solid s;
    s.kind = SolidKind::Box, s.half = {x, y, z};
    return s;
}

Solid ball(double r) {
    Solid s;
    s.kind = SolidKind::Sphere, s.radius = r;
    return s;
}

Solid hull(const std::vector<Vec3>& points) {
    Solid s;
    s.kind = SolidKind::Hull;
    s.hull = std::make_shared<Hull>(convex_hull(points).hull);
    return s;
}

Solid box_as_hull(double x, double y, double z) {
    std::vector<Vec3> points;
    for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z});
    return hull(points);
}

TEST(Overlap, aligned_boxes_overlap_by_the_smallest_shadow) {
    const Pose a{}, b{{0.9, 0.1, 1.7}, {}};
    EXPECT_NEAR(overlap_depth(box(0.5, 1, 1), a, box(0.5, 1, 1), b, kFar), 0.1, 1e-15);
    const Pose apart{{1.25, 0, 0}, {}};
    EXPECT_NEAR(overlap_depth(box(0.5, 1, 1), a, box(0.5, 1, 1), apart, kFar), -0.25, 1e-15);
}

TEST(Overlap, edge_of_a_turned_box_in_a_face) {
    // Turned by 45 degrees about z, a unit cube's edge is sqrt(1/2) below its centre.
    const Pose turned{{0.2, 0.5 + std::sqrt(0.5) - 0.01, 0}, from_axis_angle({0, 0, 1}, std::atan(1.0))};
    EXPECT_NEAR(overlap_depth(box(0.5, 0.5, 0.5), {}, box(0.5, 0.5, 0.5), turned, kFar), 0.01, 1e-12);
}

TEST(Overlap, crossed_edges_are_found_by_the_cross_product) {
    // A roof along x on the top edge of a roof along z, both turned by 45 degrees: only edge x edge separates
    // them by y.
    const Pose low{{0, 0, 0}, from_axis_angle({0, 0, 1}, std::atan(1.0))};
    const Pose high{{0, 2 * std::sqrt(0.5) - 0.02, 0}, from_axis_angle({1, 0, 0}, std::atan(1.0))};
    EXPECT_NEAR(overlap_depth(box(0.5, 0.5, 3), low, box(3, 0.5, 0.5), high, kFar), 0.02, 1e-12);
}

TEST(Overlap, balls_and_boxes) {
    EXPECT_NEAR(overlap_depth(ball(1), {}, ball(2), {{0, 2.75, 0}, {}}, kFar), 0.25, 1e-15);
    EXPECT_NEAR(overlap_depth(ball(1), {{0, 1.4, 0}, {}}, box(3, 0.5, 3), {}, kFar), 0.1, 1e-15);
    // Off a corner: the distance to the corner (1, 1, 1) is sqrt(3) / 2.
    EXPECT_NEAR(overlap_depth(box(1, 1, 1), {}, ball(1), {{1.5, 1.5, 1.5}, {}}, kFar), 1 - std::sqrt(0.75),
                1e-15);
    // Centre inside: out through the nearest face.
    EXPECT_NEAR(overlap_depth(box(1, 1, 1), {}, ball(0.25), {{0.8, 0, 0.1}, {}}, kFar), 0.25 + 0.2, 1e-15);
}

TEST(Overlap, a_hull_of_eight_corners_is_a_box) {
    Rng random(7, 1);
    for (int k = 0; k < 200; ++k) {
        const Pose a{{}, random.rotation()};
        const Pose b{{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)},
                     random.rotation()};
        const double expected = overlap_depth(box(0.5, 0.7, 0.9), a, box(1, 0.3, 0.6), b, kFar);
        EXPECT_NEAR(overlap_depth(box_as_hull(0.5, 0.7, 0.9), a, box_as_hull(1, 0.3, 0.6), b, kFar), expected,
                    1e-9);
        const double to_ball = overlap_depth(box(0.5, 0.7, 0.9), a, ball(0.8), b, kFar);
        EXPECT_NEAR(overlap_depth(box_as_hull(0.5, 0.7, 0.9), a, ball(0.8), b, kFar), to_ball, 1e-9);
    }
}

// A row of unit cubes: k and k + 1 overlap by 0.01 k.
TEST(Overlap, report_of_a_row) {
    Model model;
    std::vector<BodyState> states;
    double x = 0;
    for (int k = 0; k < 5; ++k) {
        ModelBody body;
        body.solid = box(0.5, 0.5, 0.5);
        body.mass = 1;
        model.bodies.push_back(body);
        states.push_back({{{x, 0, 0}, {}}, {}, {}});
        x += 1 - 0.01 * k;  // the first two touch
    }
    const OverlapReport report = check_overlaps(model, states);
    EXPECT_EQ(report.touching, 4u);
    EXPECT_GE(report.overlapping, 3u);
    EXPECT_NEAR(report.max, 0.03, 1e-12);
    EXPECT_NEAR(report.mean * static_cast<double>(report.overlapping), 0.06, 1e-12);
}

TEST(Overlap, joined_and_static_pairs_do_not_count) {
    Model model;
    ModelBody body;
    body.solid = ball(1);
    model.bodies.assign(3, body);
    model.bodies[1].is_static = model.bodies[2].is_static = true;
    ModelJoint joint;
    joint.a = 0, joint.b = 1;
    model.joints.push_back(joint);
    std::vector<BodyState> states(3);
    states[2].X_WP.position = {1.5, 0, 0};
    const OverlapReport report = check_overlaps(model, states);
    EXPECT_EQ(report.overlapping, 1u);  // 0 with 2
    EXPECT_NEAR(report.max, 0.5, 1e-15);
}

}  // namespace
}  // namespace impuls::bench
