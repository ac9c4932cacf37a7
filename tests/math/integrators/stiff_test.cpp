// Stiff springs: 1e8 N/m on 1 kg with steps of 1 ms, 1 mm off (10 radians a step).
#include <gtest/gtest.h>

#include "problems.h"

namespace impuls::integrators {
namespace {

constexpr double kStiffness = 1e8, kGravity = 9.81, kLength = 1, kOff = 1e-3, kStep = 1e-3;

// A mass on a spring of rest length 1 m that hangs from the origin; y is its depth.
class StiffSpring final : public System {
  public:
    StiffSpring(double damping, bool knows_jacobian) : damping_(damping), knows_jacobian_(knows_jacobian) {}
    std::size_t size() const override { return 2; }
    std::size_t positions() const override { return 1; }
    void rate(double, std::span<const double> y, std::span<double> out) override {
        out[0] = y[1];
        out[1] = kGravity - kStiffness * (y[0] - kLength) - damping_ * y[1];
    }
    bool jacobian(double, std::span<const double>, std::span<double> by_y, std::span<double> by_t) override {
        if (!knows_jacobian_) return false;
        by_y[0] = 0, by_y[1] = 1, by_y[2] = -kStiffness, by_y[3] = -damping_;
        by_t[0] = by_t[1] = 0;
        return true;
    }

  private:
    double damping_;
    bool knows_jacobian_;
};
constexpr double kStatic = kLength + kGravity / kStiffness;

TEST(IntegratorStiff, RosenbrockFindsTheStaticLength) {
    for (const bool knows_jacobian : {true, false}) {
        StiffSpring system(100, knows_jacobian);  // 0.5 % of critical damping
        Options options;
        options.tolerance = 1e-3, options.least_step = options.most_step = kStep, options.step = kStep;
        const auto integrator = make_rosenbrock(system, options);
        integrator->start(0, Vector{kStatic + kOff, 0});
        run_to(*integrator, 1);
        EXPECT_EQ(integrator->time(), 1);
        EXPECT_NEAR(integrator->state()[0], kStatic, 1e-9) << knows_jacobian;
        EXPECT_LE(integrator->counters().steps, 1001);
    }
}

// With its own choice of steps: small ones while it swings, the longest allowed once that is over.
TEST(IntegratorStiff, RosenbrockChoosesLongStepsAtRest) {
    StiffSpring system(2e3, true);
    Options options;
    options.tolerance = 1e-6, options.most_step = 0.1;
    const auto integrator = make_rosenbrock(system, options);
    integrator->start(0, Vector{kStatic + kOff, 0});
    run_to(*integrator, 1);
    EXPECT_NEAR(integrator->state()[0], kStatic, 1e-9);
    EXPECT_GT(integrator->time() - integrator->time_before(), 0.01);
}

TEST(IntegratorStiff, MidpointIsBoundedAndKeepsEnergy) {
    for (const bool knows_jacobian : {true, false}) {
        StiffSpring system(0, knows_jacobian);
        Options options;
        options.step = kStep;
        const auto integrator = make_midpoint(system, options);
        integrator->start(0, Vector{kStatic + kOff, 0});
        const auto energy = [&] {
            const double x = integrator->state()[0] - kStatic, v = integrator->state()[1];
            return 0.5 * kStiffness * x * x + 0.5 * v * v;
        };
        const double before = energy();
        double most = 0;
        while (integrator->time() < 1) {
            ASSERT_EQ(integrator->step(1).status, Status::Ok);
            EXPECT_NEAR(energy(), before, 1e-9 * before);
            most = std::fmax(most, std::abs(integrator->state()[0] - kStatic));
        }
        EXPECT_LT(most, kOff * (1 + 1e-9));
    }
}

// DP5 cannot do it at 1 ms and says what it needs: less than 3 / omega even on the real axis, 1 / omega
// undamped.
TEST(IntegratorStiff, DormandPrinceReportsTheStepItNeeds) {
    StiffSpring system(0, false);
    Options options;
    options.tolerance = 1e-6, options.least_step = options.step = kStep;
    const auto integrator = make_dormand_prince(system, options);
    integrator->start(0, Vector{kStatic + kOff, 0});
    const Report report = integrator->step(1);
    EXPECT_EQ(report.status, Status::SmallestStep);
    EXPECT_LT(report.wanted, kStep);
    // Left free, it takes such steps, and is right.
    options.least_step = 0, options.tolerance = 1e-9, options.step = 0;
    const auto free = make_dormand_prince(system, options);
    free->start(0, Vector{kStatic + kOff, 0});
    double longest = 0;
    while (free->time() < 0.02) {
        const Report taken = free->step(0.02);
        ASSERT_EQ(taken.status, Status::Ok);
        longest = std::fmax(longest, taken.step);
    }
    EXPECT_LT(longest, 1e-4);
    EXPECT_NEAR(free->state()[0], kStatic + kOff * std::cos(1e4 * 0.02), 1e-7);
}

// A nonlinear stiff one: van der Pol with mu = 1e3 against itself at a tolerance a thousand times smaller.
TEST(IntegratorStiff, RosenbrockOnVanDerPol) {
    Problem system(2, 0, [](double, auto y, auto out) {
        out[0] = y[1], out[1] = 1e3 * (1 - y[0] * y[0]) * y[1] - y[0];
    });
    Vector ends[2];
    long evaluations = 0;
    for (int k = 0; k < 2; ++k) {
        Options options;
        options.tolerance = k == 0 ? 1e-6 : 1e-9, options.scale = 1e-3;
        const auto integrator = make_rosenbrock(system, options);
        integrator->start(0, Vector{2, 0});
        run_to(*integrator, 500);
        ends[k].assign(integrator->state().begin(), integrator->state().end());
        if (k == 0) evaluations = integrator->counters().evaluations;
    }
    EXPECT_NEAR(ends[0][0], ends[1][0], 1e-4);
    EXPECT_LT(evaluations, 3000);  // DP5 needs some 3e5
}

}  // namespace
}  // namespace impuls::integrators
