// The stepper of ropes and sheets (steppers/strips/step.h) on islands made by hand, without a world.
#include "steppers/strips/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_made.h"

namespace impuls {
namespace {

struct ByStrips : HandMade {
    strips::Scratch scratch{};

    ByStrips() : HandMade("fast") { material().friction = 0; }
    const ParticleMotion& motion(std::uint32_t body) const { return bodies.particles[body]->now; }
    void step() { step_by(strips::fits, strips::advance, scratch); }
};

Rope level_rope(const Vec3& from, const Vec3& to, std::int64_t pieces) {
    Rope rope;
    rope.from = from;
    rope.to = to;
    rope.pieces = pieces;
    return rope;
}

// A pendulum of one link, 1 m: theta = theta_0 cos(sqrt(g/l) t) for small angles.
TEST(StripsStepper, one_link_swings_like_a_pendulum) {
    ByStrips one;
    const double start = 0.05;
    Rope rope = level_rope({}, {std::sin(start), -std::cos(start), 0}, 1);
    rope.pins = {0};
    const std::uint32_t k = one.add(some_body(rope, {}));
    const double rate = std::sqrt(kG), period = 2 * 3.141592653589793 / rate;
    double crossing = 0, before = start;
    for (int step = 1; crossing == 0 && step * one.dt < period; ++step) {
        one.step();
        const Vec3 tip = one.motion(k).x[1];
        EXPECT_EQ(one.motion(k).x[0], Vec3{});
        EXPECT_NEAR(length(tip), 1, 1e-5);
        const double angle = std::atan2(tip.x, -tip.y);
        EXPECT_NEAR(angle, start * std::cos(rate * step * one.dt), 0.03 * start);
        if (angle <= 0) crossing = (step - angle / (angle - before)) * one.dt;
        before = angle;
    }
    EXPECT_NEAR(crossing, period / 4, 0.01 * period / 4);
}

// v = -g t; places are behind by no more than what a substep of first order leaves, g t h / 2.
TEST(StripsStepper, a_free_rope_falls_as_it_is) {
    ByStrips one;
    const std::uint32_t k = one.add(some_body(level_rope({-0.5, 0, 0}, {0.5, 0, 0}, 10), {}));
    for (int step = 1; step <= 30; ++step) {
        one.step();
        const double t = step * one.dt, h = one.dt / one.outcome.substeps;
        for (std::size_t i = 0; i < 11; ++i) {
            const Vec3 x = one.motion(k).x[i], v = one.motion(k).v[i];
            EXPECT_NEAR(v.y, -kG * t, 1e-9);
            EXPECT_NEAR(x.y, -kG * t * t / 2, kG * t * h / 2 + 1e-9);
            EXPECT_NEAR(x.x, -0.5 + 0.1 * static_cast<double>(i), 1e-9);
            EXPECT_NEAR(v.x, 0, 1e-9);
        }
    }
}

TEST(StripsStepper, the_ground_bears_a_rope_by_its_weight) {
    ByStrips one;
    one.add_ground();
    const double mass = 2, radius = 0.01;
    const std::uint32_t k =
        one.add(some_body(level_rope({-0.5, 0, 0}, {0.5, 0, 0}, 10), {0, radius, 0}, {}, mass));
    double sum = 0;
    const int steps = 30;
    for (int step = 0; step < steps; ++step) {
        one.step();
        sum += one.impulse().y;
    }
    EXPECT_NEAR(sum, steps * mass * kG * one.dt, 0.01 * steps * mass * kG * one.dt);
    for (const Vec3& x : one.motion(k).x) EXPECT_NEAR(x.y, radius, 0.01 * radius);
}

TEST(StripsStepper, says_what_it_does_not_take) {
    const auto refusal = [](const char* method, double restitution, bool is_rope) {
        ByStrips one;
        one.method = resolve(parse_method(method));
        one.material().restitution = restitution;
        one.add_ground();
        if (is_rope)
            one.add(some_body(level_rope({-0.5, 0, 0}, {0.5, 0, 0}, 2), {0, 0.5, 0}));
        else
            one.add(resting_box());
        one.prepare();
        one.gather_island();
        return strips::fits(one.view(), one.island);
    };
    EXPECT_EQ(refusal("fast", 0, true), Refusal::None);
    EXPECT_EQ(refusal("accurate", 0, true), Refusal::NotSelected);
    EXPECT_EQ(refusal("fast", 0, false), Refusal::HasNoParticles);
    EXPECT_EQ(refusal("fast", 0.5, true), Refusal::ContactLaw);
    EXPECT_EQ(refusal("fast+friction=pyramid", 0, true), Refusal::FrictionModel);
}

}  // namespace
}  // namespace impuls
