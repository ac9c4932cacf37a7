// Orders of integrators by measurement: slopes of errors against steps on problems with known solutions,
// coefficients of Dormand and Prince by their order conditions through quadrature, Gear's by exact fractions.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/integrators/gear_coefficients.h"
#include "problems.h"
#include "support/full_size.h"

namespace impuls::integrators {
namespace {

// With IMPULS_LONG the table of docs/internals/integrators.md.
void print(std::string_view name, double order, double expected) {
    if (is_long()) std::printf("%-20s order %.2f (%g)\n", std::string(name).c_str(), order, expected);
}

// Error at `end` with n equal steps. An adaptive method gets such steps by a tolerance that never refuses.
double error_of(const Method& method, System& system, const Vector& from, const Vector& to, double end, int n,
                Options options = {}) {
    options.step = options.most_step = end / n;
    if (method.has_error_control) options.tolerance = 1e9, options.least_step = options.step;
    const auto integrator = method.make(system, options);
    integrator->start(0, from);
    run_to(*integrator, end);
    EXPECT_EQ(integrator->counters().steps, n);
    return distance(integrator->state(), to);
}

double order_of(const Method& method, int coarse, int fine, const Options& options = {}) {
    Problem system = kepler();
    const double e = 0.2, end = 3;
    const Vector from = on_ellipse(e, 0), to = on_ellipse(e, end);
    const double a = error_of(method, system, from, to, end, coarse, options),
                 b = error_of(method, system, from, to, end, fine, options);
    return std::log(a / b) / std::log(static_cast<double>(fine) / coarse);
}

TEST(Integrators, OrdersByMeasurement) {
    const struct {
        const char* name;
        double least;
        int coarse, fine;
    } cases[] = {{"dormand-prince", 4.8, 50, 200},
                 {"runge-kutta", 3.9, 50, 200},
                 {"verlet", 1.9, 100, 400},
                 {"midpoint", 1.9, 100, 400},
                 {"semi-implicit-euler", 0.9, 400, 1600},
                 {"rosenbrock", 3.8, 80, 320}};
    for (const auto& c : cases) {
        const double order = order_of(*find_method(c.name), c.coarse, c.fine);
        EXPECT_GT(order, c.least) << c.name;
        EXPECT_LT(order, find_method(c.name)->order + 0.5) << c.name;
        print(c.name, order, find_method(c.name)->order);
    }
}

// Time in f and forces that depend on velocity.
TEST(Integrators, OrdersOnAForcedProblem) {
    Problem system = forced();
    const double end = 2;
    const Vector from{0, 1}, to{std::sin(end), std::cos(end)};
    for (const Method& method : methods()) {
        if (method.name == "gear") continue;
        const int n = method.order == 1 ? 800 : method.order == 2 ? 200 : 40;
        const double order = std::log2(error_of(method, system, from, to, end, n) /
                                       error_of(method, system, from, to, end, 2 * n));
        EXPECT_GT(order, method.order - 0.25) << method.name;
    }
}

// Largest error of the curve between steps of one length, beside the solution.
double curve_error(const char* name, DenseOutput dense, int n) {
    Problem system = kepler();
    const double e = 0.2, end = 3;
    Options options;
    options.dense = dense;
    options.step = options.most_step = options.least_step = end / n;
    if (find_method(name)->has_error_control) options.tolerance = 1e9;
    const auto integrator = find_method(name)->make(system, options);
    double worst = 0;
    Vector y(4);
    for (int k = 0; k < n; ++k) {  // each step from the solution, so that only the curve errs
        integrator->start(k * end / n, on_ellipse(e, k * end / n));
        integrator->step((k + 1) * end / n);
        for (const double s : {0.1, 0.3, 0.5, 0.7, 0.9}) {
            const double t = (k + s) * end / n;
            integrator->interpolate(t, y);
            worst = std::fmax(worst, distance(y, on_ellipse(e, t)));
        }
    }
    return worst;
}

// The error of a step goes with one power more than the order.
TEST(Integrators, OrdersOfDenseOutput) {
    const struct {
        const char* name;
        DenseOutput dense;
        double order;
    } cases[] = {{"dormand-prince", DenseOutput::Quartic, 4},
                 {"dormand-prince", DenseOutput::Quintic, 5},
                 {"runge-kutta", DenseOutput::Quartic, 3},
                 {"rosenbrock", DenseOutput::Quartic, 3}};
    for (const auto& c : cases) {
        const double order =
            std::log2(curve_error(c.name, c.dense, 80) / curve_error(c.name, c.dense, 160)) - 1;
        EXPECT_NEAR(order, c.order, 0.25) << c.name << c.order;
        print(std::string(c.name) + " curve", order, c.order);
    }
}

// T8: order, dense output, and how smoothly steps meet.
TEST(SpecWorkbench, T8_order_and_dense_output) {
    const double order = order_of(*find_method("dormand-prince"), 60, 120);
    EXPECT_NEAR(order, 5, 0.2);
    for (const DenseOutput dense : {DenseOutput::Quartic, DenseOutput::Quintic}) {
        Problem system = kepler();
        Options options;
        options.tolerance = 1e-6, options.dense = dense;
        const auto integrator = make_dormand_prince(system, options);
        integrator->start(0, on_ellipse(0.6, 0));
        Vector a(4), b(4), slope(4), slope_before(4), rate(4);
        while (integrator->time() < 6) {
            ASSERT_GT(integrator->step(6).step, 0);
            const double h = integrator->time() - integrator->time_before(), e = 1e-5 * h;
            // Values at the ends are those of the steps; slopes there those of f, by differences of fourth
            // order.
            integrator->interpolate(integrator->time() - 1e-14 * h, a);
            EXPECT_LT(distance(a, integrator->state()), 1e-13);
            system.rate(0, integrator->state(), rate);
            integrator->interpolate(integrator->time() - e, a);
            integrator->interpolate(integrator->time() - 2 * e, b);
            for (std::size_t k = 0; k < 4; ++k) {
                const double found = (1.5 * integrator->state()[k] - 2 * a[k] + 0.5 * b[k]) / e;
                EXPECT_NEAR(found, rate[k], 1e-6 * std::fmax(1, std::abs(rate[k]))) << k;
            }
        }
    }
}

using Rational = Fraction;
Rational times(Rational a, Rational b) {
    const long n = a.numerator * b.numerator, d = a.denominator * b.denominator, g = std::gcd(n, d);
    return {n / g, d / g};
}

// T11: from p on, d^pL/dx^p is proportional to (x + 1) .. (x + k - 1 - p); below, c_j(p, k) = p/j c_j-1(p -
// 1, k - 1), and c_0 leaves the least error for y = t^k, .. when f = f(t): checked by running it.
TEST(SpecGranular, T11_coefficients_of_gear) {
    int rows = 0;
    for (const GearCoefficients& row : gear_table()) {
        const int p = row.order, k = row.values;
        std::vector<long> product{1};  // coefficients of (x + 1) .. (x + m), m = k - 1 - p
        for (long m = 1; m <= k - 1 - p; ++m) {
            std::vector<long> next(product.size() + 1, 0);
            for (std::size_t i = 0; i < product.size(); ++i)
                next[i] += m * product[i], next[i + 1] += product[i];
            product = next;
        }
        // L = sum c_j x^j: the p-th derivative has j!/(j-p)! c_j at x^(j-p).
        for (int j = p; j < k; ++j) {
            long falling = 1, factorial = 1;
            for (int i = 0; i < p; ++i) falling *= j - i;
            for (int i = 2; i <= p; ++i) factorial *= i;
            const Rational expected =
                times({product[static_cast<std::size_t>(j - p)] * factorial, falling}, {1, product[0]});
            const Rational found = times(row.c[static_cast<std::size_t>(j)], {1, 1});
            EXPECT_EQ(found.numerator * expected.denominator, expected.numerator * found.denominator)
                << p << " " << k << " c" << j;
        }
        if (const GearCoefficients* lower = find_gear(p - 1, k - 1))
            for (int j = 1; j < k; ++j) {
                const Rational expected = times({p, j}, lower->c[static_cast<std::size_t>(j - 1)]);
                const Rational found = row.c[static_cast<std::size_t>(j)];
                EXPECT_EQ(found.numerator * expected.denominator, expected.numerator * found.denominator)
                    << p << " " << k << " c" << j;
            }
        ++rows;
    }
    EXPECT_EQ(rows, 18);
}

// Largest error of position and velocity over a unit of time.
double gear_error(System& system, int values, double h) {
    Options options;
    options.gear_values = values, options.step = h;
    const auto integrator = make_gear(system, options);
    integrator->start(0, Vector{1, 0});
    double worst = 0;
    while (integrator->time() < 1) {
        integrator->step(1);
        const double t = integrator->time();
        worst = std::fmax(worst, distance(integrator->state(), Vector{std::cos(t), -std::sin(t)}));
    }
    return worst;
}

TEST(SpecGranular, T11_order_of_gear) {
    for (int values = 4; values <= 8; ++values) {
        Problem system = oscillator();
        const double order = std::log2(gear_error(system, values, 0.05) / gear_error(system, values, 0.025));
        EXPECT_NEAR(order, values - 1, 0.2) << values;
        print("gear, values " + std::to_string(values), order, values - 1);
    }
    for (int values = 4; values <= 6; ++values) {  // y' = f: a power better where f is linear
        Problem system(2, 0, [](double, auto y, auto out) { out[0] = y[1], out[1] = -y[0]; });
        const double order = std::log2(gear_error(system, values, 0.05) / gear_error(system, values, 0.025));
        EXPECT_GT(order, values - 1.2) << values;
    }
}

// Relative change of energy in a period, beside the numbers of the text: within a factor 2.
TEST(SpecGranular, T11_energy_of_gear) {
    const struct {
        int values;
        bool is_damped;
        double drift[3];  // 20, 50, 100 steps a period
    } cases[] = {{4, false, {-1.4e-3, -1.6e-5, -5e-7}},
                 {5, false, {1.3e-3, 1.4e-5, 5e-7}},
                 {6, false, {2.6e-4, 4.5e-7, 3.5e-9}},
                 {6, true, {2.5e-6, -3.1e-6, -1.1e-7}}};
    for (const auto& c : cases)
        for (int k = 0; k < 3; ++k) {
            const int n = k == 0 ? 20 : k == 1 ? 50 : 100, periods = 50;
            Problem system = oscillator();
            Options options;
            options.gear_values = c.values, options.gear_is_damped = c.is_damped;
            options.step = 2 * kPi / n;
            const auto integrator = make_gear(system, options);
            integrator->start(0, Vector{1, 0});
            const auto energy = [&] {
                return 0.5 * (std::pow(integrator->state()[0], 2) + std::pow(integrator->state()[1], 2));
            };
            run_to(*integrator, 10 * 2 * kPi);
            const double before = energy();
            run_to(*integrator, (10 + periods) * 2 * kPi);
            const double found = (energy() / before - 1) / periods;
            EXPECT_GT(found / c.drift[k], 0.5) << c.values << " " << n << ": " << found;
            EXPECT_LT(found / c.drift[k], 2) << c.values << " " << n << ": " << found;
        }
}

}  // namespace
}  // namespace impuls::integrators
