// Options of commands that draw pictures: their size, and what is written on them.
#pragma once

#include <string>

#include "render/look.h"

namespace CLI {
class App;
}

namespace impuls::cli {

struct PictureOptions {
    std::string size{};
    bool labels = false, axes = false, no_joints = false;

    void add_to(CLI::App& app, int width, int height);
    // Throws InputError for a size that cannot be read.
    PictureSettings settings() const;
};

}  // namespace impuls::cli
