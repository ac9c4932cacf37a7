// Wall times of steps in bounded memory: when full, every second one is dropped and from then on only every
// second, fourth, ... is kept, so quantiles stay those of evenly spread steps. Mean and maximum are of all
// steps. Called by run() and by the profile of the command line.
#pragma once

#include <cstdint>
#include <vector>

namespace impuls {

class StepTimes {
  public:
    void add(double seconds);
    std::int64_t count() const { return count_; }
    double mean_ms() const;
    double max_ms() const { return 1e3 * max_; }
    double quantile_ms(double q) const;

  private:
    std::vector<double> kept_{};
    std::int64_t count_ = 0;
    std::int64_t stride_ = 1;
    double sum_ = 0, max_ = 0;
};

}  // namespace impuls
