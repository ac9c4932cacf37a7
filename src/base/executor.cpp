// Executor: a team of threads of its own, or plain loops on the calling thread when one thread is asked for.
// Chunk borders are multiples of the grain, so what a chunk holds never depends on the number of threads.
// Called by every parallel stage of a step.
//
// A step is tens to thousands of short parallel loops, often of a few microseconds each: colours of a sweep,
// levels of a tree. So threads without work look out for the next loop for a while before they sleep, and
// start within a fraction of a microsecond. Each thread has a share of the chunks, the same one in every loop
// over equally many, whose data its caches still hold; when it is done it helps with the others' shares.
#include "impuls/executor.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "base/cores.h"

namespace impuls {
namespace {

constexpr std::size_t kLine = 64;                  // bytes of a cache line
constexpr int kBusyLooks = 256;                    // with a pause in between; later ones yield the core
constexpr std::chrono::microseconds kAwake{1000};  // until a thread without work sleeps
constexpr std::chrono::milliseconds kSettled{5};  // until a thread that moved to another core may do it again

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

// Looks until `is_there()`, hardly longer than `limit`.
template <class F>
bool look_out(F&& is_there, std::chrono::microseconds limit) {
    for (int k = 0; k < kBusyLooks; ++k) {
        if (is_there()) return true;
        pause();
    }
    for (const auto start = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - start < limit;) {
        if (is_there()) return true;
        std::this_thread::yield();
    }
    return is_there();
}

}  // namespace

// Loops at the same time are those inside of others, and those of worlds that share the executor. Each is in
// a place of its own, where it is published as a number. A share's ticket holds that number and how many of
// its chunks are left; who counts it down by one has a chunk, and knows that the loop he read about is still
// that one. A loop ends when all its chunks are done, so nobody works on an old one.
struct Executor::Team {
    static constexpr std::size_t kPlaces = 4;

    struct alignas(kLine) Share {
        std::atomic<std::uint64_t> ticket = 0;  // number of the loop, 32 bits; chunks left, 32 bits
        std::atomic<std::size_t> end = 0;       // one past its last chunk
    };
    struct alignas(kLine) Loop {
        // Whoever reads these checks with a ticket that they belong together.
        std::atomic<void*> body = nullptr;
        std::atomic<Call> call = nullptr;
        std::atomic<std::size_t> n = 0, grain = 1;
        std::atomic<bool> has_failed = false;
        std::exception_ptr failure{};
        std::vector<Share> shares{};
        std::uint32_t number = 0;
        alignas(kLine) std::atomic<std::size_t> done = 0;  // chunks
        std::atomic<bool> is_taken = false;                // by a caller
    };

