// Control of steps: limits and failures are reported with their component,
// nothing is allocated in a step, equal runs give equal bits, and Boost.Odeint finds the same.
#include <gtest/gtest.h>

#include <bit>
#include <boost/numeric/odeint.hpp>

#include "math/integrators/events.h"
#include "problems.h"
#include "support/counting_new.h"
#include "support/full_size.h"

namespace impuls::integrators {
namespace {

// T9: a spring that is stiff in turns; few refusals, errors within ten tolerances a second.
TEST(SpecWorkbench, T9_step_control) {
    Problem system(2, 1, [](double t, auto y, auto out) {
        const double k = std::fmod(t, 2) < 1 ? 1 : 1e4;  // changes are ends of runs below
        out[0] = y[1], out[1] = -k * y[0];
    });
    Options options;
    options.tolerance = 1e-8;
    const auto integrator = make_dormand_prince(system, options);
    Vector y{1, 0};
    integrator->start(0, y);
    double x = 1, v = 0;  // by closed form, span after span
    for (int k = 0; k < 6; ++k) {
        run_to(*integrator, k + 1);
        const double omega = k % 2 == 0 ? 1 : 100, c = std::cos(omega), s = std::sin(omega);
        const double next = x * c + v / omega * s;
        v = v * c - x * omega * s, x = next;
        integrator->restart(Vector(integrator->state().begin(), integrator->state().end()));
    }
    EXPECT_NEAR(integrator->state()[0], x, 10 * options.tolerance * std::abs(x));  // it has grown to some 800
    EXPECT_LT(static_cast<double>(integrator->counters().rejected),
              0.2 * static_cast<double>(integrator->counters().steps));
}

TEST(IntegratorControl, ReportsTheSmallestStep) {
    Problem system = oscillator(1e4);
    Options options;
    options.least_step = 1e-3;
    const auto integrator = make_dormand_prince(system, options);
    integrator->start(0, Vector{1, 0});
    const Report report = integrator->step(1);
    EXPECT_EQ(report.status, Status::SmallestStep);
    EXPECT_GE(report.step, 1e-3);
    EXPECT_LT(report.wanted, 1e-3);
    EXPECT_LT(report.component, 2u);
}

// y1' = y1^2 is infinite at t = 1, y0 is harmless: every method stops there and names y1, and what it has
// stays finite.
TEST(IntegratorControl, ReportsWhatIsNotFinite) {
    for (const Method& method : methods()) {
        if (method.needs_positions) continue;
        Problem system(2, 0, [](double t, auto y, auto out) {
            out[0] = -y[0], out[1] = t < 1 ? y[1] : std::numeric_limits<double>::quiet_NaN();
        });
        Options options;
        options.step = method.has_error_control ? 0 : 0.01;
        const auto integrator = method.make(system, options);
        integrator->start(0, Vector{1, 1});
        Report report;
        while (integrator->time() < 2) {
            report = integrator->step(2);
            if (report.step == 0) break;
        }
        EXPECT_EQ(report.status, Status::NotFinite) << method.name;
        EXPECT_EQ(report.component, 1u) << method.name;
        EXPECT_NEAR(integrator->time(), 1, 0.06) << method.name;
        EXPECT_EQ(first_not_finite(integrator->state()), 2u) << method.name;
    }
}

TEST(IntegratorControl, HitsTheEndExactly) {
    for (const Method& method : methods()) {
        Problem system = oscillator();
        Options options;
        options.step = 0.03;
        const auto integrator = method.make(system, options);
        integrator->start(0, Vector{1, 0});
        for (const double end : {0.1, 0.1000001, 0.7, 1.0}) {
            run_to(*integrator, end);
            EXPECT_EQ(integrator->time(), end) << method.name;
        }
        EXPECT_LT(std::abs(integrator->state()[0] - std::cos(1.0)), 0.02) << method.name;
    }
}

class TwoCrossings final : public Crossings {
  public:
    std::size_t count() const override { return 2; }
    void values(double, std::span<const double> y, std::span<double> out) override {
        out[0] = y[0], out[1] = y[0] - 0.5;
    }
};

TEST(IntegratorControl, StepsAllocateNothing) {
    for (const Method& method : methods()) {
        Problem system = oscillator(1, 0.1);
        Options options;
        options.step = method.has_error_control ? 0 : 0.01;
        options.dense = DenseOutput::Quintic;
        const auto integrator = method.make(system, options);
        TwoCrossings functions;
        EventFinder finder(functions, 2, {});
        integrator->start(0, Vector{1, 0});
        Vector y(2);
        integrator->step(10);
        const long before = allocations;
        int events = 0;
        while (integrator->time() < 10 && integrator->step(10).step > 0) {
            integrator->interpolate(0.5 * (integrator->time() + integrator->time_before()), y);
            events += static_cast<int>(finder.find(*integrator).size());
        }
        EXPECT_EQ(allocations, before) << method.name;
        EXPECT_GE(events, 4) << method.name;
    }
}

// And the same with every compiler: a hash (FNV-1a) of all ends, found by g++ 12 Release and clang 14 Debug
// alike.
TEST(IntegratorControl, EqualRunsGiveEqualBits) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Method& method : methods()) {
        std::vector<Vector> ends;
        for (int run = 0; run < 2; ++run) {
            Problem system = kepler();
            Options options;
            options.step = method.has_error_control ? 0 : 0.01;
            const auto integrator = method.make(system, options);
            integrator->start(0, on_ellipse(0.4, 0));
            run_to(*integrator, 1);
            if (run == 1) {  // whatever it did before
                integrator->start(0, on_ellipse(0.4, 0));
                run_to(*integrator, 1);
            }
            ends.emplace_back(integrator->state().begin(), integrator->state().end());
        }
        EXPECT_EQ(ends[0], ends[1]) << method.name;
        for (const double value : ends[0])
            hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u;
    }
    EXPECT_EQ(hash, 0x794d93ba93e66994u) << std::hex << hash;
}

