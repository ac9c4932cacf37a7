// Motion along splines: lengths against subdivision, rates against differences and integration, degenerate
// places.
#include "math/motion/path_motion.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/rng.h"
#include "math/bspline.h"
#include "math/integrators/methods.h"
#include "support/constants.h"
#include "support/full_size.h"

namespace impuls {
namespace {

std::vector<Vec3> controls_at_random(Rng& rng, int n) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) {
        const double x = rng.uniform(-0.4, 0.4), y = rng.uniform(-1, 1);
        points.push_back({x + k, y, rng.uniform(-1, 1)});
    }
    return points;
}
Spline b_spline(const std::vector<Vec3>& controls) {
    return Spline::of_controls(controls, even_breaks(controls.size()));
}

// Basis functions: a partition of one, and those of the cardinal spline inside.
TEST(BSpline, Basis) {
    const std::vector<double> breaks{0, 0.5, 2, 3, 3.1, 5};
    for (double t = 0; t <= 5; t += 0.01) {
        const CubicBasis b = cubic_basis(breaks, t), after = cubic_basis(breaks, t + 1e-6),
                         before = cubic_basis(breaks, t - 1e-6);
        double sum = 0, slope = 0, bend = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_GE(b.value[j], 0);
            sum += b.value[j], slope += b.slope[j], bend += b.bend[j];
            if (after.first != before.first) continue;
            EXPECT_NEAR(b.slope[j], (after.value[j] - before.value[j]) / 2e-6,
                        1e-6 * (1 + std::abs(b.slope[j])));
            EXPECT_NEAR(b.bend[j], (after.slope[j] - before.slope[j]) / 2e-6,
                        1e-5 * (1 + std::abs(b.bend[j])));
        }
        EXPECT_NEAR(sum, 1, 1e-14);
        EXPECT_NEAR(slope, 0, 1e-12);
        EXPECT_NEAR(bend, 0, 1e-10);
    }
    const std::vector<double> even = even_breaks(10);
    ASSERT_EQ(even.size(), 8u);
    const CubicBasis b = cubic_basis(even, 4);
    EXPECT_NEAR(b.value[0], 1.0 / 6, 1e-15);
    EXPECT_NEAR(b.value[1], 4.0 / 6, 1e-15);
    EXPECT_NEAR(b.value[2], 1.0 / 6, 1e-15);
}

// The spline of controls is the sum of its basis, ends at its controls and is smooth at knots.
TEST(BSpline, CurveOfControls) {
    Rng rng(1, 0);
    const std::vector<Vec3> controls = controls_at_random(rng, 8);
    const std::vector<double> breaks = even_breaks(8);
    const Spline spline = b_spline(controls);
    for (double t = 0; t <= breaks.back(); t += 0.037) {
        const CubicBasis b = cubic_basis(breaks, t);
        Vec3 place, slope, bend;
        for (std::size_t j = 0; j < 4; ++j) {
            place += controls[b.first + j] * b.value[j];
            slope += controls[b.first + j] * b.slope[j];
            bend += controls[b.first + j] * b.bend[j];
        }
        EXPECT_LT(length(spline.at(t).position - place), 1e-14);
        EXPECT_LT(length(spline.at(t).first - slope), 1e-13);
        EXPECT_LT(length(spline.at(t).second - bend), 1e-12);
        const double e = 1e-6;
        if (std::floor(t - e) == std::floor(t + e)) {
            EXPECT_LT(length(spline.third(t) - (spline.at(t + e).second - spline.at(t - e).second) / (2 * e)),
                      1e-7);
        }
    }
    EXPECT_LT(length(spline.at(0).position - controls.front()), 1e-15);
    EXPECT_LT(length(spline.at(breaks.back()).position - controls.back()), 1e-15);
}

// Erleben's adaptive subdivision by de Casteljau, with Gravesen's mean of polygon and chord.
double subdivided(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, int depth) {
    const double polygon = length(b - a) + length(c - b) + length(d - c), chord = length(d - a);
    if (depth == 0 || polygon - chord < 1e-7 * (polygon + 1e-9)) return 0.5 * (polygon + chord);
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), cd = 0.5 * (c + d), abc = 0.5 * (ab + bc),
               bcd = 0.5 * (bc + cd), middle = 0.5 * (abc + bcd);
    return subdivided(a, ab, abc, middle, depth - 1) + subdivided(middle, bcd, cd, d, depth - 1);
}
double subdivided(const Spline& spline, double from, double to) {  // within a piece
    const Spline::Point a = spline.at(from), d = spline.at(to);
    const double third = (to - from) / 3;
    // First derivatives from inside the piece: they are continuous.
    return subdivided(a.position, a.position + a.first * third, d.position - d.first * third, d.position, 30);
}

