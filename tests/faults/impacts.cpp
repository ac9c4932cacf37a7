// Impacts: energy and momenta of what bounces without friction stay what they were.
#include <algorithm>
#include <cmath>

#include "faults/fault.h"

namespace impuls::faults {

namespace {

constexpr const char* kElastic = "restitution 1 without friction: closed form";

// Largest change of a component of linear or angular momentum, relative to that at hand at the start.
double change(const Track& t, const char* quantity, double scale) {
    double most = 0;
    for (const double value : t.column(quantity))
        most = std::max(most, std::abs(value - t.first(quantity)) / scale);
    return most;
}

FaultLaw keeps_momentum(const char* name, const char* quantity, double scale) {
    return {name,
            [=](const Track& t) { return change(t, quantity, scale); },
            exactly(0),
            {1e-6, 1e-6, 1e-6, kNotJudged},
            "no outer force along it: closed form"};
}

// Two boxes of 1 kg and 0.1 m at 1 m/s: 0.1 kg m^2/s is what one of them may carry.
FaultScene two_boxes(const char* name) {
    return {.name = name,
            .seconds = 0.6,
            .long_seconds = 0.6,
            .quantities = {"momentum.linear.x", "momentum.angular.magnitude"},
            .laws = {no_gain(), keeps_kinetic_energy({1e-6, 1e-6, 0.02, kNotJudged}, kElastic),
                     keeps_momentum("momentum", "momentum.linear.x", 1),
                     keeps_momentum("angular momentum", "momentum.angular.magnitude", 0.1)},
            .variants = time_steps({1.0 / 60, 1.0 / 30, 1.0 / 50, 1.0 / 97, 1.0 / 240, 1.0 / 480})};
}

// v' = e v at any gap, also one that a whole number of substeps closes.
std::vector<Variant> gaps() {
    std::vector<Variant> variants{{}};
    for (int k = 1; k < 12; ++k)
        variants.push_back({"0.0013 m * " + std::to_string(k) + " farther",
                            [k](Scene& scene) { scene.bodies[1].position.y += 0.0013 * k; }});
    return variants;
}

}  // namespace

std::vector<FaultScene> impact_faults() {
    return {
        {.name = "elastic-cube-gains",
         .seconds = 60,
         .long_seconds = 600,
         .laws = {no_gain(),
                  {"energy kept",
                   [](const Track& t) { return t.last("energy.total") / t.first("energy.total"); },
                   exactly(1),
                   {1e-6, 1e-6, 0.05, kNotJudged},
                   kElastic}}},
        {.name = "fast-box-bounce-gains",
         .seconds = 0.8,
         .long_seconds = 0.8,
         .laws = {no_gain(), keeps_kinetic_energy({1e-6, 1e-6, 0.02, kNotJudged}, kElastic)},
         .variants = time_steps({1.0 / 60, 1.0 / 30, 1.0 / 97, 1.0 / 240})},
        two_boxes("default-box-box-gain"),
        two_boxes("default-box-box-loss"),
        {.name = "fast-three-balls-gain",
         .seconds = 1,
         .long_seconds = 1,
         .quantities = {"bodies.b0.velocity.x"},
         .laws = {no_gain(),
                  keeps_kinetic_energy({1e-5, 1e-5, 1e-5, kNotJudged}, kElastic),
                  {"speed after",
                   [](const Track& t) { return t.last("bodies.b0.velocity.x"); },
                   exactly(-0.2),
                   {0.025, 5e-4, 0.05, kNotJudged},
                   "symmetry, momentum and energy: -1/5"}}},
        {.name = "fast-billiard-break",
         .seconds = 1,
         .long_seconds = 1,
         .quantities = {"momentum.linear.x", "momentum.linear.z", "momentum.angular.y"},
         .laws = {no_gain(), keeps_kinetic_energy({1e-3, 1e-3, 0.02, kNotJudged}, kElastic),
                  keeps_momentum("momentum along", "momentum.linear.x", 0.17 * 8),
                  keeps_momentum("momentum across", "momentum.linear.z", 0.17 * 8),
                  keeps_momentum("angular momentum", "momentum.angular.y", 0.17 * 8 * 0.057)},
         .variants = time_steps({1.0 / 60, 1.0 / 480})},
        {.name = "gas-of-boxes",
         .seconds = 10,
         .long_seconds = 30,
         .laws = {no_gain(),
                  keeps_kinetic_energy({1e-3, 1e-3, 0.02, kNotJudged}, kElastic),
                  {"penetration",
                   [](const Track& t) { return t.largest("max_penetration") / 0.06; },
                   exactly(0),
                   {0.05, 0.05, 0.05, kNotJudged},
                   "crush: 5 % of the smallest edge"}},
         .is_light = false},
        {.name = "fast-no-rebound",
         .seconds = 0.5,
         .long_seconds = 0.5,
         .quantities = {"bodies.b.velocity.y"},
         .laws = {{"speed after",
                   [](const Track& t) { return t.last("bodies.b.velocity.y"); },
                   exactly(1.8),
                   {1e-9, 1e-9, 1e-6, 1e-6},
                   "Newton: e v"}},
         .variants = gaps()},
        {.name = "percussion",
         .seconds = 0.2,
         .long_seconds = 0.2,
         .quantities = {"bodies.rod.angular_velocity.z", "bodies.ball.velocity.x"},
         .laws = {no_gain(),
                  {"turn of the rod",
                   [](const Track& t) { return t.last("bodies.rod.angular_velocity.z"); },
                   exactly(1.5 * 0.5 * 3 * 0.4 / (2.0 / 3 + 0.5 * 0.16)),
                   {1e-3, 1e-3, 0.01, kNotJudged},
                   "(1 + e) m v l / (I + m l^2), I = 2/3 kg m^2 about the hinge"},
                  {"speed of the ball",
                   [](const Track& t) { return t.last("bodies.ball.velocity.x"); },
                   exactly(0.4 * 0.9 / (2.0 / 3 + 0.08) - 1.5),
                   {1e-3, 1e-3, 0.01, kNotJudged},
                   "Newton: w l - e v"}}},
    };
}

}  // namespace impuls::faults
