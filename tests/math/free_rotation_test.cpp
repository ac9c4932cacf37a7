// Conservation and convergence of free rotation.
#include "math/free_rotation.h"

#include <gtest/gtest.h>

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
    const double rounding = 10000 * 4.4e-16;  // two units in the last place a step
    EXPECT_NEAR(energy(s) / energy(kStart), 1, rounding);
    EXPECT_LT(length(momentum(s) - momentum(kStart)) / length(momentum(kStart)), rounding);
}

TEST(FreeRotation, midpoint_splits_large_steps) {
    Spin s = kStart;
    for (int k = 0; k < 100; ++k) s = rotate_midpoint(s, kInertia, {}, 1.5);
    EXPECT_NEAR(energy(s) / energy(kStart), 1, 1e-12);
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
