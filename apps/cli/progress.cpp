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

void to_terminal(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

Progress::Progress(bool is_wanted) : is_shown_(is_wanted && isatty(STDERR_FILENO)) {}

Progress::~Progress() {
    clear();
}

bool Progress::is_due() {
    return is_shown_ && Clock::now() >= next_;
}

void Progress::draw(double fraction, const std::string& text) {
    if (!is_shown_) return;
    next_ = Clock::now() + kPause;
    const double done = std::clamp(fraction, 0.0, 1.0);
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const auto filled = static_cast<std::size_t>(done * kBarCells);
    const std::string left =
        done > 0 && done < 1 ? ", " + duration_text(elapsed * (1 - done) / done) + " left" : "";
    to_terminal(fmt::format("\r\033[K[{}{}] {:3.0f} %  {}{}", std::string(filled, '#'),
                            std::string(kBarCells - filled, '.'), 100 * done, text, left));
    is_drawn_ = true;
}

void Progress::clear() {
    if (is_drawn_) to_terminal("\r\033[K");
    is_drawn_ = false;
}

}  // namespace impuls::cli
