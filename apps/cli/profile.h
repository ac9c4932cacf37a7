// Where the time of a run goes: a table of stages, and a trace that Chrome (chrome://tracing) and Perfetto
// show. Steps of the trace say how many islands each stepper advanced and what that took.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "impuls/frame.h"

namespace impuls::cli {

class Profile {
  public:
    void add(const Frame& frame);
    // Stages with mean, median, 99 % and largest time a step, and share of the whole.
    std::string table() const;
    // Throws FileError.
    void write(const std::string& path) const;

  private:
    struct Step {
        std::int64_t step;
        std::array<double, kStages> seconds;
        std::string islands;  // as arguments of the trace
    };
    std::vector<Step> steps_{};
};

}  // namespace impuls::cli
