// `impuls replay`: simulates a recording again and compares the state, bit for bit.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/subcommands.h"
#include "cli/warnings.h"
#include "impuls/recording.h"
#include "impuls/world.h"

namespace impuls::cli {
namespace {

struct ReplayOptions {
    std::string file{};
    bool verify = false;
    std::int64_t from = 0;
    int threads = 1;
};

using Hash = std::pair<std::int64_t, std::uint64_t>;

// What may explain a difference is said before it is found.
void report_build(const Recording& recording) {
    for (const auto& [key, value] : build_info()) {
        const std::string recorded = recording.meta(key);
        if (recorded == value) continue;
        print(fmt::format("{} differs: recorded with {}, replayed with {}\n", key,
                          recorded.empty() ? "(unknown)" : recorded, value));
    }
}

// Puts the world on the last checkpoint at or before a step; without one it starts at 0. A branch has its
// first checkpoint where it begins.
void start_at(World& world, const Recording& recording, std::int64_t from) {
    const std::vector<std::int64_t> checkpoints = recording.checkpoint_steps();
    if (checkpoints.empty() || (from <= 0 && checkpoints.front() == 0)) return;
    std::int64_t best = checkpoints.front();
    for (const std::int64_t step : checkpoints) {
        if (step <= from) best = std::max(best, step);
    }
    world.restore(recording.checkpoint(best));
}

class Replay {
  public:
    Replay(World& world, const Recording& recording, bool every_step)
        : world_(world),
          commands_(recording.commands()),
          hashes_(recording.hashes()),
          every_step_(every_step) {
        const std::int64_t first = world.steps();
        std::erase_if(commands_, [&](const auto& c) { return c.first < first; });
        next_command_ = std::min(world.pending_commands(), commands_.size());  // these wait in the checkpoint
        std::erase_if(hashes_, [&](const Hash& h) { return h.first < first; });
        if (hashes_.empty()) throw InputError("the recording holds no state hashes to compare with");
        if (!every_step_) hashes_ = {hashes_.back()};
    }

    std::int64_t last_step() const { return hashes_.back().first; }
    std::size_t compared() const { return next_hash_; }

    // The text of the first difference, or "" when all is equal so far.
    std::string run(const std::function<bool()>& may_go_on) {
        std::string text = compare();
        while (text.empty() && world_.steps() < last_step() && may_go_on()) {
            while (next_command_ < commands_.size() && commands_[next_command_].first <= world_.steps()) {
                world_.apply(commands_[next_command_++].second);
            }
            const StepStatus status = world_.step();
            if (status.interrupted) break;
            text = status.ok
                       ? compare()
                       : fmt::format("the replay failed after step {}: {}", world_.steps(), status.message);
        }
        return text;
    }

  private:
    std::string compare() {
        if (next_hash_ == hashes_.size() || hashes_[next_hash_].first != world_.steps()) return {};
        const std::uint64_t recorded = hashes_[next_hash_++].second;
        const std::uint64_t now = world_.state_hash();
        if (now == recorded) return {};
        return fmt::format("{} {}: recorded {}, replayed {}",
                           every_step_ ? "first difference at step" : "different at step", world_.steps(),
                           hex(recorded), hex(now));
    }

    World& world_;
    std::vector<std::pair<std::int64_t, Command>> commands_;
    std::vector<Hash> hashes_;
    bool every_step_;
    std::size_t next_command_ = 0, next_hash_ = 0;
};

int replay(const ReplayOptions& o) {
    const Recording recording(o.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    report_build(recording);
    World world(recording.scene(), std::make_shared<Executor>(o.threads));
    start_at(world, recording, o.from);
    const std::int64_t first = world.steps();
    Replay replay(world, recording, o.verify);
    catch_interrupts();
    world.interrupt_when(is_interrupted);
    Progress progress;
    const std::string difference = replay.run([&] {
        if (progress.is_due()) {
            const auto whole = static_cast<double>(replay.last_step() - first);
            progress.draw(static_cast<double>(world.steps() - first) / whole,
                          fmt::format("step {}", world.steps()));
        }
        return !is_interrupted();
    });
    progress.clear();
    if (!difference.empty()) {
        print(difference + "\n");
        return kFailed;
    }
    const bool is_whole = world.steps() == replay.last_step();
    print(fmt::format("{}steps {} to {} replayed, {}, all equal\n", is_whole ? "" : "interrupted: ", first,
                      world.steps(), counted(replay.compared(), "state compared", "states compared")));
    if (!world.warnings().empty()) print(fmt::format("warnings: {}\n", warning_counts(world.warnings())));
    return is_whole ? kOk : kInterrupted;
}

std::function<int()> prepare_replay(CLI::App& app) {
    const auto o = std::make_shared<ReplayOptions>();
    app.add_option("file", o->file, "Recording")->required()->type_name("FILE");
    app.add_flag("--verify", o->verify, "Compare the state at every step, not only at the end");
    app.add_option("--from", o->from, "Start from the last checkpoint at or before this step")
        ->check(whole_number(0))
        ->type_name("STEP");
    app.add_option("--threads", o->threads, "Threads; 0 takes all cores")
        ->capture_default_str()
        ->check(whole_number(0, 4096))
        ->type_name("N");
    return [o] { return replay(*o); };
}

}  // namespace

Subcommand replay_command() {
    return {"replay", "Simulate a recording again and compare, bit for bit",
            "  impuls replay tower.impuls --verify\n"
            "  impuls replay tower.impuls --verify --from 4000",
            prepare_replay};
}

}  // namespace impuls::cli