TEST(SpecConstraints, T20_arc_length) {
    Rng rng(2, 0);
    for (int round = 0; round < amount(20, 200) + 1; ++round) {
        const std::vector<Vec3> controls = controls_at_random(rng, 7);
        const ArcLength path(b_spline(controls));
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            const double u = k + rng.uniform(0.05, 0.95);
            EXPECT_NEAR(path.length_at(u) - sum, subdivided(path.spline(), k, u), 1e-8);
            sum += subdivided(path.spline(), k, k + 1);
            EXPECT_NEAR(path.length_at(k + 1), sum, 1e-8);
            EXPECT_NEAR(path.parameter_at(path.length_at(u)), u, 1e-8);
            const double s = path.total() * rng.uniform();
            EXPECT_NEAR(path.length_at(path.parameter_at(s)), s, 1e-12);
        }
        EXPECT_NEAR(path.total(), sum, 1e-8);
        EXPECT_TRUE(path.stops().empty());
    }
    // The existing lengths of splines agree to what they promise; closed and interpolating ones too.
    const std::vector<Vec3> points = controls_at_random(rng, 6);
    const ArcLength closed(Spline(points, true, points[0]));
    EXPECT_NEAR(closed.length_at(3), closed.spline().length_at(3) - closed.spline().length_at(0), 1e-3);
    EXPECT_NEAR(closed.length_at(closed.parameter_at(2.5 * closed.total())), 2.5 * closed.total(), 1e-10);
    EXPECT_NEAR(closed.length_at(closed.parameter_at(-0.3)), -0.3, 1e-12);
}

// An arc that is known: a straight line, run through at changing speed by its controls.
TEST(ArcLength, OfALine) {
    const std::vector<Vec3> controls{{0, 0, 0}, {0.1, 0.2, 0.2}, {1, 2, 2}, {1.2, 2.4, 2.4}, {2, 4, 4}};
    const ArcLength path(b_spline(controls));
    EXPECT_NEAR(path.total(), 6, 1e-12);
    for (double s = -1; s < 7; s += 0.21)
        EXPECT_LT(length(path.spline().at(path.parameter_at(s)).position - Vec3{1, 2, 2} * (s / 3)), 1e-11);
}

using Course = std::vector<TimeCourse::Control>;

// Times at the means of breaks make t(v) linear: a straight line in (t, s) then has constant speed; so it has
// anyway.
TEST(TimeCourse, ConstantSpeed) {
    const TimeCourse course(Course{{0, 0}, {0.3, 0.6}, {1, 2}, {1.7, 3.4}, {2, 4}});
    for (double t = -0.5; t < 2.5; t += 0.01) {
        EXPECT_NEAR(course.at(t).way, 2 * t, 1e-12);
        EXPECT_NEAR(course.at(t).speed, 2, 1e-12);
        EXPECT_NEAR(course.at(t).acceleration, 0, 1e-9);
    }
}

TEST(TimeCourse, EasedFromRestToRest) {
    const TimeCourse course = TimeCourse::eased(3, 5, 0.25);
    EXPECT_NEAR(course.duration(), 3, 1e-14);
    EXPECT_NEAR(course.at(0).way, 0, 1e-14);
    EXPECT_NEAR(course.at(3).way, 5, 1e-14);
    EXPECT_NEAR(course.at(0).speed, 0, 1e-12);
    EXPECT_NEAR(course.at(3).speed, 0, 1e-12);
    EXPECT_NEAR(course.at(1.5).speed, 5 / (3 * 0.75), 1e-12);
    EXPECT_NEAR(course.at(1.5).acceleration, 0, 1e-10);
    double before = -1;
    for (double t = 0; t <= 3; t += 0.01) {
        EXPECT_GT(course.at(t).way, before - 1e-15);
        before = course.at(t).way;
    }
    EXPECT_NEAR(course.at(4).way, 5, 1e-12);  // stays
}

