// Principal moments and axes against Eigen, and their exactness promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <eigen3/Eigen/Eigenvalues>

#include "geometry/mass_properties.h"
#include "geometry/oracles.h"

namespace impuls {
namespace {

Mat3 random_symmetric(oracle::Random& random) {
    const Vec3 d = random.vector(1), o = random.vector(1);
    return {{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}};
}

double largest(const Mat3& m) {
    double out = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) out = std::max(out, std::abs(m[j][i]));
    return out;
}

void expect_decomposition(const Mat3& m) {
    const PrincipalAxes axes = principal_axes(m);
    const double size = largest(m);
    EXPECT_NEAR(length_squared(axes.rotation), 1, 1e-15);
    const Mat3 R = to_matrix(axes.rotation);
    EXPECT_NEAR(determinant(R), 1, 2e-15);
    EXPECT_LE(largest(R * diagonal(axes.moments) * transpose(R) - m), 1e-14 * size);

    Eigen::Matrix3d e;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) e(i, j) = m[j][i];
    const Eigen::Vector3d expected = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(e).eigenvalues();
    double sorted[3] = {axes.moments.x, axes.moments.y, axes.moments.z};
    std::sort(sorted, sorted + 3);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(sorted[i], expected[i], 2e-15 * 3 * size);
}

TEST(PrincipalAxes, MatchEigen) {
    oracle::Random random(1);
    for (int n = 0; n < 2000; ++n) expect_decomposition(random_symmetric(random));
}

TEST(PrincipalAxes, EqualAndNearlyEqualMoments) {
    oracle::Random random(2);
    for (const Vec3& moments :
         {Vec3{1, 1, 2}, {1, 1, 1}, {1, 1 + 1e-9, 1 - 1e-9}, {1e-12, 1, 1}, {0, 0, 1}}) {
        for (int n = 0; n < 100; ++n) {
            const Mat3 R = to_matrix(random.rotation());
            Mat3 m = R * diagonal(moments) * transpose(R);
            m = (m + transpose(m)) * 0.5;
            expect_decomposition(m);
        }
    }
}

TEST(PrincipalAxes, DiagonalIsKeptBitForBit) {
    for (const Vec3& d : {Vec3{0.1, 0.7, 0.3}, {3, 2, 1}, {0, 0, 0}, {1e-300, 1e300, 5}, {-1, 2, -3}}) {
        const PrincipalAxes axes = principal_axes(diagonal(d));
        EXPECT_EQ(axes.moments, d);
        EXPECT_EQ(axes.rotation, Quat{});
    }
}

TEST(PrincipalAxes, PowerOfTwoScalesAreExact) {
    oracle::Random random(3);
    for (int n = 0; n < 200; ++n) {
        const Mat3 m = random_symmetric(random);
        const PrincipalAxes a = principal_axes(m);
        for (const int k : {-500, -35, -1, 1, 7, 500}) {
            const PrincipalAxes b = principal_axes(m * std::ldexp(1.0, k));
            EXPECT_EQ(b.moments, a.moments * std::ldexp(1.0, k));
            EXPECT_EQ(b.rotation, a.rotation);
        }
    }
}

// First-order perturbation: the angle is the off-diagonal element over the difference of the moments.
TEST(PrincipalAxes, SmallOffDiagonalTurnsLittle) {
    const Mat3 m{{1, 1e-9, 0}, {1e-9, 2, 0}, {0, 0, 3}};
    const PrincipalAxes axes = principal_axes(m);
    EXPECT_NEAR(axes.rotation.z, -0.5e-9, 1e-18);
    EXPECT_NEAR(axes.rotation.w, 1, 1e-16);
    EXPECT_EQ(axes.moments.z, 3);
}

TEST(PrincipalAxes, EndsOnNonFiniteInput) {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(is_finite(principal_axes({{nan, 1, 1}, {1, 1, 1}, {1, 1, 1}}).moments));
    EXPECT_FALSE(is_finite(principal_axes({{1, inf, 1}, {inf, 1, 1}, {1, 1, 1}}).moments));
}

}  // namespace
}  // namespace impuls
