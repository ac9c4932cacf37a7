// Recording poses and replaying them (collision_replay.h). The engines take turns, repeat by repeat; before
// each pass some steps are replayed without the clock, so that every cache is warm. The time of a step is its
// median over the repeats, the time of a scene the median over its steps. Engines on one thread are compared
// by the time of the processor, which other users of the machine disturb less; what a second thread brings is
// a ratio of times on the wall.
#include "bench/collision_replay.h"

#include <fmt/format.h>

#include <time.h>

#include <chrono>
#include <limits>

#include "bench/detector.h"

namespace impuls::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Poses = std::vector<std::vector<Pose>>;

// By our engine; where it refuses the scene, by the first other one that does not.
Poses record(const Model& model, const ReplayOptions& options, const CampaignCalls& calls,
             const std::string& name) {
    std::unique_ptr<Simulation> simulation;
    for (const Engine& engine : engines()) {
        try {
            if (engine.is_installed()) simulation = engine.make(model, {engine.variants.front(), 1});
        } catch (const Unsupported&) {
        }
        if (simulation) break;
    }
    if (!simulation) throw Unsupported("no engine runs this scene");
    Poses frames;
    std::vector<BodyState> states(model.bodies.size());
    for (int k = 1; k <= options.last; ++k) {
        if (k % 20 == 1) calls.progress(double(k) / options.last, "recording " + name);
        simulation->step();
        if (k < options.first - options.warm_up) continue;
        simulation->read(states);
        auto& frame = frames.emplace_back();
        for (const BodyState& s : states) frame.push_back(s.X_WP);
    }
    return frames;
}

struct Runner {
    CollisionRow row{};
    std::unique_ptr<Detector> detector{};
    std::vector<std::vector<double>> ms{}, wall_ms{};  // by step, then by repeat
};

template <class Make>
void add(std::vector<Runner>& out, const std::string& scene, const std::string& engine, int threads,
         Make&& make) {
    Runner runner;
    runner.row.scene = scene, runner.row.engine = engine, runner.row.threads = threads;
    try {
        runner.detector = make();
        runner.row.end = "done";
    } catch (const Unsupported& reason) {
        runner.row.end = reason.what();
    }
    out.push_back(std::move(runner));
}

std::vector<Runner> make_runners(const Model& model, const std::string& scene, const ReplayOptions& options) {
    std::vector<Runner> out;
    for (const bool is_near : {false, true}) {
        const char* name = is_near ? "impuls near" : "impuls";
        add(out, scene, name, 1, [&] { return impuls_detector(model, 1, is_near); });
        if (options.threads > 1)
            add(out, scene, name, options.threads,
                [&] { return impuls_detector(model, options.threads, is_near); });
    }
#ifdef HAS_BULLET
    add(out, scene, "bullet", 1, [&] { return bullet_detector(model); });
#endif
#ifdef HAS_ODE
    add(out, scene, "ode hash", 1, [&] { return ode_detector(model, false); });
    add(out, scene, "ode sweep", 1, [&] { return ode_detector(model, true); });
#endif
    return out;
}

double wall_ms() {
    return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

double processor_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

void replay(Runner& runner, const Poses& frames, int warm_up) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
        runner.detector->place(frames[k]);
        const double wall_began = wall_ms(), began = processor_ms();
        runner.detector->detect();
        const double ms = processor_ms() - began, wall = wall_ms() - wall_began;
        if (static_cast<int>(k) < warm_up) continue;
        const std::size_t step = k - static_cast<std::size_t>(warm_up);
        if (runner.ms.size() <= step) runner.ms.emplace_back(), runner.wall_ms.emplace_back();
        runner.ms[step].push_back(runner.row.threads == 1 ? ms : wall);
        runner.wall_ms[step].push_back(wall);
    }
}

double median_step(const std::vector<std::vector<double>>& ms) {
    std::vector<double> steps;
    for (const auto& step : ms) steps.push_back(median(step));
    return median(steps);
}

void finish(Runner& runner) {
    runner.row.ms = median_step(runner.ms);
    const Detection last = runner.detector->result();
    runner.row.points = last.points, runner.row.touching = last.touching,
    runner.row.max_depth = last.max_depth;
}

void compare(std::vector<Runner>& runners) {
    const auto is_ours = [](const Runner& r) { return r.row.engine.starts_with("impuls"); };
    double fastest = std::numeric_limits<double>::infinity();
    for (const Runner& r : runners)
        if (r.detector && !is_ours(r)) fastest = std::min(fastest, r.row.ms);
    double on_one_thread = 0;  // of the same engine: its row comes first
    for (Runner& r : runners) {
        if (!r.detector) continue;
        if (r.row.threads == 1) on_one_thread = median_step(r.wall_ms);
        r.row.ratio = r.row.ms / fastest;
        r.row.speed_up = is_ours(r) && r.row.threads > 1 ? on_one_thread / r.row.ms : 1;
    }
}

}  // namespace

std::vector<CollisionRow> replay_collisions(const ReplayOptions& options, const CampaignCalls& calls) {
    std::vector<CollisionRow> rows;
    for (const std::string& name : options.scenes) {
        const Model model = make_model(load(find_scene(name), options.is_quick, options.changes));
        const Poses frames = record(model, options, calls, name);
        std::vector<Runner> runners = make_runners(model, name, options);
        for (int repeat = 0; repeat < options.repeats; ++repeat)
            for (Runner& runner : runners) {
                calls.progress(double(repeat) / options.repeats,
                               fmt::format("{} · {}", name, runner.row.engine));
                if (runner.detector) replay(runner, frames, options.warm_up);
            }
        for (Runner& runner : runners)
            if (runner.detector) finish(runner);
        compare(runners);
        for (const Runner& runner : runners) rows.push_back(runner.row);
    }
    return rows;
}

}  // namespace impuls::bench
