// Giving up a step that is under way. Whoever runs a world may have it ask, in long loops, whether to stop;
// the answer yes throws StepInterrupted, which the world catches and takes the step back (world/undo.h).
// Asked by all threads of a step. Called by steppers and solvers between substeps, passes and sweeps.
#pragma once

#include <atomic>
#include <functional>

namespace impuls {

struct StepInterrupted {};

class StopRequest {
  public:
    explicit StopRequest(std::function<bool()> is_wanted) : is_wanted_(std::move(is_wanted)) {}

    void begin_step() { is_seen_.store(false, std::memory_order_relaxed); }
    // Once it has been answered with yes, every thread stops.
    void check() const {
        if (!is_seen_.load(std::memory_order_relaxed) && !is_wanted_()) return;
        is_seen_.store(true, std::memory_order_relaxed);
        throw StepInterrupted{};
    }

  private:
    std::function<bool()> is_wanted_;
    mutable std::atomic<bool> is_seen_ = false;
};

// Null: nobody asks.
inline void check_stop(const StopRequest* stop) {
    if (stop) stop->check();
}

}  // namespace impuls
