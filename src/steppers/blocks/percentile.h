// The 98th percentile of some values, as far as a few limits tell (a histogram whose bins end at the limits):
// single pairs that are jammed or struck must not slow the whole island down.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <numeric>

namespace impuls::blocks {

template <std::size_t N>
class PercentileCounter {
  public:
    // Limits ascend.
    explicit PercentileCounter(const std::array<double, N>& limits) : limits_(limits) {}
    void add(double value) {
        std::size_t k = 0;
        while (k < N && value > limits_[k]) ++k;
        ++count_[k];
    }
    // All values of another counter with the same limits; safe from any thread.
    void add(const PercentileCounter& other) {
        for (std::size_t k = 0; k <= N; ++k)
            if (other.count_[k] > 0) std::atomic_ref(count_[k]) += other.count_[k];
    }
    // Whether the 98th percentile is within limit number `limit`.
    bool is_within(std::size_t limit) const { return count_from(limit + 1) <= count_from(0) / 50; }
    bool is_any_above(std::size_t limit) const { return count_from(limit + 1) > 0; }

  private:
    std::size_t count_from(std::size_t k) const {
        return std::accumulate(count_.begin() + static_cast<std::ptrdiff_t>(k), count_.end(), std::size_t{0});
    }

    std::array<double, N> limits_;
    std::array<std::size_t, N + 1> count_{};  // values by the first limit they are within; the last: none
};

}  // namespace impuls::blocks
