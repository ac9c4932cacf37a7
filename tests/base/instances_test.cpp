// Shared values against a plain vector.
#include "base/instances.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "impuls/vec.h"

namespace impuls {
namespace {

TEST(Instances, are_what_a_vector_would_hold) {
    Rng rng(5, 1);
    Instances<Vec3> shared;
    std::vector<Vec3> plain;
    const auto draw = [&] { return Vec3{std::floor(rng.uniform(0, 40)), 0, std::floor(rng.uniform(0, 3))}; };
    for (int k = 0; k < 20'000; ++k) {
        const double what = rng.uniform(0, 1);
        const auto at = static_cast<std::size_t>(rng.uniform(0, 1) * static_cast<double>(plain.size()));
        if (what < 0.5 || plain.empty()) {
            plain.push_back(draw());
            shared.push_back(plain.back());
        } else if (what < 0.75) {
            plain[at] = draw();
            shared.set(at, plain[at]);
        } else if (plain.size() > 300 || what > 0.9) {
            plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
            std::vector<std::uint8_t> is_dead(at + 1);
            is_dead[at] = 1;
            shared.erase(is_dead);
        }
        ASSERT_LE(shared.table().size(), 2 * plain.size() + 65) << "values that nobody has pile up";
    }
    ASSERT_EQ(shared.size(), plain.size());
    for (std::size_t k = 0; k < plain.size(); ++k) ASSERT_EQ(shared[k], plain[k]);
}

TEST(Instances, keep_equal_values_once_and_zeros_of_either_sign_apart) {
    Instances<double> shared;
    for (int k = 0; k < 1000; ++k) shared.push_back(k % 3);
    EXPECT_EQ(shared.table().size(), 3u);
    shared.push_back(-0.0);
    EXPECT_TRUE(std::signbit(shared[1000]));
    EXPECT_FALSE(std::signbit(shared[0]));
}

}  // namespace
}  // namespace impuls
