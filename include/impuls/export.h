// Recordings into other programs' formats.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "impuls/recording.h"

namespace impuls {

struct ExportSettings {
    bool overwrite = false;                     // else what exists is left alone, and FileError thrown
    std::function<void(double)> progress = {};  // from 0 to 1; may throw, then nothing is written
    // Which of the recorded frames: times in s, and every n-th of them.
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
    std::int64_t every = 1;
    int width = 800, height = 600;  // of pictures, px
    double speed = 1;               // of films: simulated seconds in one second
};

/// An exporter: reads a recording, writes one file or (per frame) a folder of files. They appear under their
/// names when they are complete. A folder is overwritten only when it holds nothing but exported frames.
struct Exporter {
    const char* name;
    const char* help;
    void (*write)(const Recording& recording, const std::string& out, const ExportSettings& settings);
};

/// The family list of exporters: csv, json, obj, povray, png, mp4, glb, html.
const std::vector<Exporter>& exporters();

/// An SVG plot of quantities over time. Throws InputError for a quantity that is neither recorded nor in
/// frames.
std::string plot_svg(const Recording& recording, const std::vector<std::string>& quantities);

}  // namespace impuls
