// Pictures in memory (image.h).
#include "render/image.h"

#include <algorithm>
#include <cmath>

namespace impuls {

namespace {

std::uint8_t mixed(std::uint8_t below, std::uint8_t above, double opacity) {
    return static_cast<std::uint8_t>(std::lround(below + (above - below) * opacity));
}

}  // namespace

void Image::blend(int x, int y, Rgb color, double opacity) {
    if (!holds(x, y) || !(opacity > 0)) return;
    const double a = std::min(1.0, opacity);
    Rgb& p = at(x, y);
    p = {mixed(p.r, color.r, a), mixed(p.g, color.g, a), mixed(p.b, color.b, a)};
}

void Image::paste(const Image& other, int x, int y) {
    for (int v = std::max(0, -y); v < other.height() && y + v < height_; ++v)
        for (int u = std::max(0, -x); u < other.width() && x + u < width_; ++u)
            at(x + u, y + v) = other.at(u, v);
}

}  // namespace impuls
