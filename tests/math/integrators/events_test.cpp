// Events between steps: times to 1e-10 s, several, simultaneous and grazing ones, and bouncing balls.
#include "math/integrators/events.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "problems.h"
#include "support/full_size.h"

namespace impuls::integrators {
namespace {

class Functions final : public Crossings {
  public:
    using Value = std::function<double(double, std::span<const double>)>;
    explicit Functions(std::vector<Value> functions) : functions_(std::move(functions)) {}
    std::size_t count() const override { return functions_.size(); }
    void values(double t, std::span<const double> y, std::span<double> out) override {
        for (std::size_t k = 0; k < functions_.size(); ++k) out[k] = functions_[k](t, y);
    }

  private:
    std::vector<Value> functions_;
};

std::vector<Event> events_of(Functions functions, double end, double tolerance = 1e-12) {
    Problem system = oscillator();
    Options options;
    options.tolerance = tolerance, options.dense = DenseOutput::Quintic;
    const auto integrator = make_dormand_prince(system, options);
    integrator->start(0, Vector{0, 1});  // sin t, cos t
    EventFinder finder(functions, 2, {});
    std::vector<Event> found;
    while (integrator->time() < end && integrator->step(end).step > 0)
        for (const Event& event : finder.find(*integrator)) found.push_back(event);
    return found;
}

TEST(IntegratorEvents, CrossingsToTheTolerance) {
    const auto found =
        events_of(Functions({[](double, auto y) { return y[0]; }, [](double, auto y) { return y[1]; },
                             [](double, auto y) { return y[0] - 0.3; }}),
                  7);
    std::vector<Event> expected;
    for (int k = 1; k * kPi < 7; ++k) expected.push_back({0, k * kPi, k % 2 == 0 ? 1 : -1});
    for (int k = 0; (k + 0.5) * kPi < 7; ++k) expected.push_back({1, (k + 0.5) * kPi, k % 2 == 0 ? -1 : 1});
    const double a = std::asin(0.3);
    expected.push_back({2, a, 1}), expected.push_back({2, kPi - a, -1}),
        expected.push_back({2, 2 * kPi + a, 1});
    std::sort(expected.begin(), expected.end(),
              [](const Event& x, const Event& y) { return x.time < y.time; });
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].function, expected[k].function) << k;
        EXPECT_EQ(found[k].direction, expected[k].direction) << k;
        EXPECT_NEAR(found[k].time, expected[k].time, 2e-10) << k;
    }
}

// sin t - 1 touches zero; sin t - (1 - 1e-9) crosses twice within 9e-5 s; sin t - (1 + 1e-6) does neither.
TEST(IntegratorEvents, Grazing) {
    const auto found = events_of(
        Functions({[](double, auto y) { return y[0] - 1; }, [](double, auto y) { return y[0] - (1 - 1e-9); },
                   [](double, auto y) { return y[0] - (1 + 1e-6); }}),
        6);
    std::vector<Event> touches, crossings;
    for (const Event& event : found) {
        EXPECT_LT(event.function, 2u);
        (event.function == 0 ? touches : crossings).push_back(event);
    }
    ASSERT_GE(touches.size(), 1u);
    ASSERT_LE(touches.size(), 2u);  // rounding may lift the top above one
    EXPECT_NEAR(touches[0].time, 0.5 * kPi, 1e-5);
    ASSERT_EQ(crossings.size(), 2u);
    const double apart = std::acos(1 - 1e-9);
    EXPECT_NEAR(crossings[0].time, 0.5 * kPi - apart, 1e-7);  // slopes of 4e-5: errors of 1e-12 in y
    EXPECT_NEAR(crossings[1].time, 0.5 * kPi + apart, 1e-7);
    EXPECT_EQ(crossings[0].direction, 1);
    EXPECT_EQ(crossings[1].direction, -1);
}

// The time of a touch where values are exact: a square.
TEST(IntegratorEvents, TimeOfATouch) {
    const auto found =
        events_of(Functions({[](double t, auto) { return (t - 1.234567) * (t - 1.234567); }}), 3);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].direction, 0);
    EXPECT_NEAR(found[0].time, 1.234567, 1e-10);
}

