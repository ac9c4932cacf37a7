// The run loop of include/impuls/run.h: step, sample, record, report. It sees the world through its public
// header only; the timeline of the scene is the world's own affair. Called by the command line and samples.
#include "impuls/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <type_traits>

#include <fmt/core.h>

#include "impuls/quantity.h"
#include "run/step_times.h"
#include "run/watch.h"

namespace impuls {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The measure entries of a scene, resolved; each column is one series of the summary.
class Measurements {
  public:
    Measurements(World& world, bool keeps_all, std::vector<RunSummary::Series>& series)
        : keeps_all_(keeps_all), series_(series) {
        const Frame& frame = world.frame();
        for (const MeasureDesc& measure : frame.structure->measure) {
            Probe probe{find_quantity(measure.quantity, *frame.structure, frame.groups),
                        std::max<std::int64_t>(measure.every, 1), series.size()};
            for (const std::string& column : probe.quantity.columns) {
                const std::string suffix = column.substr(std::min(column.size(), measure.quantity.size()));
                series.push_back(
                    {measure.name.empty() ? column : measure.name + suffix, {}, {}, probe.quantity.unit, {}});
            }
            probes_.push_back(std::move(probe));
        }
        if (const std::string& text = frame.structure->settings.stop_when; !text.empty())
            stop_when_ = find_condition(text, *frame.structure);
    }

    bool is_due(std::int64_t step) const {
        return std::any_of(probes_.begin(), probes_.end(),
                           [&](const Probe& p) { return step % p.every == 0 || p.quantity.accumulates; });
    }

    // Values that do not exist (a body not yet added) are left out.
    void sample(const Frame& frame, Recorder* recorder) {
        for (const Probe& probe : probes_) {
            std::array<double, 3> values{};
            const bool is_due = frame.step % probe.every == 0;
            if (is_due || probe.quantity.accumulates) probe.quantity.read(frame, values.data());
            if (!is_due) continue;
            for (std::size_t c = 0; c < probe.quantity.columns.size(); ++c) {
                if (!std::isfinite(values[c])) continue;
                RunSummary::Series& series = series_[probe.first_series + c];
                if (!keeps_all_) {
                    series.times.clear();
                    series.values.clear();
                }
                series.statistics.add(frame.time, values[c]);
                series.times.push_back(frame.time);
                series.values.push_back(values[c]);
                if (recorder) recorder->add_sample(series.name, frame.step, frame.time, values[c]);
            }
        }
    }

    // Whether the scene's condition to stop holds.
    bool wants_stop(World& world) const {
        double value = 0;
        if (stop_when_.read) stop_when_.read(world.frame(), &value);
        return value != 0 && !std::isnan(value);
    }

  private:
    struct Probe {
        Quantity quantity;
        std::int64_t every;
        std::size_t first_series;
    };
    std::vector<Probe> probes_{};
    Quantity stop_when_{};
    bool keeps_all_;
    std::vector<RunSummary::Series>& series_;
};

// Everything that looks at the world between two steps.
class Observers {
  public:
    Observers(World& world, const RunOptions& options, RunSummary& summary)
        : world_(world),
          recorder_(options.recorder),
          watch_(world),
          watched_(world.steps()),
          measurements_(world, options.keep_samples, summary.samples) {}

    void start(const RunSummary& summary) {
        if (recorder_) {
            recorder_->set_meta("method", summary.method);
            recorder_->set_meta("dt", fmt::format("{}", summary.dt));
            recorder_->set_meta("threads", std::to_string(summary.threads));
            recorder_->set_meta("status", "running");
            if (!has_been_recorded()) record_checkpoint();
        }
        look();
        if (recorder_) recorder_->commit();  // from now on it can be taken up again
    }

    void look() {
        const std::int64_t step = world_.steps();
        const bool wants_watch = step != watched_ && step % watch_.every() == 0;
        const bool wants_sample = !has_been_recorded() && measurements_.is_due(step);
        Recorder* const recorder = has_been_recorded() ? nullptr : recorder_;
        const bool wants_record =
            recorder && step % std::max<std::int64_t>(recorder->options().frame_every, 1) == 0;
        if (wants_watch || wants_sample || wants_record) {
            const Frame& frame = world_.frame();
            if (wants_watch) watch_.look(frame);
            if (wants_watch) watched_ = step;
            if (wants_sample) measurements_.sample(frame, recorder);
            if (wants_record) recorder->add_frame(frame);
        }
        if (!recorder) return;
        recorder->add_hash(step, world_.state_hash());
        const std::int64_t every = recorder->options().checkpoint_every;
        const bool is_regular = every > 0 && step % every == 0;
        const bool is_late = seconds_since(checkpoint_time_) >= recorder->options().checkpoint_seconds;
        if ((is_regular || is_late) && step != checkpoint_step_) record_checkpoint(is_regular);
    }

