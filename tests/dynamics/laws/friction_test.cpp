// Laws of friction: regularised and with bristles, against closed forms on slopes and rolling balls (spec:
// workbench 2.9).
#include <gtest/gtest.h>

#include "base/rng.h"
#include "dynamics/laws/bristle.h"
#include "dynamics/laws/sliding.h"
#include "impuls/vec.h"
#include "math/integrators/methods.h"
#include "support/constants.h"

namespace impuls::laws {
namespace {

using namespace integrators;

Vec3 some_vector(Rng& rng) {
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
    return {x, y, rng.uniform(-1, 1)};
}

TEST(SlidingFriction, DerivativesByDifferences) {
    Rng rng(1, 0);
    for (const double width : {0.0, 0.05})
        for (int k = 0; k < 200; ++k) {
            const SlidingFriction<double> law{0.6, 0.4, 0.01, width};
            const Vec3 v = some_vector(rng) * (k % 2 == 0 ? 0.005 : 0.1),
                       d = normalized(some_vector(rng)) * 1e-8;
            const double n = 7, speed = length(v);
            if (std::abs(speed - law.slow) < 1e-6) continue;
            const auto f = force_of(law, v, n);
            const Vec3 t = v / speed,
                       found = (force_of(law, v + d, n).force - force_of(law, v - d, n).force) / 2;
            const Vec3 expected = t * (-f.along * dot(t, d)) - (d - t * dot(t, d)) * f.across;
            EXPECT_LT(length(found - expected), 1e-5 * length(d) * (f.along + f.across + 1)) << k;
            EXPECT_NEAR(f.loss, -dot(f.force, v), 1e-14);
            EXPECT_LE(length(f.force), 0.6 * n * (1 + 1e-12));
        }
}

TEST(SlidingFriction, StaticCoefficientAtItsEdgeAndSlidingBeyond) {
    const SlidingFriction<double> aero{0.6, 0.4, 0.01}, smooth{0.6, 0.4, 0.01, 0.02};
    EXPECT_NEAR(force_of(aero, Vec3{0.01, 0, 0}, 10.0).force.x, -6, 1e-12);
    EXPECT_NEAR(force_of(aero, Vec3{0.0100001, 0, 0}, 10.0).force.x, -4, 1e-12);
    EXPECT_NEAR(force_of(smooth, Vec3{0.0100001, 0, 0}, 10.0).force.x, -6, 1e-4);
    EXPECT_NEAR(force_of(smooth, Vec3{0.03, 0, 0}, 10.0).force.x, -5, 1e-12);  // half the excess at one width
    EXPECT_NEAR(force_of(smooth, Vec3{100, 0, 0}, 10.0).force.x, -4, 1e-6);
    EXPECT_EQ(force_of(aero, Vec3{}, 10.0).force, Vec3{});
}

// Speed along a slope after 10 s with regularised friction.
double speed_on_slope(const SlidingFriction<double>& law, double angle) {
    class Slope final : public System {
      public:
        std::size_t size() const override { return 1; }
        void rate(double, std::span<const double> y, std::span<double> out) override {
            out[0] = kG * std::sin(angle) + force_of(law, Vec3{y[0], 0, 0}, kG * std::cos(angle)).force.x;
        }
        SlidingFriction<double> law{};
        double angle = 0;
    } slope;
    slope.law = law, slope.angle = angle;
    const auto integrator = make_dormand_prince(slope, {.tolerance = 1e-8, .scale = law.slow});
    integrator->start(0, Vector{0});
    while (integrator->time() < 10 && integrator->step(10).step > 0) {
    }
    return integrator->state()[0];
}

// T13: a body creeps at v_Tmax tan a / m on a slope, slips beyond the angle of friction; a ball that slides
// rolls at 5/7.
TEST(SpecWorkbench, T13_friction) {
    const SlidingFriction<double> law{0.5, 0.5, 0.01};
    for (const double angle : {0.1, 0.3, 0.4})
        EXPECT_NEAR(speed_on_slope(law, angle), 0.01 * std::tan(angle) / 0.5, 1e-4 * 0.01);
    const double limit = std::atan(0.5);
    EXPECT_LT(speed_on_slope(law, 0.99 * limit), 0.01);
    const double beyond = 1.01 * limit, gain = kG * (std::sin(beyond) - 0.5 * std::cos(beyond));
    EXPECT_NEAR(speed_on_slope(law, beyond), 10 * gain, 0.02 + 1e-3 * 10 * gain);

    class Ball final : public System {  // mass 1, radius 0.1: v, w
      public:
        std::size_t size() const override { return 2; }
        void rate(double, std::span<const double> y, std::span<double> out) override {
            const double f =
                force_of(SlidingFriction<double>{0.3, 0.3, 1e-4}, Vec3{y[0] - 0.1 * y[1], 0, 0}, kG).force.x;
            out[0] = f, out[1] = -f * 0.1 / (0.4 * 0.01);
        }
    } ball;
    const double start = 2;
    const auto integrator = make_dormand_prince(ball, {.tolerance = 1e-8});
    integrator->start(0, Vector{start, 0});
    const double rolls = 2 * start / (7 * 0.3 * kG);
    while (integrator->time() < 0.98 * rolls && integrator->step(0.98 * rolls).step > 0) {
    }
    EXPECT_GT(integrator->state()[0] - 0.1 * integrator->state()[1], 0.01);  // still slides
    while (integrator->time() < 2 * rolls && integrator->step(2 * rolls).step > 0) {
    }
    EXPECT_NEAR(integrator->state()[0], 5.0 / 7 * start, 2e-3 * start);
    EXPECT_NEAR(integrator->state()[0], 0.1 * integrator->state()[1], 1e-4);
}

// A block on a slope that bears on it more and more for half a second: rests for ever below the static limit,
// slides with the sliding coefficient beyond.
struct OnSlope {
    double position = 0, speed = 0;
    bool is_sliding = false;
};
OnSlope slide(const Bristle<double>& law, double angle, double end) {
    const double h = 1e-4, normal = kG * std::cos(angle), pull = kG * std::sin(angle);
    BristleState<Vec3> state;
    OnSlope s;
    for (int k = 0; k < end / h; ++k) {
        const Vec3 v{s.speed, 0, 0};
        state = advance(law, state, v, normal, h);
        s.speed += h * (pull * std::fmin(1, 2 * k * h) + force_of(law, state, v, normal).force.x);
        s.position += h * s.speed;
    }
    s.is_sliding = state.is_sliding;
    return s;
}

TEST(Bristle, SticksForEverAndSlidesWithTheOtherCoefficient) {
    const Bristle<double> law{1e4, 250, 0.6, 0.4};
    const double rest = std::atan(0.58);
    const OnSlope early = slide(law, rest, 1), late = slide(law, rest, 4);
    EXPECT_FALSE(late.is_sliding);
    EXPECT_NEAR(late.position, kG * std::sin(rest) / 1e4, 1e-9);  // the stretch that carries it
    EXPECT_NEAR(late.position, early.position, 1e-12);
    const double steep = std::atan(0.62), gain = kG * (std::sin(steep) - 0.4 * std::cos(steep));
    const OnSlope off = slide(law, steep, 1), later = slide(law, steep, 2);
    EXPECT_TRUE(later.is_sliding);
    EXPECT_NEAR(later.speed - off.speed, gain, 1e-6 * gain);
}

// Work done on a bristle driven back and forth is stored or lost, never gained.
TEST(Bristle, NeverGainsEnergy) {
    const Bristle<double> law{1e4, 5, 0.6, 0.4};
    BristleState<Vec3> state;
    double work = 0, h = 1e-4, most_stored = 0;
    int slides = 0;
    for (int k = 0; k < 40000; ++k) {
        const double t = k * h;
        const Vec3 v{0.002 * std::cos(7 * t), 0.0013 * std::sin(5 * t), 0};
        state = advance(law, state, v, 3.0, h);
        const auto f = force_of(law, state, v, 3.0);
        work -= dot(f.force, v) * h;
        EXPECT_GE(work - f.energy, -1e-6);
        EXPECT_LE(length(f.force), 0.6 * 3 * (1 + 1e-12));
        most_stored = std::fmax(most_stored, f.energy);
        slides += state.is_sliding;
    }
    EXPECT_GT(most_stored, 0);
    EXPECT_GT(slides, 1000);
    EXPECT_LT(slides, 39000);
    EXPECT_EQ(force_of(law, state, Vec3{1, 0, 0}, 0.0).force, Vec3{});  // let go
    EXPECT_EQ(advance(law, state, Vec3{1, 0, 0}, 0.0, h).stretch, Vec3{});
}

// Carried with a pair that turns as a whole, in small steps, the stretch turns as the pair does.
TEST(Bristle, TurnsWithThePair) {
    Rng rng(2, 0);
    for (int k = 0; k < 20; ++k) {
        const Vec3 w = some_vector(rng);
        const Vec3 normal = normalized(some_vector(rng)),
                   across = normalized(cross(normal, some_vector(rng)));
        const int steps = 2000;
        const Quat turn = from_axis_angle(w, 2 * length(w) / steps);
        Vec3 n = normal, s = across * 0.01;
        Quat q;
        for (int i = 0; i < steps; ++i) {
            q = normalized(turn * q);
            const Vec3 next = normalized(rotate(q, normal));
            s = carried(s, n, next, dot(w, 0.5 * (n + next)) * 2 / steps);
            n = next;
            ASSERT_NEAR(length(s), 0.01, 1e-15);
            ASSERT_NEAR(dot(s, n), 0, 1e-15);
        }
        EXPECT_LT(length(s - rotate(q, across * 0.01)), 1e-2 * 1e-5);
    }
    // A spin alone.
    const Vec3 spun = carried(Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, 1}, 0.01);
    EXPECT_NEAR(spun.x, std::cos(0.01), 1e-11);
    EXPECT_NEAR(spun.y, std::sin(0.01), 1e-11);
}

TEST(Bristle, MindlinsRatio) {
    EXPECT_NEAR(mindlin_ratio(0.0), 1, 1e-15);
    EXPECT_NEAR(mindlin_ratio(0.5), 2.0 / 3, 1e-15);
}

}  // namespace
}  // namespace impuls::laws