TEST(IntegratorEvents, SimultaneousOnesTogether) {
    Functions functions({[](double, auto y) { return y[1]; }, [](double t, auto) { return t - 1; },
                         [](double, auto y) { return -y[1]; }, [](double, auto y) { return y[0] - 0.9; }});
    Problem system = oscillator();
    Options options;
    options.step = 3, options.tolerance = 1e-3;
    const auto integrator = make_dormand_prince(system, options);
    integrator->start(0, Vector{0, 1});
    EventFinder finder(functions, 2, {});
    std::vector<std::size_t> order;
    bool is_together = false;
    while (integrator->time() < 3 && integrator->step(3).step > 0) {
        for (const Event& event : finder.find(*integrator)) order.push_back(event.function);
        const auto first = finder.first();
        if (first.size() == 2 && first[0].function == 0 && first[1].function == 2) is_together = true;
    }
    const std::vector<std::size_t> expected{1, 3, 0, 2, 3};
    EXPECT_EQ(order, expected);
    EXPECT_TRUE(is_together || order == expected);
}

// Many crossings in one long step, and none twice when stepping goes on from an event.
TEST(IntegratorEvents, GoingOnFromAnEvent) {
    Problem system(1, 0, [](double, auto, auto out) { out[0] = 1; });
    const auto integrator = make_dormand_prince(system, {});
    Functions functions({[](double, auto y) { return std::sin(y[0]); }});
    EventFinder finder(functions, 1, {});
    Vector y{0.5};
    integrator->start(0.5, y);
    int count = 0;
    while (integrator->time() < 20 && integrator->step(std::fmin(20, integrator->time() + 1.5)).step > 0) {
        const auto found = finder.find(*integrator);
        if (found.empty()) continue;
        ++count;
        EXPECT_NEAR(found[0].time, count * kPi, 1.1e-10);
        const double t = found[0].time;
        integrator->interpolate(t, y);
        integrator->start(t, y);
    }
    EXPECT_EQ(count, 6);
}

// A ball of restitution 0.81 from 0.05 m, and the times and heights of its bounces (spec: workbench 3).
struct Bounces {
    std::vector<double> times, heights;
};
Bounces bounce(double tolerance, double most_step) {
    Problem system(2, 1, [](double, auto y, auto out) { out[0] = y[1], out[1] = -kG; });
    Options options;
    options.tolerance = tolerance, options.most_step = most_step;
    const auto integrator = make_dormand_prince(system, options);
    integrator->start(0, Vector{0.05, 0});
    Functions functions({[](double, auto y) { return y[0]; }, [](double, auto y) { return y[1]; }});
    EventFinder finder(functions, 2, {});
    Bounces result;
    Vector y(2);
    while (result.heights.size() < 5 && integrator->time() < 2 && integrator->step(2).step > 0) {
        for (const Event& event : finder.find(*integrator)) {
            if (event.direction > 0) continue;
            integrator->interpolate(event.time, y);
            if (event.function == 1) {
                result.heights.push_back(y[0]);
                continue;
            }
            result.times.push_back(event.time);
            y[0] = 0, y[1] *= -0.81;
            integrator->start(event.time, y);
            break;
        }
    }
    return result;
}

TEST(SpecWorkbench, T1_bounce_times_and_heights) {
    for (const double most_step : {1.0, 0.01}) {
        const Bounces found = bounce(1e-9, most_step);
        const double first = std::sqrt(2 * 0.05 / kG);
        double time = first, height = 0.05, flight = 2 * first;
        ASSERT_GE(found.times.size(), 5u);
        ASSERT_EQ(found.heights.size(), 5u);
        for (std::size_t k = 0; k < 5; ++k) {
            EXPECT_NEAR(found.times[k], time, 1e-6) << k;
            height *= 0.81 * 0.81, flight *= 0.81, time += flight;
            EXPECT_NEAR(found.heights[k], height, 1e-6 * height) << k;
        }
    }
}

// T10: 100 m/s on a plate of 1 mm, whatever the longest step; the distance to the plate has two zeros.
TEST(SpecWorkbench, T10_no_tunnelling_at_any_step) {
    for (const double most_step : {1e-5, 1e-3, 0.1, 10.0}) {
        Problem system(2, 1, [](double, auto y, auto out) { out[0] = y[1], out[1] = -kG; });
        Options options;
        options.most_step = most_step;
        const auto integrator = make_dormand_prince(system, options);
        integrator->start(0, Vector{3, -100});
        Functions functions({[](double, auto y) { return std::abs(y[0]) - 0.5e-3; }});
        EventFinder finder(functions, 2, {});
        double hit = 0;
        while (hit == 0 && integrator->time() < 1 && integrator->step(1).step > 0) {
            const auto found = finder.find(*integrator);
            if (!found.empty()) hit = found[0].time;
        }
        const double way = 3 - 0.5e-3, expected = (std::sqrt(1e4 + 2 * kG * way) - 100) / kG;
        EXPECT_NEAR(hit, expected, 2e-10) << most_step;
    }
}

}  // namespace
}  // namespace impuls::integrators
