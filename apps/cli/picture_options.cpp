// Options of pictures (picture_options.h).
#include "cli/picture_options.h"

#include <charconv>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

bool read_length(std::string_view text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= kSmallestPicture &&
           value <= kLargestPicture;
}

}  // namespace

void PictureOptions::add_to(CLI::App& app, int width, int height) {
    size = fmt::format("{}x{}", width, height);
    app.add_option("--size", size, "Width and height of a picture, px")
        ->capture_default_str()
        ->type_name("WxH");
    app.add_flag("--labels", labels, "With the names of bodies");
    app.add_flag("--axes", axes, "With the axes of the world");
    app.add_flag("--no-joints", no_joints, "Without joints and forces");
}

PictureSettings PictureOptions::settings() const {
    PictureSettings settings{.joints = !no_joints, .labels = labels, .axes = axes};
    const std::size_t cross = size.find('x');
    const std::string_view all = size;
    if (cross == std::string::npos || !read_length(all.substr(0, cross), settings.width) ||
        !read_length(all.substr(cross + 1), settings.height))
        throw InputError(
            fmt::format("--size {}: expected WIDTHxHEIGHT in pixels, each from {} to {}, e.g. 800x600", size,
                        kSmallestPicture, kLargestPicture));
    return settings;
}

}  // namespace impuls::cli
