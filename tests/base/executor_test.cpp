// Executor: every item once, fixed chunks, nesting, exceptions, no allocation with one thread.
#include "impuls/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace impuls {
namespace {

TEST(Executor, ThreadCounts) {
    EXPECT_EQ(Executor(1).threads(), 1);
    EXPECT_EQ(Executor(3).threads(), 3);
    EXPECT_GE(Executor(0).threads(), 1);
}

TEST(Executor, CoversTheRangeOnceInFixedChunks) {
    for (const std::size_t n : {1u, 7u, 64u, 65u, 1000u}) {
        std::set<std::pair<std::size_t, std::size_t>> first;
        for (const int threads : {1, 2, 4}) {
            Executor executor(threads);
            std::vector<std::atomic<int>> visits(n);
            std::set<std::pair<std::size_t, std::size_t>> chunks;
            std::mutex mutex;
            executor.parallel_for(n, 64, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
                const std::lock_guard lock(mutex);
                chunks.insert({begin, end});
            });
            for (const auto& v : visits) ASSERT_EQ(v, 1);
            for (const auto& [begin, end] : chunks) {
                EXPECT_EQ(begin % 64, 0u);
                EXPECT_EQ(end, std::min(begin + 64, n));
            }
            if (threads == 1) first = chunks;
            EXPECT_EQ(chunks, first);
        }
    }
}

TEST(Executor, NothingToDoAndZeroGrain) {
    for (const int threads : {1, 2}) {
        Executor executor(threads);
        executor.parallel_for(0, 8, [](std::size_t, std::size_t) { FAIL(); });
        std::atomic<int> calls = 0;
        executor.parallel_for(5, 0, [&](std::size_t begin, std::size_t end) { calls += end == begin + 1; });
        EXPECT_EQ(calls, 5);
    }
}

TEST(Executor, NestedCalls) {
    for (const int threads : {1, 2, 4}) {
        Executor executor(threads);
        std::vector<std::atomic<int>> visits(40 * 50);
        executor.parallel_for(40, 1, [&](std::size_t row, std::size_t) {
            executor.parallel_for(50, 7, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) ++visits[row * 50 + i];
            });
        });
        for (const auto& v : visits) ASSERT_EQ(v, 1);
    }
}

TEST(Executor, ExceptionsReachTheCaller) {
    for (const int threads : {1, 2}) {
        Executor executor(threads);
        EXPECT_THROW(executor.parallel_for(100, 1,
                                           [](std::size_t begin, std::size_t) {
                                               if (begin == 42) throw std::runtime_error("42");
                                           }),
                     std::runtime_error);
    }
}

}  // namespace
}  // namespace impuls
