// The progress bar (progress.h).
#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "cli/output.h"

namespace impuls::cli {
namespace {

constexpr int kBarCells = 24;
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kLinePause = std::chrono::seconds(10);
constexpr auto kRateOver = std::chrono::seconds(10);

void to_terminal(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

Progress::Progress(bool is_wanted) : is_shown_(is_wanted), is_terminal_(isatty(STDERR_FILENO) != 0) {
    if (!is_terminal_) next_ += kLinePause;
}

Progress::~Progress() {
    clear();
}

bool Progress::is_due() {
    return is_shown_ && Clock::now() >= next_;
}

// From the recent rate: the first steps of a run say little about the later ones.
std::string Progress::time_left(double done) {
    const Mark now{Clock::now(), done};
    if (now.time - recent_.time > kRateOver) {
        old_ = recent_;
        recent_ = now;
    }
    const double gained = done - old_.done,
                 elapsed = std::chrono::duration<double>(now.time - old_.time).count();
    if (!(gained > 0) || done >= 1) return "";
    return ", " + duration_text(elapsed * (1 - done) / gained) + " left";
}

void Progress::draw(double fraction, const std::string& text) {
    if (!is_shown_) return;
    next_ = Clock::now() + (is_terminal_ ? Clock::duration(kPause) : kLinePause);
    const double done = std::clamp(fraction, 0.0, 1.0);
    const std::string state = fmt::format("{:3.0f} %  {}{}", 100 * done, text, time_left(done));
    if (!is_terminal_) {
        complain(state);
        return;
    }
    const auto filled = static_cast<std::size_t>(done * kBarCells);
    to_terminal(fmt::format("\r\033[K[{}{}] {}", std::string(filled, '#'),
                            std::string(kBarCells - filled, '.'), state));
    is_drawn_ = true;
}

void Progress::clear() {
    if (is_drawn_) to_terminal("\r\033[K");
    is_drawn_ = false;
}

}  // namespace impuls::cli
