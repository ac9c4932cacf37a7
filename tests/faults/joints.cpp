// Joints under great mass ratios, with contacts and with drives: they stay closed, and give no energy.
#include <algorithm>
#include <cmath>

#include "faults/fault.h"
#include "support/constants.h"

namespace impuls::faults {

namespace {

// Largest error of any joint, relative to `size` (m).
FaultLaw stays_closed(double size, const Bars& bars, const char* source) {
    return {"joint error", [=](const Track& t) { return t.largest("max_joint_error") / size; }, exactly(0),
            bars, source};
}
constexpr Bars kTear{0.01, 0.01, 0.01, kNotJudged};

}  // namespace

std::vector<FaultScene> joint_faults() {
    return {
        {.name = "crane-fast-forces",
         .seconds = 1.5,
         .long_seconds = 5,
         .quantities = {"joints.hook.reaction.magnitude"},
         .laws = {no_gain(),
                  // The ball of 1 t swings from the horizontal: 3 m g at the lowest point. A brick of 36 kg
                  // that it takes along at 9.3 m/s within a step of 5 ms may add 67 kN, 2.3 times that.
                  {"hook, above 3 m g",
                   [](const Track& t) {
                       return std::max(0.0, t.largest("joints.hook.reaction.magnitude") / (3000 * kG) - 1);
                   },
                   exactly(0),
                   {2.3, 2.3, 2.3, kNotJudged},
                   "pendulum from the horizontal: 3 m g"},
                  stays_closed(0.2, kTear, "tear: 1 % of a link")},
         .is_light = false},
        {.name = "crane-fast-gains",
         .seconds = 2,
         .long_seconds = 6,
         .laws = {no_gain(), stays_closed(0.2, kTear, "tear: 1 % of a link")},
         .is_light = false,
         .is_long_by_accurate = true},
        {.name = "fast-bridge-freezes",
         .seconds = 8,
         .long_seconds = 10,
         .laws = {no_gain(),
                  {"steps without any motion",
                   [](const Track& t) { return double(t.still); },
                   exactly(0),
                   {0, 0, 0, kNotJudged},
                   "not in equilibrium: it cannot stand still"},
                  stays_closed(1, {1e-3, 1e-3, 1e-3, kNotJudged}, "1 mm asked for")},
         .is_light = false,
         .is_long_by_accurate = true},
        {.name = "joint-torn-at-e1",
         .seconds = 1,
         .long_seconds = 10,
         .laws = {no_gain(), stays_closed(0.14, kTear, "tear: 1 % of the smallest body")}},
        {.name = "point-chain-tears",
         .seconds = 10,
         .long_seconds = 60,
         .laws = {no_gain(),
                  stays_closed(0.2, kTear, "tear: 1 % of a link"),
                  // Released at 0.3 rad on 2 m: (1 - cos 0.3) m g L.
                  {"energy kept",
                   [](const Track& t) {
                       return (t.last("energy.total") - t.first("energy.total")) /
                              (1e4 * kG * 2 * (1 - std::cos(0.3)));
                   },
                   exactly(0),
                   {0.01, 0.01, 0.05, kNotJudged},
                   "nothing damps it"}}},
        {.name = "stack-mass-ratio-1e6",
         .seconds = 5,
         .long_seconds = 20,
         .quantities = {"bodies.h.position.y", "bodies.floor.contact_force.y"},
         .laws = {{"penetration",
                   [](const Track& t) { return t.largest("max_penetration"); },
                   exactly(0),
                   {0.05, 0.05, 0.05, kNotJudged},
                   "crush: 5 % of the edge"},
                  {"height",
                   [](const Track& t) { return t.last("bodies.h.position.y"); },
                   exactly(2.5),
                   {0.01, 0.01, 0.02, kNotJudged},
                   "it stands"},
                  {"weight",
                   [](const Track& t) { return -t.last("bodies.floor.contact_force.y"); },
                   exactly(1000002 * kG),
                   {0.01, 0.01, 0.05, kNotJudged},
                   "statics"}}},
    };
}

}  // namespace impuls::faults
