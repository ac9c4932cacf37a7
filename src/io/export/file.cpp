// The way through the frames of a recording (file.h). Called by all exporters. Times are compared with a
// millionth of a frame's distance to spare, so that --from 0.3 means the frame at 0.3 s.
#include "io/export/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/errors.h"
#include "io/time_span.h"
#include "render/camera.h"

namespace impuls {

namespace {

std::vector<std::int64_t> chosen_steps(const Recording& recording, const ExportSettings& settings) {
    const std::vector<std::int64_t> steps = recording.frame_steps();
    const double dt = recording.scene().settings.dt, slack = 1e-6 * dt;
    std::vector<std::int64_t> chosen;
    std::int64_t inside = 0;
    for (const std::int64_t step : steps) {
        const double time = static_cast<double>(step) * dt;
        if (time < settings.from - slack || time > settings.to + slack) continue;
        if (inside++ % settings.every == 0) chosen.push_back(step);
    }
    if (chosen.empty() && !steps.empty())
        throw InputError(fmt::format(
            "no frame {}: those recorded go from {} s to {} s", span_text(settings.from, settings.to),
            static_cast<double>(steps.front()) * dt, static_cast<double>(steps.back()) * dt));
    return chosen;
}

}  // namespace

void for_each_frame(const Recording& recording, const ExportSettings& settings, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit) {
    const std::vector<std::int64_t> steps = chosen_steps(recording, settings);
    for (std::size_t k = 0; k < steps.size(); ++k) {
        visit(k, recording.frame(steps[k]));
        if (settings.progress)
            settings.progress(from +
                              (to - from) * static_cast<double>(k + 1) / static_cast<double>(steps.size()));
    }
}

Aabb find_extent(const Recording& recording, const ExportSettings& settings, double from, double to) {
    Aabb extent;
    for_each_frame(recording, settings, from, to,
                   [&extent](std::size_t, const Frame& frame) { grow_extent(extent, frame); });
    return finished_extent(extent);
}

std::string frame_file_name(std::size_t number, const char* extension) {
    return fmt::format("frame_{:06}.{}", number, extension);
}

}  // namespace impuls
