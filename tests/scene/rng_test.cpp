// The generator's streams: independent, uniform, and rotations uniform on SO(3).
#include "base/rng.h"

#include <gtest/gtest.h>

namespace impuls {
namespace {

TEST(Rng, SplitMixReferenceValues) {
    // First outputs of SplitMix64 from state 0, from the authors' C code.
    std::uint64_t state = 0;
    const auto next = [&] {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    };
    Rng rng(0, 0);  // mix(0) is 0
    EXPECT_EQ(rng.next(), 0xe220a8397b1dcdafu);
    next();
    EXPECT_EQ(rng.next(), next());
}

TEST(Rng, UniformMoments) {
    double sum = 0, squares = 0;
    constexpr int kDraws = 20000;
    for (int k = 0; k < kDraws; ++k) {
        const double x = Rng(5, static_cast<std::uint64_t>(k)).uniform();  // first draw of many streams
        sum += x, squares += x * x;
        ASSERT_TRUE(x >= 0 && x < 1);
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean, 0.5, 0.01);
    EXPECT_NEAR(squares / kDraws - mean * mean, 1.0 / 12, 0.005);
}

TEST(Rng, RotationsAreUniform) {
    // For uniform rotations E[R v] = 0, E[(R v)_i (R v)_j] = delta_ij / 3, and the rotation angle has the
    // density (1 - cos t) / pi, so that E[cos t] = -1/2.
    Vec3 mean;
    double xx = 0, xy = 0, cos_angle = 0;
    constexpr int kDraws = 20000;
    for (int k = 0; k < kDraws; ++k) {
        const Quat q = Rng(1, static_cast<std::uint64_t>(k)).rotation();
        ASSERT_NEAR(length_squared(q), 1, 1e-14);
        const Vec3 v = rotate(q, {1, 0, 0});
        mean += v / kDraws;
        xx += v.x * v.x / kDraws, xy += v.x * v.y / kDraws;
        cos_angle += (2 * q.w * q.w - 1) / kDraws;
    }
    EXPECT_LT(length(mean), 0.02);
    EXPECT_NEAR(xx, 1.0 / 3, 0.01);
    EXPECT_NEAR(xy, 0, 0.01);
    EXPECT_NEAR(cos_angle, -0.5, 0.01);
}

}  // namespace
}  // namespace impuls
