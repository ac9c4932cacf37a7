// Where the time of a run goes: a table of stages, and a trace that Chrome (chrome://tracing) and Perfetto
// show. Steps of the trace say how many islands each stepper advanced and what that took. The trace is
// written while the run goes on; memory does not grow with steps.
#pragma once

#include <array>
#include <string>

#include "impuls/frame.h"
#include "io/files/output.h"
#include "run/step_times.h"

namespace impuls::cli {

class Profile {
  public:
    // Throws FileError when the trace cannot be written there.
    Profile(const std::string& path, Existing existing);
    // A disk that is full does not stop the run: finish() reports it.
    void add(const Frame& frame);
    // Stages with mean, median, 99 % and largest time a step, and share of the whole.
    std::string table() const;
    // Throws FileError.
    void finish();

  private:
    void write_step(const Frame& frame);

    OutputFile trace_;
    std::string error_{};
    double time_ = 0;  // microseconds
    bool is_first_ = true;
    std::array<StepTimes, kStages> stages_{};
};

}  // namespace impuls::cli
