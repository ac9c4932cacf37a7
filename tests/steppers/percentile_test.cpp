// The 98th percentile (steppers/blocks/percentile.h), against sorting the values.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"
#include "steppers/blocks/percentile.h"

namespace impuls::blocks {
namespace {

TEST(PercentileCounter, is_what_sorting_says) {
    Rng random(7, 0);
    for (const std::size_t count : {0, 1, 49, 50, 51, 99, 1000}) {
        PercentileCounter<4> all({1, 2, 3, 4}), first({1, 2, 3, 4}), second({1, 2, 3, 4});
        std::vector<double> values;
        for (std::size_t k = 0; k < count; ++k) {
            values.push_back(random.uniform(0, 1) < 0.97 ? random.uniform(0, 2.5) : random.uniform(2, 6));
            all.add(values.back());
            (k % 3 == 0 ? first : second).add(values.back());
        }
        first.add(second);
        std::sort(values.begin(), values.end());
        for (std::size_t k = 0; k < 4; ++k) {
            const double limit = static_cast<double>(k + 1);
            const bool is_within = values.empty() || values[count - 1 - count / 50] <= limit;
            EXPECT_EQ(all.is_within(k), is_within) << count << " " << k;
            EXPECT_EQ(first.is_within(k), is_within) << count << " " << k;
            EXPECT_EQ(all.is_any_above(k), !values.empty() && values.back() > limit);
        }
    }
}

}  // namespace
}  // namespace impuls::blocks
