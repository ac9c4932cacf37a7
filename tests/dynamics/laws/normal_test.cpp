// Laws of normal contact: derivatives by differences, energies by quadrature, impacts against closed forms;
// AERO's spring law and penalty contact as the texts say (spec: workbench 2.7, 2.8).
#include "dynamics/laws/normal.h"

#include <gtest/gtest.h>

#include "dynamics/laws/impact_forms.h"
#include "impact_run.h"
#include "support/constants.h"

namespace impuls::laws {
namespace {

using State = NormalState<double>;

template <class Law>
void expect_derivatives(const Law& law, bool has_damping) {
    for (const double depth : {1e-6, 1e-4, 3e-3})
        for (const double speed : {-0.3, -0.01, 0.02, 0.4}) {
            const auto at = [&](double d, double v) { return force_of(law, State{d, v}).force; };
            const NormalForce<double> f = force_of(law, {depth, speed});
            const double dd = 1e-5 * depth, dv = 1e-6;
            EXPECT_GE(f.force, 0);
            EXPECT_NEAR(f.stiffness, (at(depth + dd, speed) - at(depth - dd, speed)) / (2 * dd),
                        1e-7 * (f.stiffness + 1));
            EXPECT_NEAR(f.damping, (at(depth, speed + dv) - at(depth, speed - dv)) / (2 * dv),
                        1e-7 * (f.damping + f.force + 1));
            // Energy: the integral of the force at rest, by Simpson's rule over the root of the depth.
            double sum = 0;
            const int n = 200;
            const auto rest = [&](double x) { return force_of(law, State{x * x, 0}).force * 2 * x; };
            for (int k = 0; k < n; ++k) {
                const double a = std::sqrt(depth) * k / n, b = std::sqrt(depth) * (k + 1) / n;
                sum += (b - a) / 6 * (rest(a) + 4 * rest(0.5 * (a + b)) + rest(b));
            }
            EXPECT_NEAR(force_of(law, {depth, 0.0}).energy, sum, 1e-9 * sum);
            if (!has_damping) {
                EXPECT_EQ(f.damping, 0);
            }
        }
    EXPECT_EQ(force_of(law, State{-1e-3, 1}).force, 0);
    EXPECT_EQ(force_of(law, State{0, 1}).force, 0);
}

TEST(NormalLaws, DerivativesAndEnergies) {
    expect_derivatives(Linear<double>{1e5, 40}, true);
    expect_derivatives(Hertz<double>{3e8}, false);
    expect_derivatives(HuntCrossley<double>{3e8, 0.7}, true);
    expect_derivatives(as_printed(1e5, 0.6), false);
    expect_derivatives(corrected(1e5, 0.6), false);
    expect_derivatives(Penalty<double>{1e5, 40, 1}, true);
}

TEST(NormalLaws, InSinglePrecision) {
    const auto d = force_of(HuntCrossley<double>{3e8, 0.7}, {1e-4, 0.2});
    const auto f = force_of(HuntCrossley<float>{3e8F, 0.7F}, {1e-4F, 0.2F});
    EXPECT_NEAR(f.force / d.force, 1, 1e-5);
    EXPECT_NEAR(f.stiffness / d.stiffness, 1, 1e-5);
}

// Steel on steel: a ball of 10 mm on a plane.
TEST(NormalLaws, ModulusOfSteel) {
    const double modulus = effective_modulus(210e9, 0.3, 210e9, 0.3);
    EXPECT_NEAR(modulus, 210e9 / (2 * 0.91), 1);
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(effective_modulus(1e9, 0.5, infinity, 0.0), 1e9 / 0.75, 1);
    EXPECT_EQ(in_series(0.01, infinity), 0.01);
    EXPECT_EQ(in_series(2.0, 2.0), 1);
    EXPECT_NEAR(hertz_of(modulus, 0.01).stiffness, 4.0 / 3 * modulus * 0.1, 1);
}

TEST(NormalLaws, ImpactOfHertz) {
    const Hertz<double> law = hertz_of(effective_modulus(210e9, 0.3, 210e9, 0.3), 0.01);
    for (const double speed : {0.01, 1.0, 10.0}) {
        const double mass = 0.03;
        const HertzImpact expected = impact_of(law, mass, speed);
        const ImpactRun found = run_impact(
            [&](double d, double v) {
                return force_of(law, State{d, v}).force;
            },
            mass, speed, [](double d, double) { return d; });
        EXPECT_NEAR(found.depth / expected.depth, 1, 1e-8);
        EXPECT_NEAR(found.force / expected.force, 1, 1e-8);
        EXPECT_NEAR(found.duration / expected.duration, 1, 1e-6);
        EXPECT_NEAR(found.restitution, 1, 1e-6);
        // 2.87 (m^2 / (R E*^2 v))^(1/5), as the text has it.
        const double modulus = law.stiffness / (4.0 / 3 * 0.1);
        EXPECT_NEAR(
            expected.duration / (2.87 * std::pow(mass * mass / (0.01 * modulus * modulus * speed), 0.2)), 1,
            1e-3);
    }
}

TEST(NormalLaws, RestitutionOfALinearContact) {
    const double mass = 0.2, stiffness = 1e5;
    for (const double share : {0.0, 0.05, 0.3, 0.69, 0.72, 0.95, 1.3, 3.0}) {  // of critical damping
        const Linear<double> law{stiffness, share * 2 * std::sqrt(stiffness * mass)};
        const ImpactRun found = run_impact(
            [&](double d, double v) { return law.stiffness * d + law.damping * v; }, mass, 0.7,
            [&](double d, double v) { return law.stiffness * d + law.damping * v + (share == 0 && d == 0); });
        EXPECT_NEAR(found.restitution, restitution_of(law, mass), 1e-7) << share;
    }
    for (const double e : {1.0, 0.9, 0.5, 0.2, 0.05})
        EXPECT_NEAR(restitution_of(Linear<double>{stiffness, damping_for(e, stiffness, mass)}, mass), e,
                    1e-12);
}

TEST(NormalLaws, RestitutionOfHuntCrossley) {
    for (const double e : {0.95, 0.8, 0.5, 0.2, 0.05}) {
        const double speed = 0.7;
        const HuntCrossley<double> law{3e8, dissipation_for(e, speed)};
        EXPECT_NEAR(restitution_of(law, speed), e, 1e-10);
        const ImpactRun found = run_impact(
            [&](double d, double v) {
                return force_of(law, State{d, v}).force;
            },
            0.2, speed, [](double d, double) { return d; });
        EXPECT_NEAR(found.restitution, e, 1e-6) << e;
    }
    // Slow impacts lose little: e = 1 - 2/3 l v.
    EXPECT_NEAR(restitution_of(HuntCrossley<double>{1, 1}, 1e-5), 1 - 2.0 / 3 * 1e-5, 1e-9);
    EXPECT_EQ(restitution_of(HuntCrossley<double>{1, 0}, 1), 1);
}

// T2: the law as printed gives the root of the restitution asked for, the corrected one gives it.
TEST(SpecWorkbench, T2_spring_law) {
    for (const double e : {0.81, 0.5, 1.0}) {
        for (const bool is_printed : {true, false}) {
            const UnloadingSpring<double> law = is_printed ? as_printed(1e5, e) : corrected(1e5, e);
            const ImpactRun found = run_impact(
                [&](double d, double v) {
                    return force_of(law, State{d, v}).force;
                },
                0.2, 0.99045, [](double d, double) { return d; });
            const double expected = is_printed ? std::sqrt(e) : e;
            EXPECT_NEAR(found.restitution, expected, 1e-7);
            EXPECT_NEAR(restitution_of(law), expected, 1e-15);
        }
    }
}

// T12: on k points a weight sinks by m g / (k c); critically damped it does not go beyond by 1 %; never a
// pull.
TEST(SpecWorkbench, T12_penalty_contact) {
    using namespace integrators;
    const double mass = 2, stiffness = 1e4;
    const int points = 4;
    const Penalty<double> law{stiffness, 2 * std::sqrt(stiffness * mass / points), 10};
    class Sinking final : public System {
      public:
        Sinking(const Penalty<double>& law_in, double mass_in) : law(law_in), mass_(mass_in) {}
        std::size_t size() const override { return 2; }
        void rate(double, std::span<const double> y, std::span<double> out) override {
            const double force = force_of(law, State{y[0], y[1]}).force;
            least = std::fmin(least, force);
            out[0] = y[1], out[1] = kG - points * force / mass_;
        }
        Penalty<double> law;
        double least = 0;

      private:
        double mass_;
    } sinking(law, mass);
    const double expected = mass * kG / (points * stiffness);
    for (const bool is_pushed_in : {false, true}) {
        const auto integrator = make_dormand_prince(sinking, {});
        const Vector from{is_pushed_in ? 20 * expected : 1e-12, 0};
        integrator->start(0, from);
        double deepest = 0;
        while (integrator->time() < 3 && integrator->step(3).step > 0)
            deepest = std::fmax(deepest, integrator->state()[0]);
        EXPECT_NEAR(integrator->state()[0], expected, 1e-3 * expected);
        if (!is_pushed_in) {
            EXPECT_LT(deepest, 1.01 * expected);
        }
    }
    EXPECT_GE(sinking.least, 0);
    EXPECT_TRUE(is_impact(law, State{1e-3, 11}));
    EXPECT_FALSE(is_impact(law, State{1e-3, 9}));
    EXPECT_EQ(force_of(law, State{1e-3, 11}).force, 0);
}

}  // namespace
}  // namespace impuls::laws