    explicit Team(int count) {
        const auto cores = std::max(1u, std::thread::hardware_concurrency());
        if (static_cast<unsigned>(count) > cores) awake = {};  // they would keep others from working
        for (Loop& loop : loops) loop.shares = std::vector<Share>(static_cast<std::size_t>(count));
        for (int t = 1; t < count; ++t)
            threads.emplace_back([this, t] { serve(static_cast<std::size_t>(t)); });
    }
    ~Team() {
        is_over.store(true, std::memory_order_relaxed);
        tell();
        for (std::thread& thread : threads) thread.join();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    Loop* take_place();
    void run(Loop& loop, std::size_t n, std::size_t grain, std::size_t chunks, void* body, Call call);
    void tell();
    void serve(std::size_t thread);
    static void work(Loop& loop, std::size_t thread);
    void make_way(std::chrono::steady_clock::time_point& last) const;

    std::array<Loop, kPlaces> loops{};
    alignas(kLine) std::atomic<std::uint32_t> news = 0;  // how many loops were published
    std::atomic<int> callers_core = -1;
    std::atomic<bool> is_over = false;
    std::chrono::microseconds awake = kAwake;
    std::vector<std::thread> threads{};
};

Executor::Team::Loop* Executor::Team::take_place() {
    for (Loop& loop : loops)
        if (!loop.is_taken.exchange(true, std::memory_order_acquire)) return &loop;
    return nullptr;
}

void Executor::Team::tell() {
    news.fetch_add(1, std::memory_order_release);
    news.notify_all();  // costs nothing while all look out
}

void Executor::Team::run(Loop& loop, std::size_t n, std::size_t grain, std::size_t chunks, void* body,
                         Call call) {
    loop.body.store(body, std::memory_order_relaxed), loop.call.store(call, std::memory_order_relaxed);
    loop.n.store(n, std::memory_order_relaxed), loop.grain.store(grain, std::memory_order_relaxed);
    loop.done.store(0, std::memory_order_relaxed);
    callers_core.store(current_core(), std::memory_order_relaxed);
    const std::uint64_t number = ++loop.number;
    const std::size_t count = loop.shares.size();
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t begin = chunks * s / count, end = chunks * (s + 1) / count;
        loop.shares[s].end.store(end, std::memory_order_relaxed);
        loop.shares[s].ticket.store(number << 32 | (end - begin), std::memory_order_release);
    }
    tell();
    work(loop, 0);
    while (!look_out([&] { return loop.done.load(std::memory_order_acquire) == chunks; }, kAwake)) {
    }
    const bool has_failed = loop.has_failed.exchange(false, std::memory_order_relaxed);
    const std::exception_ptr failure = std::exchange(loop.failure, nullptr);
    loop.is_taken.store(false, std::memory_order_release);
    if (has_failed) std::rethrow_exception(failure);
}

void Executor::Team::serve(std::size_t thread) {
    std::chrono::steady_clock::time_point moved{};
    for (std::uint32_t seen = 0;;) {
        const auto is_next = [&] { return news.load(std::memory_order_acquire) != seen; };
        if (!look_out(is_next, awake)) news.wait(seen, std::memory_order_acquire);
        seen = news.load(std::memory_order_acquire);
        if (is_over.load(std::memory_order_relaxed)) return;
        make_way(moved);
        for (Loop& loop : loops) work(loop, thread);
    }
}

// A thread that is woken up on the caller's core gets no turn there, because the caller has work; the
// system's balance comes too late for loops of microseconds. So it moves on, though not again and again.
void Executor::Team::make_way(std::chrono::steady_clock::time_point& last) const {
    const int core = current_core();
    if (core < 0 || core != callers_core.load(std::memory_order_relaxed)) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kSettled) return;
    last = now;
    leave_core(core);
}

// Chunks of the thread's own share, then of those after it.
void Executor::Team::work(Loop& loop, std::size_t thread) {
    std::size_t finished = 0;
    for (std::size_t k = 0; k < loop.shares.size(); ++k) {
        Share& share = loop.shares[(thread + k) % loop.shares.size()];
        std::uint64_t ticket = share.ticket.load(std::memory_order_acquire);
        while ((ticket & 0xffffffff) != 0) {
            const std::size_t c = share.end.load(std::memory_order_relaxed) - (ticket & 0xffffffff);
            const std::size_t n = loop.n.load(std::memory_order_relaxed);
            const std::size_t grain = loop.grain.load(std::memory_order_relaxed);
            void* const body = loop.body.load(std::memory_order_relaxed);
            const Call call = loop.call.load(std::memory_order_relaxed);
            if (!share.ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel,
                                                    std::memory_order_acquire))
                continue;
            try {
                call(body, c * grain, std::min(n, (c + 1) * grain));
            } catch (...) {
                if (!loop.has_failed.exchange(true, std::memory_order_relaxed))
                    loop.failure = std::current_exception();
            }
            ++finished, --ticket;
        }
    }
    if (finished > 0) loop.done.fetch_add(finished, std::memory_order_acq_rel);
}

Executor::Executor(int threads) {
    const int count =
        threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (count > 1) team_ = std::make_unique<Team>(count);
}

Executor::~Executor() = default;

int Executor::threads() const {
    return team_ ? static_cast<int>(team_->threads.size()) + 1 : 1;
}

void Executor::run(std::size_t n, std::size_t grain, void* body, Call call) {
    if (n == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    if (n <= grain) return call(body, 0, n);

    const std::size_t chunks = (n - 1) / grain + 1;
    Team::Loop* const loop = team_ && chunks <= 0xffffffff ? team_->take_place() : nullptr;
    if (loop) return team_->run(*loop, n, grain, chunks, body, call);
    for (std::size_t c = 0; c < chunks; ++c) call(body, c * grain, std::min(n, (c + 1) * grain));
}

}  // namespace impuls
