// A recording on its way into another format, on a thread of its own; one at a time. Called by the session.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "impuls/export.h"

namespace impuls::studio {

struct FilmState {
    double progress = 0;  // 0 to 1
    bool is_done = false;
    std::string error{};  // why it ended, when it is not complete
};

class Film {
  public:
    ~Film() { cancel(); }

    bool is_running() const { return is_running_; }
    // `tell` is called on the film's thread. Throws InputError for an unknown format, or while one is made.
    void start(const std::string& recording, const std::string& format, const std::string& out,
               ExportSettings settings, std::function<void(const FilmState&)> tell);
    // Ends it within a frame; nothing of it is left.
    void cancel();

  private:
    std::thread thread_{};
    std::atomic<bool> is_running_ = false, is_cancelled_ = false;
};

}  // namespace impuls::studio
