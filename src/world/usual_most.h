// What all but two in a hundred of some values stay below, as far as a few limits tell: single pairs that are
// jammed or struck must not make all of them slow.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace impuls {

template <std::size_t N>
class UsualMost {
  public:
    // Limits ascend.
    explicit UsualMost(const std::array<double, N>& limits) : limits_(limits) {}
    void add(double value) {
        ++count_;
        for (std::size_t k = 0; k < N && value > limits_[k]; ++k) ++above_[k];
    }
    // All values of another one with these limits; by any thread.
    void add(const UsualMost& other) {
        std::atomic_ref(count_) += other.count_;
        for (std::size_t k = 0; k < N; ++k)
            if (other.above_[k] > 0) std::atomic_ref(above_[k]) += other.above_[k];
    }
    bool is_within(std::size_t limit) const { return above_[limit] <= count_ / 50; }
    bool is_any_above(std::size_t limit) const { return above_[limit] > 0; }

  private:
    std::array<double, N> limits_;
    std::array<std::size_t, N> above_{};
    std::size_t count_ = 0;
};

}  // namespace impuls
