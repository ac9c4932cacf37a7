// The polynomial matrix of a quaternion against rotating the unit vectors one by one.
#include "impuls/vec.h"

#include <gtest/gtest.h>

namespace impuls {
namespace {

TEST(RotationMatrix, columns_are_the_rotated_unit_vectors) {
    for (int k = 0; k < 200; ++k) {
        const Vec3 axis{std::sin(1.0 + k), std::cos(2.0 * k), std::sin(3.0 * k)};
        const Quat q = from_axis_angle(axis, 0.37 * k);
        const Mat3 R = to_matrix(q);
        for (int j = 0; j < 3; ++j) {
            Vec3 e;
            e[j] = 1;
            EXPECT_LT(length(R[j] - rotate(q, e)), 1e-15) << k << ' ' << j;
        }
    }
}

TEST(RotationMatrix, no_rotation_and_half_turns_are_exact) {
    EXPECT_EQ(to_matrix({1, 0, 0, 0}), Mat3{});
    EXPECT_EQ(to_matrix({0, 1, 0, 0}), diagonal({1, -1, -1}));
    EXPECT_EQ(to_matrix({0, 0, 1, 0}), diagonal({-1, 1, -1}));
    EXPECT_EQ(to_matrix({0, 0, 0, 1}), diagonal({-1, -1, 1}));
}

}  // namespace
}  // namespace impuls
