// Steps that took minutes: gears and racks on wheels that nothing holds, and bodies far too fast for their
// sizes. Either a step ends in bounded work, or the scene is refused with a reason.
#include "faults/fault.h"

namespace impuls::faults {

namespace {

// Seconds of CPU for the longest step. Twelve bodies and less take milliseconds; a second is three orders
// above that, and below what anybody would call hanging. By erleben step-of-370s takes 0.9 to 1.2 s, which no
// list can call held or missed on every machine: 2 s there.
FaultLaw ends_soon() {
    return {"longest step [s]",
            [](const Track& t) { return t.longest_step; },
            exactly(0),
            {1, 1, 1, 2},
            "bounded work"};
}
FaultScene bounded(const char* name, double seconds, double long_seconds, std::vector<FaultLaw> more = {}) {
    FaultScene scene{
        .name = name, .seconds = seconds, .long_seconds = long_seconds, .is_light = false, .cpu_limit = 3};
    scene.laws = {ends_soon()};
    scene.laws.insert(scene.laws.end(), more.begin(), more.end());
    return scene;
}

}  // namespace

std::vector<FaultScene> budget_faults() {
    const FaultLaw closed{"joint error",
                          [](const Track& t) { return t.largest("max_joint_error") / 0.04; },
                          exactly(0),
                          {0.01, 0.01, 0.01, kNotJudged},
                          "tear: 1 % of the smallest body"};
    return {bounded("step-of-370s", 0.02, 1), bounded("step-of-25s-gear", 1, 1),
            bounded("never-ends-gear", 0.2, 1), bounded("rack-beyond-wheel", 1, 1, {no_gain(), closed})};
}

}  // namespace impuls::faults
