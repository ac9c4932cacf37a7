// What came out of the last step, and what went wrong so far. Nothing reads it to decide the future. Only
// files of src/world include this.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/warning_log.h"
#include "collision/graph/contact_graph.h"
#include "impuls/frame.h"
#include "impuls/world.h"
#include "watch/watch.h"

namespace impuls {

struct Output {
    std::vector<GraphEvent> graph_events{};
    std::vector<std::uint32_t> broken_joints{};
    std::vector<Event> events{};
    std::vector<Outcome> outcomes{};  // of the islands that were advanced
    Frame frame{};
    bool frame_is_current = false;
    std::array<double, kStages> stage_seconds{};
    WarningLog warnings{};
    Watch watch{};
    StepStatus status{};
};

}  // namespace impuls
