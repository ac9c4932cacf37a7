// Executor: every item once, fixed chunks, nesting, several callers, exceptions.
#include "impuls/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
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

// Worlds may share an executor; there are more loops at once than it has places for.
TEST(Executor, LoopsOfSeveralThreadsAtOnce) {
    Executor executor(3);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 6; ++caller)
        callers.emplace_back([&, caller] {
            for (int round = 0; round < 200; ++round) {
                std::vector<int> visits(static_cast<std::size_t>(1 + (37 * round + caller) % 200));
                executor.parallel_for(visits.size(), 3, [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) ++visits[i];
                    std::atomic<std::size_t> inner = 0;
                    executor.parallel_for(20, 2, [&](std::size_t b, std::size_t e) { inner += e - b; });
                    wrong += inner != 20;
                });
                for (const int v : visits) wrong += v != 1;
            }
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong, 0);
}

// Threads that went to sleep are woken up by the next loop.
TEST(Executor, WorksAfterAPause) {
    Executor executor(2);
    for (int round = 0; round < 5; ++round) {
        std::atomic<int> sum = 0;
        executor.parallel_for(64, 1, [&](std::size_t i, std::size_t) { sum += static_cast<int>(i); });
        EXPECT_EQ(sum, 64 * 63 / 2);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
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
        int calls = 0;  // and the next loop is a new one
        executor.parallel_for(1, 1, [&](std::size_t, std::size_t) { ++calls; });
        std::atomic<int> chunks = 0;
        EXPECT_NO_THROW(executor.parallel_for(10, 1, [&](std::size_t, std::size_t) { ++chunks; }));
        EXPECT_EQ(calls, 1);
        EXPECT_EQ(chunks, 10);
    }
}

}  // namespace
}  // namespace impuls