// T19: rates against central differences, relative 1e-6 and 1e-4; constant speed along a curve, ends
// included.
TEST(SpecConstraints, T19_rates_against_differences) {
    Rng rng(3, 0);
    for (int round = 0; round < amount(20, 100) + 1; ++round) {
        const PathMotion motion(
            ArcLength(b_spline(controls_at_random(rng, 8))),
            TimeCourse(Course{{0, 0}, {0.4, 0.1}, {1, 0.7}, {1.5, 3}, {2.2, 4}, {3, 4.5}}));
        for (double t = 0.05; t < 2.95; t += 0.0497) {
            const double e = 1e-5;
            const auto at = motion.at(t), after = motion.at(t + e), before = motion.at(t - e);
            const Vec3 v = (after.place.value - before.place.value) / (2 * e),
                       a = (after.place.first - before.place.first) / (2 * e);
            EXPECT_LT(length(at.place.first - v), 1e-6 * length(v));
            EXPECT_LT(length(at.place.second - a), 1e-4 * (length(a) + length(v)));
            EXPECT_FALSE(at.is_degenerate);
        }
    }
}

TEST(SpecConstraints, T19_constant_speed_with_ends) {
    Rng rng(4, 0);
    const ArcLength path(b_spline(controls_at_random(rng, 8)));
    const double way = path.total();
    const PathMotion motion(path, TimeCourse(Course{{0, 0}, {1, way / 3}, {2, 2 * way / 3}, {3, way}}));
    for (int k = 0; k <= 300; ++k)
        EXPECT_NEAR(length(motion.at(k / 100.0).place.first), way / 3, 1e-6 * way / 3) << k;
    EXPECT_LT(length(motion.at(3).place.value - path.spline().at(path.spline().knots().back()).position),
              1e-10);
}

// T19: integrating a(t) with Runge-Kutta gives the positions.
TEST(SpecConstraints, T19_integrated_acceleration_gives_the_path) {
    const PathMotion motion(
        ArcLength(b_spline({{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 1}, {4, 0, 1}, {5, 0, 0}, {6, 1, 0}})),
        TimeCourse::eased(4, 6, 0.3));
    using namespace integrators;
    class Driven final : public System {
      public:
        explicit Driven(const PathMotion& m) : motion_(m) {}
        std::size_t size() const override { return 6; }
        void rate(double t, std::span<const double> y, std::span<double> out) override {
            const Vec3 a = motion_.at(t).place.second;
            for (int k = 0; k < 3; ++k) out[k] = y[3 + k], out[3 + k] = a[k];
        }

      private:
        const PathMotion& motion_;
    } driven(motion);
    Options options;
    options.step = kSlowBuild ? 0.02 : 0.002;
    const auto integrator = make_runge_kutta(driven, options);
    const auto start = motion.at(0).place;
    integrator->start(
        0, Vector{start.value.x, start.value.y, start.value.z, start.first.x, start.first.y, start.first.z});
    double worst = 0;
    while (integrator->time() < 4) {
        integrator->step(4);
        const Vec3 at{integrator->state()[0], integrator->state()[1], integrator->state()[2]};
        worst = std::fmax(worst, length(at - motion.at(integrator->time()).place.value));
    }
    EXPECT_LT(worst, kSlowBuild ? 1e-3 : 1e-5);
}

// A cusp (c' = 0 where three controls meet): it is found, and what comes out is finite and said to be
// interpolated.
TEST(PathMotion, CuspsAreFoundAndPassed) {
    const ArcLength path(
        b_spline({{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, 1, 0}, {2, 1, 0}, {3, 0, 0}, {4, 0, 0}}));
    ASSERT_EQ(path.stops().size(), 1u);
    EXPECT_NEAR(path.stops()[0], 2, 1e-6);
    const double s = path.length_at(2), way = path.total();
    const PathMotion motion(path, TimeCourse(Course{{0, 0}, {1, way / 3}, {2, 2 * way / 3}, {3, way}}));
    const double t = 3 * s / way;
    const auto at = motion.at(t);
    EXPECT_TRUE(at.is_degenerate);
    EXPECT_LT(length(at.place.value - Vec3{2, 1, 0}), 1e-6);
    EXPECT_TRUE(is_finite(at.place.first) && is_finite(at.place.second));
    EXPECT_LE(length(at.place.first), way / 3 * (1 + 1e-6));
    EXPECT_FALSE(motion.at(0.9 * t).is_degenerate);
    EXPECT_NEAR(length(motion.at(0.9 * t).place.first), way / 3, 1e-6);
    // A stop at an end.
    const ArcLength ending(b_spline({{0, 0, 0}, {0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3, 0, 0}}));
    ASSERT_EQ(ending.stops().size(), 1u);
    const PathMotion off(ending, TimeCourse(Course{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
    EXPECT_TRUE(is_finite(off.at(0).place.first));
    EXPECT_NEAR(length(off.at(0).place.first), 1, 1e-3);
}

}  // namespace
}  // namespace impuls
