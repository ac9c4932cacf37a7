// Runs a world to its end: timeline, measurements, recording, progress, summary.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impuls/outcome.h"
#include "impuls/recording.h"
#include "impuls/world.h"

namespace impuls {

struct RunOptions {
    std::optional<std::int64_t> steps{};  // else up to `until`
    std::optional<double> until{};        // s, time of the world; else up to settings.duration
    Recorder* recorder = nullptr;         // not owned
    /// Before every step: a controller reads the world and gives commands, which this step applies. With a
    /// recorder, give them to Recorder::add_command as well, so that a replay has them.
    std::function<void(World&)> before_step{};
    std::function<bool(const World&)> progress{};  // after every step; false stops cleanly
    bool keep_samples = true;                      // in the summary; false: only the last one of each
};

/// Wall times of a run.
struct RunTimes {
    double wall_s = 0;
    double ms_mean = 0, ms_median = 0, ms_p99 = 0;  // per step
    std::vector<double> stage_ms{};                 // mean per step, by Stage
};

struct RunEnergy {
    Energy at_start{}, at_end{};
    double max_drift_rel = 0;  // max |E - E0| / max(|E0|, largest kinetic energy, m g size)
};

/// Island-steps of one stepper: islands that it advanced or refused, counted once a step.
struct StepperTotals {
    std::int64_t island_steps = 0;  // that it advanced; the sums and maxima below are over these
    std::int64_t bodies = 0;
    std::int64_t substeps = 0;
    std::int64_t iterations = 0;
    std::int64_t retries = 0;
    std::uint32_t substeps_max = 0;
    double residual_max = std::numeric_limits<double>::quiet_NaN();  // m/s; NaN: none was measured
    double energy_removed = 0;                                       // J
    std::array<std::int64_t, kRefusals> refused{};                   // island-steps by reason
};

/// Who advanced the islands of a run (docs/internals/steppers.md), over all steps.
struct RunOutcomes {
    std::array<StepperTotals, kIslandSteppers> steppers{};

    /// Adds a step.
    void add(const std::vector<Outcome>& outcomes);
    /// Of all steppers together.
    StepperTotals total() const;
};

/// What the samples of a measurement come to.
struct SampleStatistics {
    std::int64_t count = 0;
    double min = std::numeric_limits<double>::quiet_NaN(), max = min, last = min;
    double min_time = min, max_time = min;  // s, where it was first reached
    double sum = 0, sum_of_squares = 0;

    void add(double time, double value);
    double mean() const { return sum / static_cast<double>(count); }
    double rms() const;
};

struct RunSummary {
    std::int64_t first_step = 0;  // of the world when the run began
    std::int64_t steps = 0;       // of this run
    double time = 0;              // s, of the world at the end
    double dt = 0;
    int threads = 1;
    std::string method{};  // all parts, as parse_method reads it
    std::size_t bodies = 0;
    std::size_t contacts_max = 0;
    RunTimes times{};
    // Energies, penetration, joint error and stages are looked at every step; with n thousand bodies every
    // n-th.
    RunEnergy energy{};
    Vec3 linear_momentum{}, angular_momentum{};
    double max_penetration = 0;  // m
    double max_joint_error = 0;  // m
    RunOutcomes outcomes{};
    std::uint64_t state_hash = 0;
    std::vector<Warning> warnings{};
    bool interrupted = false;
    StepStatus status{};
    struct Series {
        std::string name;
        std::vector<double> times, values;  // where the quantity existed
        std::string unit{};
        SampleStatistics statistics{};  // over all samples, kept or not
    };
    std::vector<Series> samples{};  // one per column of `measure`
};

/// Steps until the world has reached settings.duration; 0 when it has.
std::int64_t steps_to_end(const World& world);
/// Steps until the world has reached a time.
std::int64_t steps_to(const World& world, double time);

/// Steps until the end, a failure, or until progress says stop; samples the scene's measure entries. Commands
/// given to World::apply meanwhile are the caller's to record. Throws InputError for an unknown quantity and
/// FileError from the recorder.
RunSummary run(World& world, const RunOptions& options = {});

}  // namespace impuls
