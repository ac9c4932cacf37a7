// What must stay where it is, or keep going: static friction, creep, seams, stick and slip, sleep, towers and
// arches.
#include <algorithm>
#include <cmath>

#include "faults/fault.h"
#include "reference/patches.h"
#include "support/constants.h"

namespace impuls::faults {

namespace {

constexpr const char* kBelowThreshold = "slope below static friction: it stays";

// How far a body got from where it began.
double way(const Track& t, const std::string& body, std::size_t k) {
    const std::string p = "bodies." + body + ".position.";
    double sum = 0;
    for (const char* axis : {"x", "y", "z"}) {
        const double d = t.column(p + axis)[k] - t.column(p + axis)[0];
        sum += d * d;
    }
    return std::sqrt(sum);
}
double way(const Track& t, const std::string& body) {
    return way(t, body, t.size() - 1);
}

std::vector<std::string> positions_of(const std::vector<std::string>& bodies) {
    std::vector<std::string> all;
    for (const std::string& body : bodies)
        for (const char* axis : {"x", "y", "z"}) all.push_back("bodies." + body + ".position." + axis);
    return all;
}

FaultLaw stays(const char* name, const std::string& body, const Bars& bars) {
    return {name, [=](const Track& t) { return way(t, body); }, exactly(0), bars, kBelowThreshold};
}

// Along the table's rim and across it, m.
double ride(const Track& t) {
    double worst = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double angle = 2 * t.times[k], x = t.column("bodies.b.position.x")[k] - 0.5 * std::cos(angle),
                     z = t.column("bodies.b.position.z")[k] + 0.5 * std::sin(angle);
        worst = std::max(worst, std::hypot(x, z));
    }
    return worst;
}

// The seam at 5 m/s is crossed at 0.1 s; at 0.8 s the box is still on the second slab.
FaultScene seam(const char* name, double speed, double until) {
    return {.name = name,
            .seconds = until,
            .long_seconds = until,
            .quantities = {"bodies.x.velocity.x"},
            .laws = {no_gain(),
                     {"speed",
                      [](const Track& t) { return t.last("bodies.x.velocity.x"); },
                      exactly(speed),
                      {1e-3, 1e-3, 1e-3, 1e-3},
                      "no friction and a level floor: closed form"}}};
}

// Stick until static friction gives way at x1 = mu_s m g / k, slip about x0 = mu m g / k, stick again at
// 2 x0 - x1.
constexpr double kSpring = 40, kBelt = 0.1, kSlipMiddle = 0.3 * kG / kSpring, kSlipHalf = 0.3 * kG / kSpring;
double slip_phase() {
    return std::atan(kBelt / (std::sqrt(kSpring) * kSlipHalf));
}
double stick_slip_period() {
    return 2 * kSlipHalf / kBelt + (kPi + 2 * slip_phase()) / std::sqrt(kSpring);
}
double measured_stick_slip(const Track& t) {
    const auto& x = t.column("bodies.m.position.x");
    std::vector<double> passages;  // of the middle, downwards: in the slip
    for (std::size_t k = 1; k < x.size(); ++k)
        if (x[k - 1] > kSlipMiddle && x[k] <= kSlipMiddle)
            passages.push_back(t.times[k - 1] +
                               (t.times[k] - t.times[k - 1]) * (x[k - 1] - kSlipMiddle) / (x[k - 1] - x[k]));
    if (passages.size() < 2) return 0;
    return (passages.back() - passages.front()) / static_cast<double>(passages.size() - 1);
}

// The arch with another thickness: every stone grows or shrinks along its radius.
Variant arch_of(double thickness_to_radius, const char* name) {
    return {name, [=](Scene& scene) {
                const double factor = thickness_to_radius / 0.125;
                for (BodyDesc& stone : scene.bodies) {
                    auto* hull = std::get_if<Convex>(&stone.shape);
                    if (!hull) continue;
                    for (Vec3& p : hull->points) {
                        const Vec3 world = p + stone.position;
                        const double radius = std::hypot(world.x, world.y);
                        const double grown = 2 + (radius - 2) * factor;
                        p = {world.x * grown / radius - stone.position.x,
                             world.y * grown / radius - stone.position.y, p.z};
                    }
                }
            }};
}

FaultLaw arch_law(const char* name, bool stands, const char* source) {
    return {name,
            [=](const Track& t) {
                const auto& y = t.column("bodies.v15.position.y");
                const double fall = std::abs(y.back() - y.front());
                return stands ? fall : double(fall < 0.25);
            },
            exactly(0), stands ? Bars{0.0025, 0.0025, 0.0025, kNotJudged} : Bars{0, 0, 0, kNotJudged},
            source};
}

FaultScene arch(const char* name, bool stands, double seconds, double thickness, const char* source) {
    const char* law = stands ? "fall of the crown" : "stands";
    return {.name = name,
            .file = "arch-31-stones",
            .seconds = seconds,
            .long_seconds = stands ? 20.0 : 6.0,
            .quantities = {"bodies.v15.position.y"},
            .laws = {arch_law(law, stands, source)},
            .variants = {arch_of(thickness, name)},
            .is_light = false};
}

// Half of the way from side to side in the last period of 2.006 s.
double last_swing(const Track& t) {
    double low = 0, high = 0;
    const auto& x = t.column("bodies.p.position.x");
    for (std::size_t k = 0; k < x.size(); ++k)
        if (t.times[k] > t.times.back() - 2.01) low = std::min(low, x[k]), high = std::max(high, x[k]);
    return 0.5 * (high - low);
}

FaultLaw carried(const char* name, const std::string& body, double speed, const Bars& bars) {
    return {
        name,
        [=](const Track& t) { return t.last("bodies." + body + ".position.x") / (speed * t.times.back()); },
        exactly(1), bars, "uniform motion: closed form"};
}

}  // namespace

