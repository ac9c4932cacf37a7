// Recordings into other programs' formats.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "impuls/recording.h"

namespace impuls {

/// An exporter: reads a recording, writes one file or (per frame) a folder of files.
struct Exporter {
    const char* name;
    const char* help;
    void (*write)(const Recording& recording, const std::string& out,
                  const std::function<void(double)>& progress);
};

/// The family list of exporters: csv, json, obj, povray.
const std::vector<Exporter>& exporters();

/// An SVG plot of quantities over time. Throws InputError for a quantity that is neither recorded nor in
/// frames.
std::string plot_svg(const Recording& recording, const std::vector<std::string>& quantities);

}  // namespace impuls