// Half way into memory, and on by another: the same bits as without.
TEST(IntegratorControl, GoesOnFromItsMemory) {
    for (const Method& method : methods()) {
        Problem system = kepler();
        Options options;
        options.step = method.has_error_control ? 0 : 0.01;
        const auto whole = method.make(system, options), other = method.make(system, options);
        whole->start(0, on_ellipse(0.4, 0));
        run_to(*whole, 0.505);
        Memory memory, after_a_look;
        whole->save(memory);
        Vector y(4);
        whole->interpolate(0.503, y);  // looking changes nothing
        whole->save(after_a_look);
        EXPECT_EQ(Vector(memory.numbers().begin(), memory.numbers().end()),
                  Vector(after_a_look.numbers().begin(), after_a_look.numbers().end()))
            << method.name;
        run_to(*whole, 1.5);
        other->start(3, on_ellipse(0.1, 1));  // whatever it did before
        other->step(4);
        Memory read(memory.numbers());
        other->load(read);
        EXPECT_EQ(other->time(), 0.505) << method.name;
        run_to(*other, 1.5);
        EXPECT_EQ(Vector(whole->state().begin(), whole->state().end()),
                  Vector(other->state().begin(), other->state().end()))
            << method.name;
    }
}

// Boost.Odeint with the same steps: the same method to rounding.
TEST(IntegratorControl, LikeOdeint) {
    namespace odeint = boost::numeric::odeint;
    Problem system = kepler();
    const auto f = [&](const Vector& y, Vector& out, double t) { system.rate(t, y, out); };
    const int steps = 300;
    const double h = 0.02;
    Vector by_runge_kutta = on_ellipse(0.5, 0), by_dopri = by_runge_kutta;
    odeint::runge_kutta4<Vector> runge_kutta;
    odeint::runge_kutta_dopri5<Vector> dopri;
    for (int k = 0; k < steps; ++k) {
        runge_kutta.do_step(f, by_runge_kutta, k * h, h);
        dopri.do_step(f, by_dopri, k * h, h);
    }
    const auto ours = [&](const char* name) {
        Options options;
        options.step = options.least_step = options.most_step = h, options.tolerance = 1e9;
        auto integrator = find_method(name)->make(system, options);
        integrator->start(0, on_ellipse(0.5, 0));
        for (int k = 0; k < steps; ++k) integrator->step(1e9);
        return Vector(integrator->state().begin(), integrator->state().end());
    };
    EXPECT_LT(distance(ours("runge-kutta"), by_runge_kutta), 1e-11);
    EXPECT_LT(distance(ours("dormand-prince"), by_dopri), 1e-11);

    // Error control of both: errors of the same size, whatever the steps.
    for (const double tolerance : {1e-6, 1e-9}) {
        Vector theirs = on_ellipse(0.5, 0);
        odeint::integrate_adaptive(odeint::make_controlled(tolerance, tolerance, dopri), f, theirs, 0.0,
                                   2 * kPi, 1e-3);
        Options options;
        options.tolerance = tolerance;
        const auto integrator = make_dormand_prince(system, options);
        integrator->start(0, on_ellipse(0.5, 0));
        run_to(*integrator, 2 * kPi);
        EXPECT_LT(distance(integrator->state(), theirs), 1000 * tolerance);  // theirs err by some 300
    }
}

}  // namespace
}  // namespace impuls::integrators
