// Small factorisations: the ways to solve give the same, bit for bit, and the right thing.
#include "math/small_ldlt.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace impuls {
namespace {

// J J^T + 1e-3 of a random J.
SmallLdlt::Matrix random_matrix(Rng& rng, int n) {
    SmallLdlt::Matrix j{}, m{};
    for (int i = 0; i < n; ++i)
        for (double& value : j[i]) value = rng.uniform(-1, 1);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            m[i][k] = i == k ? 1e-3 : 0;
            for (int c = 0; c < SmallLdlt::kMax; ++c) m[i][k] += j[i][c] * j[k][c];
        }
    return m;
}

TEST(SmallLdlt, columns_are_solved_as_one_by_one) {
    Rng rng(5, 0);
    for (int n = 1; n <= SmallLdlt::kMax; ++n) {
        const SmallLdlt::Matrix m = random_matrix(rng, n);
        SmallLdlt factors;
        factors.factor(m, n);
        SmallLdlt::Matrix right{};
        for (auto& row : right)
            for (double& value : row) value = rng.uniform(-1, 1);
        SmallLdlt::Matrix all = right;
        factors.solve(all);
        for (int c = 0; c < SmallLdlt::kMax; ++c) {
            std::array<double, SmallLdlt::kMax> x{};
            for (int i = 0; i < n; ++i) x[i] = right[i][c];
            auto largest = x;
            factors.solve(x);
            if (n == SmallLdlt::kMax) {
                factors.solve_largest(largest);
                EXPECT_EQ(largest, x) << c;
            }
            for (int i = 0; i < n; ++i) {
                EXPECT_EQ(all[i][c], x[i]) << n << " " << i << " " << c;
                double sum = 0;
                for (int k = 0; k < n; ++k) sum += m[i][k] * x[k];
                EXPECT_NEAR(sum, right[i][c], 1e-10) << n << " " << i << " " << c;
            }
        }
        for (int i = n; i < SmallLdlt::kMax; ++i) EXPECT_EQ(all[i], right[i]) << n;
    }
}

}  // namespace
}  // namespace impuls
