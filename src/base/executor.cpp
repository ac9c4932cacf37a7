// Executor: a oneTBB task arena of its own, or plain loops on the calling thread when one thread is asked
// for. Chunk borders are multiples of the grain, so what a chunk holds never depends on the number of
// threads. Called by every parallel stage of a step.
#include "impuls/executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>

namespace impuls {

struct Executor::Arena {
    explicit Arena(int count) : threads(count), arena(count) {
        // oneTBB caps its workers at the number of cores unless told otherwise.
        if (count > tbb::info::default_concurrency()) {
            more_than_cores.emplace(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(count));
        }
    }
    int threads;
    std::optional<tbb::global_control> more_than_cores;
    tbb::task_arena arena;
};

Executor::Executor(int threads) {
    const int count = threads > 0 ? threads : tbb::info::default_concurrency();
    if (count > 1) arena_ = std::make_unique<Arena>(count);
}

Executor::~Executor() = default;

int Executor::threads() const {
    return arena_ ? arena_->threads : 1;
}

void Executor::run(std::size_t n, std::size_t grain, void* body, Call call) {
    if (n == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    if (n <= grain) return call(body, 0, n);

    const std::size_t chunks = (n - 1) / grain + 1;
    const auto run_chunk = [=](std::size_t c) {
        call(body, c * grain, c + 1 == chunks ? n : (c + 1) * grain);
    };
    if (!arena_) {
        for (std::size_t c = 0; c < chunks; ++c) run_chunk(c);
        return;
    }
    arena_->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, chunks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t c = range.begin(); c < range.end(); ++c) run_chunk(c);
            },
            tbb::simple_partitioner{});
    });
}

}  // namespace impuls
