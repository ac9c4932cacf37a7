// Recordings taken up again (include/impuls/resume.h): choose a checkpoint, restore it, step on with what was
// recorded, and compare every state with its recorded hash. Called by the command line.
#include "impuls/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

void require_same_engine(const Recording& recording) {
    const std::string recorded = recording.meta("engine"), own = build_info().front().second;
    if (recorded == own) return;
    throw InputError(
        fmt::format("was recorded by Impuls {}, and this is Impuls {}, which may step otherwise: "
                    "go on with that version, or run the scene anew",
                    recorded.empty() ? "(unknown)" : recorded, own));
}

// The range of steps that a recording tells of; without hashes, of its checkpoints.
std::pair<std::int64_t, std::int64_t> recorded_steps(
    const std::vector<std::pair<std::int64_t, std::uint64_t>>& hashes,
    const std::vector<std::int64_t>& checkpoints) {
    if (!hashes.empty()) return {std::min(hashes.front().first, checkpoints.front()), hashes.back().first};
    return {checkpoints.front(), checkpoints.back()};
}

// The whole step at a time, or the one before it.
std::int64_t step_of(double time, double dt) {
    return static_cast<std::int64_t>(std::floor(std::min(time / dt + 1e-6, 1e15)));
}

std::int64_t step_to_resume(const ResumeOptions& options, std::pair<std::int64_t, std::int64_t> steps,
                            double dt) {
    const auto [first, last] = steps;
    if (!options.at) return last;
    const std::int64_t step = *options.at >= 0 ? step_of(*options.at, dt) : -1;
    const auto time = [dt](std::int64_t s) { return static_cast<double>(s) * dt; };
    if (step > last)
        throw InputError(fmt::format("--at {}: the recording ends at {} s", *options.at, time(last)));
    if (step < first || std::isnan(*options.at))
        throw InputError(fmt::format("--at {}: the recording begins at {} s", *options.at, time(first)));
    return step;
}

// The last checkpoint at or before a step; before it, where outputs are wanted and there is one.
std::int64_t checkpoint_for(const std::vector<std::int64_t>& checkpoints, std::int64_t step, bool outputs) {
    auto after = std::upper_bound(checkpoints.begin(), checkpoints.end(), step);
    if (after == checkpoints.begin())
        throw InputError(fmt::format("has no checkpoint at or before step {}", step));
    if (outputs && *std::prev(after) == step && std::prev(after) != checkpoints.begin()) --after;
    return *std::prev(after);
}

class CatchUp {
  public:
    CatchUp(const Recording& recording, World& world) : world_(world) {
        const std::int64_t first = world.steps();
        hashes_ = recording.hashes();
        std::erase_if(hashes_, [&](const auto& h) { return h.first < first; });
        commands_ = recording.commands();
        std::erase_if(commands_, [&](const auto& c) { return c.first < first; });
        // Those that were given before the checkpoint was made wait in it already.
        for (std::size_t waiting = world.pending_commands();
             waiting > 0 && !commands_.empty() && commands_.front().first == first; --waiting)
            commands_.erase(commands_.begin());
    }

    void run(std::int64_t step, const ResumeOptions& options, Resumption& to) {
        to.difference = compare();
        while (to.difference.empty() && world_.steps() < step) {
            if (options.progress) options.progress(world_.steps(), step);
            while (next_command_ < commands_.size() && commands_[next_command_].first <= world_.steps())
                world_.apply(commands_[next_command_++].second);
            const StepStatus status = world_.step();
            if (status.interrupted) {
                to.interrupted = true;
                break;
            }
            to.difference = status.ok ? compare() : status.message;
        }
        to.commands.assign(commands_.begin() + static_cast<std::ptrdiff_t>(next_command_), commands_.end());
    }

  private:
    std::string compare() {
        while (next_hash_ < hashes_.size() && hashes_[next_hash_].first < world_.steps()) ++next_hash_;
        if (next_hash_ == hashes_.size() || hashes_[next_hash_].first != world_.steps()) return {};
        const std::uint64_t recorded = hashes_[next_hash_].second, now = world_.state_hash();
        if (recorded == now) return {};
        return fmt::format("step {} differs when simulated again: recorded {:016x}, now {:016x}",
                           world_.steps(), recorded, now);
    }

    World& world_;
    std::vector<std::pair<std::int64_t, std::uint64_t>> hashes_{};
    std::vector<std::pair<std::int64_t, Command>> commands_{};
    std::size_t next_hash_ = 0, next_command_ = 0;
};

}  // namespace

Resumption resume(const Recording& recording, const ResumeOptions& options) {
    require_same_engine(recording);
    const auto checkpoints = recording.checkpoint_steps();
    const auto hashes = recording.hashes();
    const bool is_empty = checkpoints.empty() && hashes.empty() && recording.meta("parent").empty();
    if (checkpoints.empty() && !is_empty)
        throw InputError("has no checkpoint, so it cannot be taken up again");
    Resumption to{World(recording.scene(), options.executor)};
    const auto steps =
        is_empty ? std::pair<std::int64_t, std::int64_t>{} : recorded_steps(hashes, checkpoints);
    const std::int64_t step = step_to_resume(options, steps, to.world.dt());
    if (!is_empty)
        to.world.restore(recording.checkpoint(checkpoint_for(checkpoints, step, options.wants_outputs)));
    to.world.interrupt_when(options.interrupt_when);
    CatchUp(recording, to.world).run(step, options, to);
    return to;
}

std::vector<std::pair<std::string, std::string>> parent_meta(const std::string& file, const World& there) {
    return {{"parent", file},
            {"parent_time", fmt::format("{}", there.time())},
            {"parent_step", std::to_string(there.steps())},
            {"parent_hash", fmt::format("{:016x}", there.state_hash())}};
}

}  // namespace impuls
