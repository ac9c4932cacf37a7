// Rolling, rocking and spinning on a plane: closed forms, and Runge-Kutta on the equations of a rolling solid
// (tests/reference/rolling.h).
#include <algorithm>
#include <cmath>

#include "faults/fault.h"
#include "reference/patches.h"
#include "reference/rolling.h"
#include "support/constants.h"

namespace impuls::faults {

namespace {

using reference::RollingSolid;
using reference::RollingState;

// Angle between the body's y axis and up, from the columns of its orientation.
double tilt(const Track& t, const std::string& body, std::size_t k) {
    const std::string q = "bodies." + body + ".orientation.";
    const double x = t.column(q + "x")[k], z = t.column(q + "z")[k];
    return std::acos(std::clamp(1 - 2 * (x * x + z * z), -1.0, 1.0));
}

// Of a column that oscillates about 0: mean time between its upward passages.
double period(const std::vector<double>& times, const std::vector<double>& values, double level = 0) {
    std::vector<double> passages;
    for (std::size_t k = 1; k < values.size(); ++k) {
        const double a = values[k - 1] - level, b = values[k] - level;
        if (a < 0 && b >= 0) passages.push_back(times[k - 1] + (times[k] - times[k - 1]) * a / (a - b));
    }
    if (passages.size() < 2) return 0;
    return (passages.back() - passages.front()) / static_cast<double>(passages.size() - 1);
}

// Largest absolute value in the last `span` seconds over that in the first.
double amplitude_ratio(const Track& t, const std::string& quantity, double span) {
    double before = 0, after = 0;
    const std::vector<double>& values = t.column(quantity);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (t.times[k] <= span) before = std::max(before, std::abs(values[k]));
        if (t.times[k] >= t.times.back() - span) after = std::max(after, std::abs(values[k]));
    }
    return after / before;
}

// A solid released at rest in this orientation rocks about z.
double rocking_period(const RollingSolid& solid, const Quat& start) {
    RollingState state{.q = start};
    const double h = 1e-4;
    double time = 0, before = 0;
    for (int halves = 0; halves < 2 && time < 100; time += h) {
        before = state.w.z;
        state = reference::rolled(solid, state, h, 1);
        halves += before * state.w.z < 0;
    }
    return time - h * (1 - before / (before - state.w.z));
}

RollingSolid ball_of(double mass, double radius, const Vec3& inertia, const Vec3& centre) {
    return {.mass = mass,
            .inertia = diagonal(inertia),
            .shape = diagonal({radius * radius, radius * radius, radius * radius}),
            .centre = centre};
}

RollingSolid roly_poly() {
    return ball_of(10, 0.5, {0.8, 0.8, 0.8}, {0, 0.2, 0});
}
RollingSolid rocking_ellipsoid() {
    const double a = 0.25, b = 0.09, c = 0.16;
    return {.mass = 10, .inertia = diagonal(Vec3{b + c, a + c, a + b} * 2.0), .shape = diagonal({a, b, c})};
}
RollingSolid rattleback() {
    const Mat3 Q = to_matrix(Quat{0.992197667229329, 0, 0.12467473338522769, 0});
    return {.mass = 1,
            .inertia = diagonal({0.00026, 0.00218, 0.00208}),
            .shape = Q * diagonal({0.01, 0.0004, 0.0009}) * transpose(Q)};
}
RollingSolid tippe_top() {
    return ball_of(0.006, 0.02, {8.88e-7, 9.6e-7, 8.88e-7}, {0, 0.003, 0});
}

double rattleback_spin(double seconds) {
    return reference::rolled(rattleback(), {.w = {0.05, 5, 0}}, seconds, 20000).w.y;
}

// Largest tilt from 1 s on and energy lost by 8 s, by Runge-Kutta; converged to 1 % in the smoothing.
struct TippeTop {
    double tilt = 0, loss = 0;
};
const TippeTop& spun_top() {
    static const TippeTop result = [] {
        TippeTop top;
        RollingState s{.q = {0.9987502603949663, 0, 0, 0.04997916927067833},
                       .w = {-14.975012497024224, 149.25062479170387, 0}};
        const double before = reference::rolling_energy(tippe_top(), s);
        for (int k = 0; k < 800; ++k) {
            s = reference::slipped(tippe_top(), 0.3, 1e-4, s, 0.01, 1000);
            if (k >= 100) top.tilt = std::max(top.tilt, std::acos(rotate(s.q, {0, 1, 0}).y));
        }
        top.loss = 1 - reference::rolling_energy(tippe_top(), s) / before;
        return top;
    }();
    return result;
}

double largest_tilt(const Track& t, const std::string& body, double from) {
    double most = 0;
    for (std::size_t k = 0; k < t.size(); ++k)
        if (t.times[k] >= from) most = std::max(most, tilt(t, body, k));
    return most;
}

// The inclination, in degrees, that is farthest from where it began.
double strayed_inclination(const Track& t) {
    double worst = tilt(t, "d", 0);
    for (std::size_t k = 0; k < t.size(); ++k)
        if (const double a = tilt(t, "d", k); std::abs(a - kPi / 4) > std::abs(worst - kPi / 4)) worst = a;
    return worst * 180 / kPi;
}

std::vector<std::string> orientation_of(const std::string& body) {
    const std::string q = "bodies." + body + ".orientation.";
    return {q + "w", q + "x", q + "y", q + "z"};
}

FaultLaw keeps_speed(const char* name, const std::string& quantity, double speed) {
    return {name,
            [=](const Track& t) { return t.last(quantity); },
            exactly(speed),
            {1e-4, 1e-4, 1e-4, kNotJudged},
            "pure roll on a level plane: closed form"};
}

FaultLaw rocks_on(const std::string& quantity, double span) {
    return {"amplitude",
            [=](const Track& t) { return amplitude_ratio(t, quantity, span); },
            exactly(1),
            {0.01, 0.01, 0.05, kNotJudged},
            "nothing is lost without slipping"};
}
FaultLaw rocks_in_time(const std::string& quantity, RollingSolid (*solid)(), const Quat& start) {
    return {"period",
            [=](const Track& t) { return period(t.times, t.column(quantity)); },
            [=] { return rocking_period(solid(), start); },
            {0.01, 0.01, 0.05, kNotJudged},
            "Runge-Kutta on the rolling solid"};
}

const reference::SpinSlide kDisk{.v = 1, .w = 2, .radius = 0.2, .mu = 0.3};

// Where v passes 0.1 m/s, between two samples.
double spin_ratio(const Track& t) {
    const auto &v = t.column("bodies.b.velocity.x"), &w = t.column("bodies.b.angular_velocity.y");
    for (std::size_t k = 1; k < v.size(); ++k)
        if (v[k] <= 0.1) {
            const double share = (v[k - 1] - 0.1) / (v[k - 1] - v[k]);
            return 0.1 / (kDisk.radius * (w[k - 1] + share * (w[k] - w[k - 1])));
        }
    return 0;
}
// From the sample before the last motion on, at the rate of the samples before.
double spin_stop(const Track& t) {
    const auto& v = t.column("bodies.b.velocity.x");
    for (std::size_t k = 2; k < v.size(); ++k)
        if (v[k] <= 0.02) {
            const double rate = (v[k - 2] - v[k - 1]) / (t.times[k - 1] - t.times[k - 2]);
            return t.times[k - 1] + v[k - 1] / rate;
        }
    return t.times.back();
}

}  // namespace

