// Thinned wall times (step_times.h).
#include "run/step_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace impuls {
namespace {

constexpr std::size_t kMostTimes = std::size_t{1} << 18;

}  // namespace

void StepTimes::add(double seconds) {
    sum_ += seconds;
    max_ = std::max(max_, seconds);
    if (kept_.empty()) kept_.reserve(kMostTimes);
    if (count_++ % stride_ != 0) return;
    if (kept_.size() == kMostTimes) {
        for (std::size_t k = 0; 2 * k < kept_.size(); ++k) kept_[k] = kept_[2 * k];
        kept_.resize(kMostTimes / 2);
        stride_ *= 2;
    }
    kept_.push_back(seconds);
}

double StepTimes::mean_ms() const {
    return count_ > 0 ? 1e3 * sum_ / static_cast<double>(count_) : 0;
}

double StepTimes::quantile_ms(double q) const {
    if (kept_.empty()) return 0;
    std::vector<double> sorted = kept_;
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(q * static_cast<double>(sorted.size()))) - 1;
    const auto at = sorted.begin() + std::max<std::ptrdiff_t>(rank, 0);
    std::nth_element(sorted.begin(), at, sorted.end());
    return 1e3 * *at;
}

}  // namespace impuls
