// A recording on its way into another format (film.h).
#include "studio/film.h"

#include <chrono>

#include "impuls/errors.h"
#include "impuls/recording.h"

namespace impuls::studio {
namespace {

constexpr auto kTellEvery = std::chrono::milliseconds(150);

const Exporter& find_exporter(const std::string& format) {
    for (const Exporter& exporter : exporters())
        if (exporter.name == format) return exporter;
    throw InputError("there is no format " + format);
}

}  // namespace

void Film::start(const std::string& recording, const std::string& format, const std::string& out,
                 ExportSettings settings, std::function<void(const FilmState&)> tell) {
    if (is_running_) throw InputError("another film is being made: wait for it or cancel it");
    const Exporter& exporter = find_exporter(format);
    if (thread_.joinable()) thread_.join();
    is_cancelled_ = false;
    is_running_ = true;
    settings.progress = [this, tell, last = std::chrono::steady_clock::time_point()](double done) mutable {
        if (is_cancelled_) throw InputError("cancelled");
        if (std::chrono::steady_clock::now() - last < kTellEvery) return;
        last = std::chrono::steady_clock::now();
        tell({done, false, ""});
    };
    thread_ = std::thread([this, recording, &exporter, out, settings = std::move(settings), tell] {
        FilmState state;
        state.is_done = true;
        try {
            exporter.write(Recording(recording), out, settings);
            state.progress = 1;
        } catch (const std::exception& error) {
            state.error = error.what();
        }
        is_running_ = false;
        tell(state);
    });
}

void Film::cancel() {
    is_cancelled_ = true;
    if (thread_.joinable()) thread_.join();
}

}  // namespace impuls::studio