    bool wants_stop() { return measurements_.wants_stop(world_); }

    // The last step is always looked at.
    void finish(RunSummary& summary) {
        if (watched_ != world_.steps()) watch_.look(world_.frame());
        watch_.finish(summary);
        if (!recorder_) return;
        const bool has_ended = summary.status.ok && !summary.interrupted;
        if (!has_ended && world_.steps() != checkpoint_step_ && !has_been_recorded()) record_checkpoint();
        recorder_->set_warnings(world_.warnings());
        recorder_->set_meta("status", summary.status.ok ? summary.interrupted ? "interrupted" : "complete"
                                                        : "failed: " + summary.status.message);
        recorder_->commit();
    }

  private:
    // A recording that is written on may hold the present state already.
    bool has_been_recorded() const {
        return recorder_ && recorder_->last_step() && world_.steps() <= *recorder_->last_step();
    }

    // Those that are only there because time has passed replace each other.
    void record_checkpoint(bool stays = true) {
        recorder_->add_checkpoint(world_.steps(), world_.checkpoint());
        recorder_->set_warnings(world_.warnings());
        if (passing_step_) recorder_->remove_checkpoint(*passing_step_);
        passing_step_ = stays ? std::nullopt : std::optional(world_.steps());
        checkpoint_step_ = world_.steps();
        checkpoint_time_ = Clock::now();
    }

    World& world_;
    Recorder* recorder_;
    std::int64_t checkpoint_step_ = -1;
    std::optional<std::int64_t> passing_step_{};
    Clock::time_point checkpoint_time_ = Clock::now();
    FrameWatch watch_;
    std::int64_t watched_;  // step
    Measurements measurements_;
};

void step_to_end(World& world, const RunOptions& options, Observers& observers, RunSummary& summary) {
    StepTimes times;
    const std::int64_t planned = options.steps   ? *options.steps
                                 : options.until ? steps_to(world, *options.until)
                                                 : steps_to_end(world);
    for (std::int64_t k = 1; k <= planned && !summary.interrupted; ++k) {
        if (options.before_step) options.before_step(world);
        const auto start = Clock::now();
        const StepStatus status = world.step();
        if (status.interrupted) {
            summary.interrupted = true;
            break;
        }
        times.add(seconds_since(start));
        summary.status = status;
        if (!status.ok) break;
        ++summary.steps;
        summary.contacts_max = std::max(summary.contacts_max, world.contact_count());
        summary.outcomes.add(world.outcomes());
        summary.interrupted = options.progress && !options.progress(world);
        observers.look();
        if (!observers.wants_stop()) continue;
        const std::string& condition = world.structure()->settings.stop_when;
        summary.status.message = fmt::format("stopped at {:.9g} s by {}", world.time(), condition);
        break;
    }
    summary.times.ms_mean = times.mean_ms();
    summary.times.ms_median = times.quantile_ms(0.5);
    summary.times.ms_p99 = times.quantile_ms(0.99);
}

}  // namespace

void SampleStatistics::add(double time, double value) {
    if (!(value >= min)) min = value, min_time = time;
    if (!(value <= max)) max = value, max_time = time;
    last = value;
    sum += value;
    sum_of_squares += value * value;
    ++count;
}

double SampleStatistics::rms() const {
    return std::sqrt(sum_of_squares / static_cast<double>(count));
}

std::int64_t steps_to_end(const World& world) {
    return steps_to(world, world.structure()->settings.duration);
}

std::int64_t steps_to(const World& world, double time) {
    const double exact = std::min(time / world.dt(), kMostSteps);
    const double nearest = std::round(exact);
    const bool is_whole = std::abs(exact - nearest) <= 1e-9 * nearest;  // 0.3 / 0.1 is three steps
    const auto total = static_cast<std::int64_t>(is_whole ? nearest : std::ceil(exact));
    return std::max<std::int64_t>(total - world.steps(), 0);
}

RunSummary run(World& world, const RunOptions& options) {
    const auto start = Clock::now();
    RunSummary summary;
    summary.first_step = world.steps();
    summary.dt = world.dt();
    summary.threads = world.threads();
    summary.method = method_text(world.method());
    Observers observers(world, options, summary);
    observers.start(summary);
    step_to_end(world, options, observers, summary);
    summary.warnings = world.warnings();
    observers.finish(summary);
    summary.time = world.time();
    summary.bodies = world.body_count();
    summary.state_hash = world.state_hash();
    summary.times.wall_s = seconds_since(start);
    return summary;
}

}  // namespace impuls
