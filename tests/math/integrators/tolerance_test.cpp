// Errors follow the tolerance, decade by decade: at most a hundred tolerances, and in proportion (slope 1 +-
// 0.15). With IMPULS_LONG the table of docs/internals/integrators.md is printed.
#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>

#include "math/integrators/events.h"
#include "problems.h"
#include "support/full_size.h"

namespace impuls::integrators {
namespace {

struct Measured {
    double error;
    Counters counters;
};
// From 1e-3 to the least tolerance.
void expect_proportion(const char* name, const std::function<Measured(double)>& run, double least) {
    std::vector<double> x, y;
    for (double tolerance = 1e-3; tolerance > 0.5 * least; tolerance *= 0.1) {
        const Measured r = run(tolerance);
        EXPECT_LT(r.error, 100 * tolerance) << name;
        x.push_back(std::log(tolerance)), y.push_back(std::log(r.error));
        if (is_long())
            std::printf("%-32s %.0e  error %.1e  %6ld evaluations, %3ld rejected\n", name, tolerance, r.error,
                        r.counters.evaluations, r.counters.rejected);
    }
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    EXPECT_NEAR(slope, 1, 0.15) << name;
    if (is_long()) std::printf("%-32s slope %.3f\n", name, slope);
}

Measured run_system(System& system, const char* method, double tolerance, const Vector& from,
                    const Vector& to, double end) {
    Options options;
    options.tolerance = tolerance;
    const auto integrator = find_method(method)->make(system, options);
    integrator->start(0, from);
    run_to(*integrator, end);
    return {distance(integrator->state(), to), integrator->counters()};
}

TEST(IntegratorTolerance, KeplersEllipse) {
    for (const char* method : {"dormand-prince", "rosenbrock"})
        expect_proportion((std::string("Kepler, ") + method).c_str(),
                          [&](double tolerance) {
                              Problem system = kepler();
                              return run_system(system, method, tolerance, on_ellipse(0.6, 0),
                                                on_ellipse(0.6, 2 * kPi), 2 * kPi);
                          },
                          method[0] == 'd' ? 1e-11 : 1e-9);
}

// Two masses of 1 kg, one below the other on springs of 1 m with 200 N/m, for 2 s; against Fehlberg's method
// of order 8.
TEST(IntegratorTolerance, DoublePendulumOnSprings) {
    Problem system(8, 4, [](double, auto y, auto out) {
        const auto pull = [](double x, double z, double& fx, double& fz) {
            const double length = std::sqrt(x * x + z * z), f = 200 * (length - 1) / length;
            fx = f * x, fz = f * z;
        };
        double fx = 0, fz = 0, gx = 0, gz = 0;
        pull(y[0], y[1], fx, fz);
        pull(y[2] - y[0], y[3] - y[1], gx, gz);
        for (std::size_t k = 0; k < 4; ++k) out[k] = y[4 + k];
        out[4] = gx - fx, out[5] = gz - fz - kG, out[6] = -gx, out[7] = -gz - kG;
    });
    const Vector from{1, 0, 2, 0, 0, 0, 0, 0};
    Vector to = from;
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
        odeint::make_controlled(1e-14, 1e-14, odeint::runge_kutta_fehlberg78<Vector>()),
        [&](const Vector& y, Vector& out, double t) { system.rate(t, y, out); }, to, 0.0, 2.0, 1e-3);
    expect_proportion(
        "double pendulum on springs",
        [&](double tolerance) { return run_system(system, "dormand-prince", tolerance, from, to, 2); },
        1e-11);
}

// A ball falls on a small planet, x'' = -1/x^2, from x = 1 on ground at 0.3 and bounces five times with
// restitution 0.9. Closed form: x = a (1 - cos u), t = a^1.5 (u - sin u) with -1/(2 a) = v^2/2 - 1/x.
TEST(IntegratorTolerance, FiveBounces) {
    const double ground = 0.3, restitution = 0.9;
    int bounces = 0;
    double a = 0.5, u = std::acos(1 - ground / a), v = std::sqrt(2 / ground - 1 / a);
    double time = a * std::sqrt(a) * ((kPi - u) + std::sin(u));  // at the ground
    double x = 0, end = 0;
    while (++bounces < 6) {
        v *= restitution;
        a = 1 / (2 / ground - v * v), u = std::acos(1 - ground / a);
        const double flight = 2 * a * std::sqrt(a) * ((kPi - u) + std::sin(u));
        if (bounces == 5) {  // and a third of the next flight
            end = time + flight / 3;
            const double mean = flight / 3 / (a * std::sqrt(a)) + (u - std::sin(u));
            for (int k = 0; k < 60; ++k) u -= (u - std::sin(u) - mean) / (1 - std::cos(u));
            x = a * (1 - std::cos(u)), v = std::sqrt(2 / x - 1 / a);
            break;
        }
        time += flight;
    }
    class Ground final : public Crossings {
      public:
        std::size_t count() const override { return 1; }
        void values(double, std::span<const double> y, std::span<double> out) override {
            out[0] = y[0] - 0.3;
        }
    } functions;
    const auto run = [&](double tolerance) {
        Problem system(2, 1, [](double, auto y, auto out) { out[0] = y[1], out[1] = -1 / (y[0] * y[0]); });
        Options options;
        options.tolerance = tolerance, options.dense = DenseOutput::Quintic;
        const auto integrator = make_dormand_prince(system, options);
        EventFinder finder(functions, 2, {.tolerance = 1e-13});
        Vector y{1, 0};
        integrator->start(0, y);
        int found = 0;
        while (integrator->time() < end && integrator->step(end).step > 0)
            for (const Event& event : finder.find(*integrator)) {
                if (event.direction >= 0) continue;
                integrator->interpolate(event.time, y);
                y[0] = ground, y[1] *= -restitution;
                integrator->start(event.time, y);
                ++found;
                break;
            }
        EXPECT_EQ(found, bounces);
        return Measured{distance(integrator->state(), Vector{x, v}), integrator->counters()};
    };
    expect_proportion("five bounces", run, 1e-11);
}

// T11: a pendulum on a rod that is a spring, let go from the horizontal: at the lowest point it is longer by
// 3 m g / c, and a tenth of that with ten times the stiffness; averaged over the oscillations of the rod
// itself.
TEST(SpecWorkbench, T11_rod_as_spring) {
    const auto stretch = [](double stiffness) {
        const double damping = std::sqrt(stiffness);  // half of critical
        Problem system(4, 2, [=](double, auto y, auto out) {
            const double length = std::sqrt(y[0] * y[0] + y[1] * y[1]), nx = y[0] / length,
                         ny = y[1] / length;
            const double f = stiffness * (length - 1) + damping * (nx * y[2] + ny * y[3]);
            out[0] = y[2], out[1] = y[3];
            out[2] = -f * nx, out[3] = -f * ny - kG;
        });
        const auto integrator = make_dormand_prince(system, {.tolerance = 1e-9});
        integrator->start(0, Vector{1, 0, 0, 0});
        while (integrator->state()[0] > 0) integrator->step(5);
        double from = integrator->time_before(), to = integrator->time();
        Vector y(4);
        while (to - from > 1e-12) {
            const double middle = 0.5 * (from + to);
            integrator->interpolate(middle, y);
            (y[0] > 0 ? from : to) = middle;
        }
        return std::hypot(y[0], y[1]) - 1;
    };
    const double soft = stretch(1e5), hard = stretch(1e6);
    EXPECT_NEAR(soft / (3 * kG / 1e5), 1, 0.02);
    EXPECT_NEAR(hard / (3 * kG / 1e6), 1, 0.02);
    EXPECT_NEAR(soft / hard, 10, 0.1);
}

}  // namespace
}  // namespace impuls::integrators
