// A progress bar with the time left, on stderr; it leaves no trace behind. Where stderr is no terminal, a
// line every ten seconds instead.
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

    // False most of the time: the bar is redrawn ten times a second at most, and lines are ten seconds apart.
    bool is_due();
    // `fraction` from 0 to 1; `text` follows the bar.
    void draw(double fraction, const std::string& text);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    struct Mark {
        Clock::time_point time;
        double done;
    };
    std::string time_left(double done);

    bool is_shown_, is_terminal_;
    bool is_drawn_ = false;
    // The rate is that since `old_`, which is 10 to 20 s ago.
    Mark old_{Clock::now(), 0}, recent_ = old_;
    Clock::time_point next_ = old_.time;
};

}  // namespace impuls::cli
