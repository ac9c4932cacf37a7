// A progress bar with the time left, on stderr and only when that is a terminal; it leaves no trace behind.
#pragma once

#include <chrono>
#include <string>

namespace impuls::cli {

class Progress {
  public:
    explicit Progress(bool is_wanted = true);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // False most of the time: the bar is redrawn ten times a second at most.
    bool is_due();
    // `fraction` from 0 to 1; `text` follows the bar.
    void draw(double fraction, const std::string& text);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    bool is_shown_;
    bool is_drawn_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_;
};

}  // namespace impuls::cli
