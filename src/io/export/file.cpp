// The way through the frames of a recording (file.h). Called by all exporters.
#include "io/export/file.h"

#include <fmt/format.h>

namespace impuls {

void for_each_frame(const Recording& recording, const Progress& progress, double from, double to,
                    const std::function<void(std::size_t, const Frame&)>& visit) {
    const std::vector<std::int64_t> steps = recording.frame_steps();
    for (std::size_t k = 0; k < steps.size(); ++k) {
        visit(k, recording.frame(steps[k]));
        if (progress)
            progress(from + (to - from) * static_cast<double>(k + 1) / static_cast<double>(steps.size()));
    }
}

std::string frame_file_name(std::size_t number, const char* extension) {
    return fmt::format("frame_{:06}.{}", number, extension);
}

}  // namespace impuls
