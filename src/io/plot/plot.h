// Figures of quantities of recordings: over time, or one against another. Called by the command line.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "impuls/recording.h"
#include "io/plot/figure.h"

namespace impuls {

struct PlotSettings {
    std::vector<std::string> quantities{};
    std::string title{};
    std::string against{};  // a quantity along the x axis, instead of time
    double from = -std::numeric_limits<double>::infinity(),
           to = std::numeric_limits<double>::infinity();  // s
};

struct PlottedRecording {
    std::string name{};  // before the names of its curves; "" when it is the only one
    const Recording* recording = nullptr;
};

// Throws InputError for a quantity that is neither recorded nor in frames, and when nothing is left to plot
// one against the other.
Figure plot_figure(const std::vector<PlottedRecording>& recordings, const PlotSettings& settings);

}  // namespace impuls
