// Contact determination as the source texts ask for it: box on box never flips to an edge contact by
// round-off, and the manifold moves continuously.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/narrow/reduce.h"
#include "collision/oracle.h"

namespace impuls {
namespace {

using namespace oracle;

const Body kBase{box({0.5, 0.5, 0.5}), {}};

double nearest(const Manifold& m, const Vec3& p) {
    double best = 1e9;
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k)
        best = std::min(best, length(m.points[k].position - p));
    return best;
}

TEST(SpecMultibody, T31_aligned_boxes_touch_in_4_points_turned_ones_in_8) {
    EXPECT_EQ(collide(kBase, {box({0.5, 0.5, 0.5}), {{0, 1, 0}, {}}}, 0.01).count, 4);
    const Quat q = from_axis_angle({0, 1, 0}, 0.7853981633974483);
    EXPECT_EQ(collide(kBase, {box({0.5, 0.5, 0.5}), {{0, 1, 0}, q}}, 0.01).count, 8);
    EXPECT_EQ(collide(kBase,
                      {convex({{0.5, 0.5, 0.5},
                               {0.5, 0.5, -0.5},
                               {0.5, -0.5, 0.5},
                               {0.5, -0.5, -0.5},
                               {-0.5, 0.5, 0.5},
                               {-0.5, 0.5, -0.5},
                               {-0.5, -0.5, 0.5},
                               {-0.5, -0.5, -0.5}}),
                       {{0, 1, 0}, q}},
                      0.01)
                  .count,
              8);
}

TEST(SpecShock, T27_nearly_aligned_boxes_touch_by_faces_and_continuously) {
    Rng rng(27);
    for (const double tilt : {1e-9, 1e-7, 1e-5, 1e-4, 1e-3})
        for (double x = -0.9; x <= 0.9; x += 0.15)
            for (double z = -0.9; z <= 0.9; z += 0.15) {
                SCOPED_TRACE(testing::Message() << tilt << " " << x << " " << z);
                const Body b{box({0.5, 0.5, 0.5}),
                             {{x, 1 - 5e-4, z}, normalized(from_axis_angle(rng.direction(), tilt))}};
                const Manifold m = collide(kBase, b, 0.01);
                ASSERT_GE(m.count, 4);
                ASSERT_LE(m.count, 8);
                ASSERT_LE(length(m.normal - Vec3{0, 1, 0}), 1e-3 + 1e-12);
                Body moved = b;
                moved.pose.position += rng.direction() * 1e-4;
                const Manifold w = collide(kBase, moved, 0.01);
                for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k)
                    ASSERT_LE(nearest(w, m.points[k].position), 3e-3);
                for (std::size_t k = 0; k < static_cast<std::size_t>(w.count); ++k)
                    ASSERT_LE(nearest(m, w.points[k].position), 3e-3);
            }
}

TEST(SpecShock, T27_crossing_edges_touch_in_one_point) {
    const double r = std::sqrt(0.5);
    const Quat on_edge = from_axis_angle({1, 0, 0}, 0.7853981633974483);
    const Quat across = from_axis_angle({0, 0, 1}, 0.7853981633974483);
    const Manifold m = collide({box({0.5, 0.5, 0.5}), {{}, across}},
                               {box({0.5, 0.5, 0.5}), {{0.01, 2 * r - 1e-3, 0.02}, on_edge}}, 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(length(m.normal - Vec3{0, 1, 0}), 0, 1e-12);
    EXPECT_NEAR(m.points[0].separation, -1e-3, 1e-12);
    EXPECT_NEAR(length(m.points[0].position - Vec3{0, r - 5e-4, 0}), 0, 0.05);
}

TEST(Manifolds, StandingCylinderHasARingLyingALineTiltedAPoint) {
    const Body slab{box({2, 0.5, 2}), {{0, -0.5, 0}, {}}};
    const Collider c = round(ColliderKind::Cylinder, 0.3, 0.4);
    EXPECT_EQ(collide(slab, {c, {{0, 0.4, 0}, {}}}, 0.01).count, 8);
    EXPECT_EQ(collide(slab, {c, {{0, 0.3, 0}, from_axis_angle({0, 0, 1}, 1.5707963267948966)}}, 0.01).count,
              2);
    EXPECT_EQ(
        collide(slab,
                {c, {{0, 0.3 * std::sin(0.6) + 0.4 * std::cos(0.6), 0}, from_axis_angle({0, 0, 1}, 0.6)}},
                0.01)
            .count,
        1);
    EXPECT_EQ(collide(slab, {round(ColliderKind::Cone, 0.3, 0.4), {{0, 0.4, 0}, {}}}, 0.01).count, 8);
}

TEST(Manifolds, ReductionKeepsTheOutlineAndTheDeepest) {
    std::vector<ManifoldPoint> points;
    for (std::uint32_t k = 0; k < 25; ++k)
        points.push_back({{0.25 * (k % 5) - 0.5, 0, 0.25 * (k / 5) - 0.5}, k == 12 ? -0.1 : 0, k});
    ASSERT_EQ(reduce(points, {0, 1, 0}, 5, 0.01), 5);
    int corners = 0;
    bool has_deepest = false;
    for (std::size_t k = 0; k < 5; ++k) {
        corners += std::abs(points[k].position.x) == 0.5 && std::abs(points[k].position.z) == 0.5;
        has_deepest |= points[k].feature == 12;
    }
    EXPECT_EQ(corners, 4);
    EXPECT_TRUE(has_deepest);
}

}  // namespace
}  // namespace impuls
