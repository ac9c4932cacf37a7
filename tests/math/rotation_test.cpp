// The exponential map against libm.
#include "math/rotation.h"

#include <gtest/gtest.h>

namespace impuls {
namespace {

// Against libm, from tiny angles to many turns.
TEST(Rotation, agrees_with_axis_angle) {
    const Vec3 axis = normalized(Vec3{1, -2, 0.5});
    for (const double angle : {1e-300, 1e-12, 1e-3, 0.3, 0.999, 1.001, 2.0, 3.14159, 6.0, 50.0, 1000.0}) {
        const Quat ours = rotation_by(axis * angle), exact = from_axis_angle(axis, angle);
        const double tolerance = 1e-15 * std::max(4.0, angle);
        EXPECT_NEAR(ours.w, exact.w, tolerance) << angle;
        EXPECT_NEAR(ours.x, exact.x, tolerance) << angle;
        EXPECT_NEAR(ours.y, exact.y, tolerance) << angle;
        EXPECT_NEAR(ours.z, exact.z, tolerance) << angle;
    }
}

TEST(Rotation, by_nothing_is_exactly_identity) {
    EXPECT_EQ(rotation_by({}), Quat{});
}

TEST(Rotation, turned_keeps_unit_length_over_many_steps) {
    Quat q;
    for (int k = 0; k < 100000; ++k) q = turned(q, {0.1, 0.02, -0.3});
    EXPECT_NEAR(length_squared(q), 1, 1e-15);
}

// Erleben 2005, 4.14, with the off-axis turn at its full length (the printed listing halves it).
TEST(Rotation, turned_apart_moves_the_axis_by_the_rest) {
    const Vec3 axis{0, 0, 1};
    const Quat q = turned_apart({}, {0.05, 0, 40}, axis);
    const Vec3 end = rotate(q, axis);
    EXPECT_NEAR(std::atan2(length(cross(end, axis)), dot(end, axis)), 0.05, 1e-14);
    EXPECT_LT(length(end - Vec3{0, -std::sin(0.05), std::cos(0.05)}), 1e-14);
    // Along the axis it is one turn.
    const Quat spin = turned_apart({}, {0, 0, 2}, axis), same = turned({}, {0, 0, 2});
    EXPECT_NEAR(dot(rotate(spin, {1, 0, 0}), rotate(same, {1, 0, 0})), 1, 1e-15);
}

}  // namespace
}  // namespace impuls
