// Conservation and convergence of free rotation.
#include "math/free_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/rng.h"

namespace impuls {
namespace {

const Vec3 kInertia{1, 2, 3};
const Spin kStart{from_axis_angle({1, 2, 3}, 0.7), {0.4, 2.0, 1.1}};

double energy(const Spin& s) {
    const Vec3 W = rotate_inverse(s.q, s.w);
    return 0.5 * dot(W, scale(kInertia, W));
}
Vec3 momentum(const Spin& s) {
    return rotate(s.q, scale(kInertia, rotate_inverse(s.q, s.w)));
}

Spin run(Integrator method, double h, double time, const Vec3& torque = {}) {
    Spin s = kStart;
    const int n = static_cast<int>(time / h + 0.5);
    for (int k = 0; k < n; ++k) s = rotate_freely(method, s, kInertia, torque, h);
    return s;
}

double distance(const Spin& a, const Spin& b) {
    const double dot_q = a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z;
    return std::sqrt(std::max(0.0, 1 - dot_q * dot_q)) + length(a.w - b.w);
}

TEST(FreeRotation, midpoint_keeps_energy_and_momentum_to_rounding) {
    const Spin s = run(Integrator::SemiImplicit, 0.02, 200);
    const double rounding = 10000 * 2.2e-16;  // one unit in the last place a step
    EXPECT_NEAR(energy(s) / energy(kStart), 1, rounding);
    EXPECT_LT(length(momentum(s) - momentum(kStart)) / length(momentum(kStart)), rounding);
}

TEST(FreeRotation, midpoint_splits_large_steps) {
    Spin s = kStart;
    for (int k = 0; k < 100; ++k) s = rotate_midpoint(s, kInertia, {}, 1.5);
    EXPECT_NEAR(energy(s) / energy(kStart), 1, 1e-12);
}

// Rounding errors add up like a random walk, not one-sidedly: a hundred times the steps, far less than a
// hundred times the error.
TEST(FreeRotation, midpoint_drifts_like_a_random_walk) {
    const Spin s = run(Integrator::SemiImplicit, 0.02, 20000);
    const double rounding = std::sqrt(1e6) * 50 * 2.2e-16;
    EXPECT_NEAR(energy(s) / energy(kStart), 1, rounding);
    EXPECT_LT(length(momentum(s) - momentum(kStart)) / length(momentum(kStart)), rounding);
}

// No real body has these moments, but they can be given: the equations still keep energy and momentum.
TEST(FreeRotation, midpoint_takes_any_moments) {
    for (const Vec3& inertia : {Vec3{0.05, 1, 3}, Vec3{1, 1, 40}, Vec3{0, 1, 1}, Vec3{1e-9, 2, 2}}) {
        const auto l = [&](const Spin& s) { return rotate(s.q, scale(inertia, rotate_inverse(s.q, s.w))); };
        Spin s = kStart;
        for (int k = 0; k < 1000; ++k) s = rotate_midpoint(s, inertia, {}, 0.02);
        EXPECT_LT(length(l(s) - l(kStart)), 1e-11 * length(l(kStart))) << inertia.x;
        EXPECT_NEAR(dot(l(s), s.w) / dot(l(kStart), kStart.w), 1, 1e-11) << inertia.x;
    }
}

TEST(FreeRotation, every_integrator_survives_hundreds_of_turns_a_step) {
    for (const auto method : {Integrator::SemiImplicit, Integrator::Rk4}) {
        const Spin s = rotate_freely(method, {kStart.q, kStart.w * 1e3}, kInertia, {1, 2, 3}, 1);
        EXPECT_TRUE(is_finite(s.q) && is_finite(s.w)) << static_cast<int>(method);
        EXPECT_NEAR(length_squared(s.q), 1, 1e-14);
    }
}

// Beyond what pieces resolve nothing bursts: explicit methods would, from about 3 rad a piece on.
TEST(FreeRotation, every_integrator_survives_any_spin) {
    for (const auto method : {Integrator::SemiImplicit, Integrator::Rk4}) {
        Spin s{kStart.q, kStart.w * 1e8};
        for (int k = 0; k < 100; ++k) s = rotate_freely(method, s, kInertia, {1, 2, 3}, 1e-4);
        EXPECT_TRUE(is_finite(s.q) && is_finite(s.w)) << static_cast<int>(method);
        EXPECT_NEAR(length(s.w), 1e8 * length(kStart.w), 1e-6 * length(s.w));
    }
}

// From rest, many radians within one step.
TEST(FreeRotation, midpoint_divides_by_what_the_torque_adds) {
    const Vec3 torque{3, -20, 5};
    const Spin s = rotate_midpoint({kStart.q, {}}, kInertia, torque, 1);
    EXPECT_LT(length(momentum(s) - torque), 1e-3 * length(torque));
}

bool same_bits(const Spin& a, const Spin& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Every lane by itself, for all numbers of pieces; the lane beside it holds nonsense.
TEST(FreeRotation, lanes_give_the_bits_of_one_body) {
    Rng rng(3, 0);
    for (int sample = 0; sample < 500; ++sample) {
        const double h = 0.02, angle = kPieceAngle * std::exp2(rng.uniform(-3, kMaxHalvings - 0.001));
        SpinGroup group;
        Spin expected[SpinGroup::kLanes];
        int halvings = 0;
        for (int lane = 0; lane < SpinGroup::kLanes; ++lane) {
            const Vec3 m{rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1)};
            const Vec3 inertia{m.y + m.z, m.x + m.z, m.x + m.y};
            const Spin s{rng.rotation(), rotate(rng.rotation(), {1, 0, 0}) * (angle / h)};
            const Tumbling t = tumbling_of(angle / h, inertia, divided({1, 1, 1}, inertia), h);
            halvings = t.halvings;
            group.set(lane, s, t.ratio);
            expected[lane] = rotate_midpoint(s, inertia, {}, h);
        }
        const int broken = static_cast<int>(rng.next() % SpinGroup::kLanes);
        group.set(broken, {{NAN, 0, 0, 0}, {INFINITY, 1, 2}}, {1, 1, 1});
        rotate_midpoint(group, halvings, h);
        for (int lane = 0; lane < SpinGroup::kLanes; ++lane) {
            if (lane == broken) continue;
            ASSERT_TRUE(same_bits(group.get(lane), expected[lane]))
                << sample << ' ' << lane << ' ' << halvings;
        }
    }
}

// Two tops at once, symmetric about any axis or none, slow or fast, forwards and backwards.
TEST(FreeRotation, two_tops_give_the_bits_of_one) {
    Rng rng(5, 0);
    const auto draw = [&](int axis, double speed) {
        Vec3 inverse{3, 3, 3};
        if (axis < 3) inverse[axis] = 7;
        if (axis == 4) inverse = {2, 3, 5};
        const double x = rng.uniform(-speed, speed), y = rng.uniform(-speed, speed);
        return FreeTop{rng.rotation(), {x, y, rng.uniform(-speed, speed)}, inverse, axis};
    };
    for (int n = 0; n < 2000; ++n) {
        FreeTop a = draw(n % 5, n % 7 == 0 ? 100 : 1), b = draw(n / 5 % 5, n % 11 == 0 ? 100 : 1);
        const double h = rng.uniform(-0.1, 0.1);
        const Quat expected[] = {turned_freely(a.q, a.l, a.inverse_inertia, a.axis, h),
                                 turned_freely(b.q, b.l, b.inverse_inertia, b.axis, h)};
        turned_freely(a, b, h);
        EXPECT_EQ(std::memcmp(&a.q, &expected[0], sizeof(Quat)), 0) << n;
        EXPECT_EQ(std::memcmp(&b.q, &expected[1], sizeof(Quat)), 0) << n;
    }
}

TEST(FreeRotation, spin_about_a_fixed_axis_is_exact) {
    const Spin start{{}, {0, 0, 7}};
    Spin s = start;
    for (int k = 0; k < 1000; ++k) s = rotate_midpoint(s, kInertia, {}, 0.01);
    const Quat exact = from_axis_angle({0, 0, 1}, 70);
    EXPECT_NEAR(std::abs(s.q.w * exact.w + s.q.z * exact.z), 1, 1e-14);
    EXPECT_EQ(s.w.z, 7);
}

// Halving the step divides the error by 2^order.
TEST(FreeRotation, orders_of_convergence) {
    const Spin exact = run(Integrator::Reference, 0.01, 1);
    const auto ratio = [&](Integrator method, double h) {
        return distance(run(method, h, 1), exact) / distance(run(method, h / 2, 1), exact);
    };
    EXPECT_NEAR(ratio(Integrator::SemiImplicit, 0.02), 4, 0.2);
    EXPECT_NEAR(ratio(Integrator::Rk4, 0.02), 16, 1.5);
}

TEST(FreeRotation, reference_does_not_depend_on_its_step) {
    EXPECT_LT(distance(run(Integrator::Reference, 0.01, 1), run(Integrator::Reference, 0.1, 1)), 1e-11);
}

// dL/dt = T for a constant world torque, in every integrator.
TEST(FreeRotation, torque_changes_angular_momentum) {
    const Vec3 torque{0.3, -0.2, 0.5};
    for (const auto method : {Integrator::SemiImplicit, Integrator::Rk4, Integrator::Reference}) {
        const Vec3 change = momentum(run(method, 0.001, 1, torque)) - momentum(kStart);
        EXPECT_LT(length(change - torque), 1e-9) << static_cast<int>(method);
    }
}

}  // namespace
}  // namespace impuls