std::vector<FaultScene> rolling_faults() {
    const std::string turn = "bodies.b.angular_velocity.z";
    return {
        {.name = "pure-roll",
         .seconds = 60,
         .long_seconds = 60,
         .quantities = {"bodies.ball.velocity.x", "bodies.cylinder.velocity.x", "bodies.ellipsoid.velocity.x",
                        "bodies.capsule.velocity.x"},
         .laws = {no_gain(), keeps_speed("ball", "bodies.ball.velocity.x", 1),
                  keeps_speed("cylinder", "bodies.cylinder.velocity.x", 1),
                  keeps_speed("ellipsoid", "bodies.ellipsoid.velocity.x", 1),
                  keeps_speed("capsule", "bodies.capsule.velocity.x", 1)}},
        {.name = "fast-ball-accelerates",
         .seconds = 60,
         .long_seconds = 60,
         .quantities = {"bodies.b.velocity.x"},
         .laws = {keeps_speed("speed", "bodies.b.velocity.x", 1e-4 * 5 / 7)}},
        {.name = "default-raft",
         .seconds = 20,
         .long_seconds = 20,
         .quantities = {"bodies.b[0].velocity.x", "bodies.b[170].velocity.x"},
         .laws = {no_gain(), keeps_speed("speed at the corner", "bodies.b[0].velocity.x", 1e-3),
                  keeps_speed("speed inside", "bodies.b[170].velocity.x", 1e-3)},
         .is_light = false,
         .is_long_by_accurate = true},
        {.name = "fast-roly-poly",
         .seconds = 10,
         .long_seconds = 60,
         .quantities = {turn},
         .laws = {no_gain(), rocks_on(turn, 2),
                  rocks_in_time(turn, roly_poly, {0.9887710779360422, 0, 0, 0.14943813247359922})}},
        {.name = "ellipsoid-rocks",
         .seconds = 10,
         .long_seconds = 60,
         .quantities = {turn},
         .laws = {no_gain(), rocks_on(turn, 2),
                  rocks_in_time(turn, rocking_ellipsoid, {0.9998875021093592, 0, 0, 0.01499943750632809})}},
        {.name = "rattleback",
         .seconds = 4,
         .long_seconds = 4,
         .quantities = {"bodies.b.angular_velocity.y"},
         .laws = {no_gain(),
                  {"spin at 2 s",
                   [](const Track& t) { return t.at("bodies.b.angular_velocity.y", 2); },
                   [] { return rattleback_spin(2); },
                   {0.02, 0.02, 0.1, kNotJudged},
                   "Runge-Kutta on the rolling solid"},
                  {"spin at 4 s",
                   [](const Track& t) { return t.last("bodies.b.angular_velocity.y"); },
                   [] { return rattleback_spin(4); },
                   {0.02, 0.02, 0.1, kNotJudged},
                   "Runge-Kutta on the rolling solid"}}},
        {.name = "tippe-top",
         .seconds = 8,
         .long_seconds = 8,
         .quantities = orientation_of("t"),
         .laws = {no_gain(),
                  {"largest tilt after 1 s, off by, of pi",
                   [](const Track& t) { return (largest_tilt(t, "t", 1) - spun_top().tilt) / kPi; },
                   exactly(0),
                   {0.02, 0.02, 0.1, kNotJudged},
                   "Runge-Kutta on the slipping solid: 0.043 rad"},
                  {"energy at 8 s",
                   [](const Track& t) { return t.last("energy.total") / t.first("energy.total"); },
                   [] { return 1 - spun_top().loss; },
                   {1e-3, 1e-3, 5e-3, kNotJudged},
                   "Runge-Kutta on the slipping solid: 0.73 % is lost"}},
         .is_light = false},
        {.name = "euler-disk-rises",
         .seconds = 5,
         .long_seconds = 10,
         .quantities = orientation_of("d"),
         .laws = {no_gain(),
                  {"inclination",
                   strayed_inclination,
                   exactly(45),
                   {0.2 / 45, 0.2 / 45, 3.0 / 45, kNotJudged},
                   "steady motion: W^2 sin(45) = 4 g / a"}}},
        {.name = "spin-slide",
         .seconds = 1,
         .long_seconds = 1,
         .quantities = {"bodies.b.velocity.x", "bodies.b.angular_velocity.y"},
         .laws = {no_gain(),
                  {"time of stop",
                   spin_stop,
                   [] { return reference::stop_time(kDisk); },
                   {0.03, 0.03, 0.1, kNotJudged},
                   "Farkas et al. 2003: quadrature over the face"},
                  {"v / (w R) at 0.1 m/s",
                   spin_ratio,
                   [] { return reference::ratio_at(kDisk, 0.1); },
                   {0.03, 0.03, 0.1, kNotJudged},
                   "Farkas et al. 2003: quadrature over the face"}},
         .is_light = false},
    };
}

}  // namespace impuls::faults
