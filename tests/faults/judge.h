// Runs a fault's scene by a preset and judges its laws. The run is in a process of its own with a limit of
// CPU time, so that a step without end or a crash is a verdict like any other.
#pragma once

#include <string>
#include <vector>

#include "faults/fault.h"

namespace impuls::faults {

struct Finding {
    const FaultLaw* law = nullptr;
    double value = 0, reference = 0, error = 0, bar = 0;
    bool holds = false;
};

struct Judgement {
    std::vector<Finding> findings{};  // of the laws that the preset is judged by
    std::string note{};               // refusal, failure, or how the run ended
    double cpu_seconds = 0;
};

// Whether the preset promises anything in this scene, and the run is short enough for the size of the tests.
bool is_judged(const FaultScene& fault, std::size_t preset);
Judgement judge(const FaultScene& fault, std::size_t preset);

}  // namespace impuls::faults
