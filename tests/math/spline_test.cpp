// Curves through points: continuity, lengths against closed forms, feet against brute force.
#include "math/spline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace impuls {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<Vec3> circle(int n, double radius) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
        const double a = 2 * kPi * k / n;
        points.push_back({radius * std::cos(a), radius * std::sin(a), 0});
    }
    return points;
}

std::vector<Vec3> some_points(Rng& rng, int n) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
        const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
        points.push_back({x + k, y, rng.uniform(-1, 1)});
    }
    return points;
}

// Through its points, with continuous first and second derivatives that are those of the curve.
TEST(Spline, IsSmooth) {
    Rng rng(1, 0);
    for (const bool is_closed : {false, true}) {
        const auto points = some_points(rng, 6);
        const Spline spline(points, is_closed, points[0]);
        double t = 0;
        for (std::size_t k = 0; k < points.size() + (is_closed ? 3 : 0); ++k) {
            const std::size_t n = points.size();
            EXPECT_LT(length(spline.at(t).position - points[k % n]), 1e-12);
            const double e = 1e-7;
            const auto before = spline.at(t - e), after = spline.at(t + e);
            EXPECT_LT(length(after.first - before.first), 1e-5);
            EXPECT_LT(length(after.second - before.second), 1e-4);
            EXPECT_LT(length((after.position - before.position) / (2 * e) - spline.at(t).first), 1e-6);
            EXPECT_LT(length((after.first - before.first) / (2 * e) - spline.at(t).second), 1e-5);
            t += length(points[(k + 1) % n] - points[k % n]);
        }
    }
}

TEST(Spline, OpenOnesGoOnStraight) {
    Rng rng(2, 0);
    const auto points = some_points(rng, 4);
    const Spline spline(points, false, points[0]);
    const Vec3 slope = spline.at(0).first;
    EXPECT_LT(length(spline.at(-3).position - (points[0] - slope * 3)), 1e-12);
    EXPECT_NEAR(spline.length_at(-3), -3 * length(slope), 1e-12);
    const double end = spline.parameter_at(spline.length_at(100));
    EXPECT_NEAR(end, 100, 1e-9);
}

TEST(Spline, LengthOfACircle) {
    const auto points = circle(64, 2);
    const Spline spline(points, true, points[0]);
    double turn = 0;  // one lap in the parameter: the sum of the chords
    for (int k = 0; k < 64; ++k) turn += 2 * 2 * std::sin(kPi / 64);
    EXPECT_NEAR(spline.length_at(turn), 4 * kPi, 1e-5);
    EXPECT_NEAR(spline.length_at(-2 * turn), -8 * kPi, 2e-5);
    for (const double way : {0.3, 5.0, 30.0, -7.0})
        EXPECT_NEAR(spline.length_at(spline.parameter_at(way)), way, 1e-6);
    for (const double t : {0.1, 3.3}) EXPECT_NEAR(length(spline.at(t).position), 2, 1e-5);
}

// Lengths are those of fine polygons, across knots too, also where the curve has sharp bends.
TEST(Spline, LengthsAreIntegrals) {
    Rng rng(3, 0);
    const auto points = some_points(rng, 7);
    for (const bool is_closed : {false, true}) {
        const Spline spline(points, is_closed, points[2]);
        const double start = spline.length_at(-1), e = 1e-3;
        double sum = 0;
        for (int k = 0; k < 30000; ++k) {
            sum += length(spline.at(-1 + (k + 1) * e).position - spline.at(-1 + k * e).position);
            ASSERT_NEAR(spline.length_at(-1 + (k + 1) * e) - start, sum, 1e-3) << k;
        }
        EXPECT_NEAR(length(spline.at(spline.parameter_at(0)).position - points[2]), 0, 1e-3);
    }
}

TEST(Spline, FeetAreNearest) {
    Rng rng(4, 0);
    const auto points = some_points(rng, 6);
    const Spline spline(points, false, points[0]);
    for (int k = 0; k < 300; ++k) {
        const double at = rng.uniform(0, 6), guess = at + rng.uniform(-0.2, 0.2);
        const double x = rng.uniform(-0.1, 0.1), y = rng.uniform(-0.1, 0.1);
        const Vec3 p = spline.at(at).position + Vec3{x, y, rng.uniform(-0.1, 0.1)};
        const double found = length(spline.at(spline.foot(p, guess)).position - p);
        double least = 1e9;
        for (double t = at - 0.5; t < at + 0.5; t += 1e-3)
            least = std::min(least, length(spline.at(t).position - p));
        EXPECT_LT(found, least + 1e-9);
        // From far away too, by its samples.
        EXPECT_LT(length(spline.at(spline.foot(p, at + 3)).position - p), 2 * least + 0.05);
    }
}

}  // namespace
}  // namespace impuls
