// Taking up a recorded run again: at its end, to go on bit for bit, or at any time before, to branch off
// (docs/manual/recording.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "impuls/executor.h"
#include "impuls/recording.h"
#include "impuls/world.h"

namespace impuls {

struct ResumeOptions {
    std::optional<double> at{};  // s; left out: the end of the recording
    std::shared_ptr<Executor> executor = nullptr;
    /// Start from a checkpoint before that time even where there is one of that time: frames then tell what
    /// the last step did, such as forces, which a checkpoint does not hold.
    bool wants_outputs = false;
    std::function<bool()> interrupt_when{};                              // as World::interrupt_when
    std::function<void(std::int64_t step, std::int64_t to)> progress{};  // of steps simulated again
};

/// A world at some time of a recording.
struct Resumption {
    World world;
    /// Commands of the recording that were not applied yet, each with the step at whose start it was.
    std::vector<std::pair<std::int64_t, Command>> commands{};
    /// Says where a step that was simulated again is not as recorded; "" when all are.
    std::string difference{};
    bool interrupted = false;
};

/// The world as it was at a time of a recording: from a checkpoint, then step by step with the recorded
/// commands, each compared with the recorded hash. A recording that was killed before it held anything is
/// taken up at its scene's start. Throws InputError when there is no checkpoint to start from, when the time
/// is not in the recording, and when another version of the engine recorded it.
Resumption resume(const Recording& recording, const ResumeOptions& options = {});

/// For RecordOptions::meta: which run a recording goes on from. "parent" is its path, "parent_time",
/// "parent_step" and "parent_hash" are those of its world `there`, where the other begins.
std::vector<std::pair<std::string, std::string>> parent_meta(const std::string& file, const World& there);

}  // namespace impuls
