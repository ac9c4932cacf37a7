// One run of one engine in a process of its own, so that a crash, a hang or an exit() of a library is a
// marked row and not the end of the campaign. Step times cross over in shared memory and survive even a
// killed child.
#pragma once

#include <string>
#include <vector>

#include "bench/engine.h"
#include "bench/quality.h"

namespace impuls::bench {

enum class RunEnd {
    Done,
    Cut,      // the wall cap was reached
    Refused,  // the engine cannot do this scene
    Failed,   // an exception, or a state that is not finite
    Crashed,
    Hung
};
const char* name_of(RunEnd end);

struct RunRecord {
    RunEnd end = RunEnd::Done;
    std::string message{};
    std::vector<double> step_ms{}, cpu_ms{};  // of the steps that were done
    std::vector<BodyState> last{};            // empty when there is none
    std::int64_t contacts = 0;
    double joint_gap = 0, energy_end = 0, energy_low = 0, energy_high = 0;  // as in Quality
    double trajectory = -1;
};

// `cap_s`: seconds of stepping after which the run is cut. `centres`: as of reference_centres().
RunRecord run_apart(const Engine& engine, const Setup& setup, const Model& model, int steps, double cap_s,
                    const std::vector<Vec3>& centres = {});

}  // namespace impuls::bench
