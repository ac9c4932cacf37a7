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

constexpr std::size_t kLine = 64;                 // bytes of a cache line
constexpr int kBusyLooks = 256;                   // with a pause in between; later ones yield the core
constexpr std::chrono::microseconds kAwake{200};  // until a thread without work sleeps
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

struct Taken {
    std::atomic<bool>& flag;
    ~Taken() { flag.store(false, std::memory_order_release); }
};

}  // namespace

// A loop is published as a number. A share's ticket holds that number and how many of its chunks are left;
// who counts it down by one has a chunk, and knows that the loop he read about is still that one. A loop ends
// when all its chunks are done, so nobody works on an old one.
struct Executor::Team {
    explicit Team(int count) : shares(static_cast<std::size_t>(count)) {
        const auto cores = std::max(1u, std::thread::hardware_concurrency());
        if (static_cast<unsigned>(count) > cores) awake = {};  // they would keep others from working
        for (std::size_t t = 1; t < shares.size(); ++t) threads.emplace_back([this, t] { serve(t); });
    }
    ~Team() {
        is_over.store(true, std::memory_order_relaxed);
        loop.fetch_add(1, std::memory_order_release);
        loop.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    void run(std::size_t n, std::size_t grain, std::size_t chunks, void* body, Call call);
    void serve(std::size_t thread);
    void work(std::size_t thread);
    void make_way(std::chrono::steady_clock::time_point& last) const;

    struct alignas(kLine) Share {
        std::atomic<std::uint64_t> ticket = 0;  // number of the loop, 32 bits; chunks left, 32 bits
        std::atomic<std::size_t> end = 0;       // one past its last chunk
    };
    // The loop. Whoever reads these checks with a ticket that they belong together.
    std::atomic<void*> body = nullptr;
    std::atomic<Call> call = nullptr;
    std::atomic<std::size_t> n = 0, grain = 1;
    std::atomic<bool> has_failed = false;
    std::exception_ptr failure{};

    alignas(kLine) std::atomic<std::uint32_t> loop = 0;  // its number
    std::atomic<int> callers_core = -1;
    alignas(kLine) std::atomic<std::size_t> done = 0;  // chunks
    std::atomic<bool> is_over = false;
    std::atomic<bool> is_taken = false;  // by the caller of a loop
    std::chrono::microseconds awake = kAwake;
    std::vector<Share> shares;
    std::vector<std::thread> threads{};
};

void Executor::Team::run(std::size_t count, std::size_t size, std::size_t chunks, void* what, Call how) {
    body.store(what, std::memory_order_relaxed), call.store(how, std::memory_order_relaxed);
    n.store(count, std::memory_order_relaxed), grain.store(size, std::memory_order_relaxed);
    done.store(0, std::memory_order_relaxed);
    callers_core.store(current_core(), std::memory_order_relaxed);
    const std::uint32_t number = loop.load(std::memory_order_relaxed) + 1;
    for (std::size_t s = 0; s < shares.size(); ++s) {
        const std::size_t begin = chunks * s / shares.size(), end = chunks * (s + 1) / shares.size();
        shares[s].end.store(end, std::memory_order_relaxed);
        shares[s].ticket.store(std::uint64_t{number} << 32 | (end - begin), std::memory_order_release);
    }
    loop.store(number, std::memory_order_release);
    loop.notify_all();  // costs nothing while all look out

    work(0);
    while (!look_out([&] { return done.load(std::memory_order_acquire) == chunks; }, kAwake)) {
    }
    if (has_failed.load(std::memory_order_relaxed)) {
        has_failed.store(false, std::memory_order_relaxed);
        std::rethrow_exception(std::exchange(failure, nullptr));
    }
}

void Executor::Team::serve(std::size_t thread) {
    std::chrono::steady_clock::time_point moved{};
    for (std::uint32_t seen = 0;;) {
        const auto is_next = [&] { return loop.load(std::memory_order_acquire) != seen; };
        if (!look_out(is_next, awake)) loop.wait(seen, std::memory_order_acquire);
        seen = loop.load(std::memory_order_acquire);
        if (is_over.load(std::memory_order_relaxed)) return;
        make_way(moved);
        work(thread);
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
void Executor::Team::work(std::size_t thread) {
    std::size_t finished = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
        Share& share = shares[(thread + k) % shares.size()];
        std::uint64_t ticket = share.ticket.load(std::memory_order_acquire);
        while ((ticket & 0xffffffff) != 0) {
            const std::size_t c = share.end.load(std::memory_order_relaxed) - (ticket & 0xffffffff);
            const std::size_t count = n.load(std::memory_order_relaxed);
            const std::size_t size = grain.load(std::memory_order_relaxed);
            void* const what = body.load(std::memory_order_relaxed);
            const Call how = call.load(std::memory_order_relaxed);
            if (!share.ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel,
                                                    std::memory_order_acquire))
                continue;
            try {
                how(what, c * size, std::min(count, (c + 1) * size));
            } catch (...) {
                if (!has_failed.exchange(true, std::memory_order_relaxed)) failure = std::current_exception();
            }
            ++finished, --ticket;
        }
    }
    if (finished > 0) done.fetch_add(finished, std::memory_order_acq_rel);
}

Executor::Executor(int threads) {
    const int count =
        threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (count > 1) team_ = std::make_unique<Team>(count);
}

Executor::~Executor() = default;

int Executor::threads() const {
    return team_ ? static_cast<int>(team_->shares.size()) : 1;
}

void Executor::run(std::size_t n, std::size_t grain, void* body, Call call) {
    if (n == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    if (n <= grain) return call(body, 0, n);

    const std::size_t chunks = (n - 1) / grain + 1;
    // Loops inside a loop, and loops of a second world that shares the executor, run on their caller alone.
    if (team_ && chunks <= 0xffffffff && !team_->is_taken.exchange(true, std::memory_order_acquire)) {
        const Taken until_return{team_->is_taken};
        return team_->run(n, grain, chunks, body, call);
    }
    for (std::size_t c = 0; c < chunks; ++c) call(body, c * grain, std::min(n, (c + 1) * grain));
}

}  // namespace impuls
