// Runs a world to its end: timeline, measurements, recording, progress, summary.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impuls/recording.h"
#include "impuls/world.h"

namespace impuls {

struct RunOptions {
    std::optional<std::int64_t> steps{};        // else up to settings.duration
    Recorder* recorder = nullptr;               // not owned
    std::function<bool(const World&)> progress{};  // after every step; false stops cleanly
};

struct RunSummary {
    std::int64_t steps = 0;
    double time = 0;  // s, simulated
    double dt = 0;
    int threads = 1;
    std::size_t bodies = 0;
    std::size_t contacts_max = 0;
    double wall_s = 0;
    double ms_mean = 0, ms_median = 0, ms_p99 = 0;  // per step
    Energy energy_initial{}, energy_final{};
    double energy_max_drift_rel = 0;  // max |E - E0| / max(|E0|, largest kinetic energy, m g size)
    Vec3 linear_momentum{}, angular_momentum{};
    double max_penetration = 0;
    double max_joint_error = 0;
    std::uint64_t state_hash = 0;
    std::vector<double> stage_ms{};  // mean per step
    std::vector<std::string> warnings{};
    bool interrupted = false;
    StepStatus status{};
    struct Series {
        std::string name;
        std::vector<double> times, values;
    };
    std::vector<Series> samples{};  // one per column of `measure`
};

/// Steps until the end, a failure, or until progress says stop. `scene` supplies timeline and measure entries.
RunSummary run(World& world, const RunOptions& options = {});

}  // namespace impuls