std::vector<FaultScene> resting_faults() {
    return {
        {.name = "fast-static-friction",
         .seconds = 3,
         .long_seconds = 60,
         .quantities = positions_of({"s"}),
         .laws = {stays("way", "s", {1e-4, 1e-5, 1e-3, kNotJudged})}},
        {.name = "fast-incline-stack",
         .seconds = 20,
         .long_seconds = 60,
         .quantities = positions_of({"s0", "s2"}),
         .laws = {stays("way of the lowest", "s0", {1e-4, 1e-5, 1e-3, kNotJudged}),
                  stays("way of the top", "s2", {1e-4, 1e-5, 1e-3, kNotJudged})}},
        {.name = "default-slab-creep",
         .seconds = 4,
         .long_seconds = 30,
         .quantities = positions_of({"slab", "b[210]", "b[299]"}),
         .laws = {stays("way of the slab", "slab", {1e-4, 1e-5, 1e-3, kNotJudged}),
                  stays("way of a top box", "b[210]", {1e-4, 1e-5, 1e-3, kNotJudged}),
                  stays("way of the last box", "b[299]", {1e-4, 1e-5, 1e-3, kNotJudged})},
         .is_light = false,
         .is_long_by_accurate = true},
        {.name = "turntable-creep",
         .seconds = 5,
         .long_seconds = 20,
         .quantities = {"bodies.b.position.x", "bodies.b.position.z"},
         .laws = {{"creep",
                   ride,
                   exactly(0),
                   {1e-5, 1e-6, 1e-4, kNotJudged},
                   "r w^2 below mu g: the box turns with the table"}}},
        {.name = "stick-slip",
         .seconds = 20,
         .long_seconds = 60,
         .quantities = {"bodies.m.position.x"},
         .laws = {{"period",
                   measured_stick_slip,
                   stick_slip_period,
                   {0.02, 0.02, 0.1, kNotJudged},
                   "stick 2 D / V, slip (pi + 2 atan(V / (w D))) / w with D = (mu_s - mu) m g / k"},
                  {"farthest",
                   [](const Track& t) { return t.largest("bodies.m.position.x"); },
                   [] { return kSlipMiddle + kSlipHalf / std::cos(slip_phase()); },
                   {0.02, 0.02, 0.1, kNotJudged},
                   "x0 + D / cos(atan(V / (w D)))"}}},
        seam("seam", 1, 0.5),
        seam("seam-aligned", 5, 0.8),
        seam("seam-turned", 5, 0.8),
        {.name = "default-tower-falls",
         .seconds = 4,
         .long_seconds = 30,
         .quantities = positions_of({"top"}),
         .laws = {no_gain(),
                  stays("way of the lid", "top", {3e-4, 3e-4, 3e-3, kNotJudged}),
                  {"motion",
                   [](const Track& t) { return t.largest("energy.kinetic"); },
                   exactly(0),
                   {1e-5, 1e-5, kNotJudged, kNotJudged},
                   "at rest: closed form; 0.01 mJ of 0.9 J of weight"}},
         .is_light = false,
         .is_long_by_accurate = true},
        arch("arch-31-stones", true, 2, 0.125, "Milankovitch 1907: 0.1075 is enough"),
        arch("arch-thin", true, 2, 1.03 * 0.107443, "line of thrust for 31 stones: 0.10744"),
        arch("arch-too-thin", false, 3, 0.97 * 0.107443, "line of thrust for 31 stones: 0.10744"),
        {.name = "sleep-pendulum-freezes",
         .seconds = 20,
         .long_seconds = 60,
         .quantities = {"bodies.p.position.x", "bodies.p.asleep"},
         .laws = {{"amplitude",
                   last_swing,
                   exactly(0.01999866669333308),
                   {0.01, 0.01, 0.01, kNotJudged},
                   "nothing damps it"},
                  {"asleep",
                   [](const Track& t) { return t.largest("bodies.p.asleep"); },
                   exactly(0),
                   {0, 0, 0, kNotJudged},
                   "it accelerates at its turning points"}},
         .method = "+sleep=on"},
        {.name = "sleep-slow-ball",
         .seconds = 20,
         .long_seconds = 60,
         .quantities = {"bodies.roll.position.x", "bodies.box.position.x", "bodies.rider.position.x"},
         .laws = {carried("ball", "roll", 0.003, {1e-4, 1e-4, 1e-4, kNotJudged}),
                  carried("box on the belt", "box", 0.002, {1e-3, 1e-3, 1e-3, kNotJudged}),
                  carried("box on the slab", "rider", 0.002, {1e-3, 1e-3, 1e-3, kNotJudged})},
         .method = "+sleep=on"},
    };
}

}  // namespace impuls::faults
