// What all but two in a hundred of some values stay below, as far as a few limits tell: single pairs that are
// jammed or struck must not make all of them slow.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <numeric>

namespace impuls {

template <std::size_t N>
class UsualMost {
  public:
    // Limits ascend.
    explicit UsualMost(const std::array<double, N>& limits) : limits_(limits) {}
    void add(double value) {
        std::size_t k = 0;
        while (k < N && value > limits_[k]) ++k;
        ++up_to_[k];
    }
    // All values of another one with these limits; by any thread.
    void add(const UsualMost& other) {
        for (std::size_t k = 0; k <= N; ++k)
            if (other.up_to_[k] > 0) std::atomic_ref(up_to_[k]) += other.up_to_[k];
    }
    bool is_within(std::size_t limit) const { return count_from(limit + 1) <= count_from(0) / 50; }
    bool is_any_above(std::size_t limit) const { return count_from(limit + 1) > 0; }

  private:
    std::size_t count_from(std::size_t k) const {
        return std::accumulate(up_to_.begin() + static_cast<std::ptrdiff_t>(k), up_to_.end(), std::size_t{0});
    }

    std::array<double, N> limits_;
    std::array<std::size_t, N + 1> up_to_{};  // how many each limit is the first for; the last: none
};

}  // namespace impuls
