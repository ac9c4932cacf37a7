// Colours of pressure (pressure.h), in a few levels, each an item of the picture.
#include "render/pressure.h"

#include <algorithm>

namespace impuls {
namespace {

constexpr int kLevels = 16;
constexpr Vec3 kScale[] = {
    {0.1, 0.2, 0.8}, {0.1, 0.7, 0.8}, {0.2, 0.8, 0.2}, {1, 0.85, 0.1}, {0.9, 0.1, 0.1}};

}  // namespace

Vec3 pressure_color(double share) {
    const double at = 4 * std::clamp(share, 0.0, 1.0);
    const int k = std::min(3, static_cast<int>(at));
    return kScale[k] + (kScale[k + 1] - kScale[k]) * (at - k);
}

std::vector<Link> solids_of_pressure(const Frame& frame) {
    double largest = 0;
    for (const PressedTriangle& t : frame.pressed) largest = std::max(largest, t.pressure);
    if (!(largest > 0)) return {};
    std::vector<Link> out(kLevels);
    for (int k = 0; k < kLevels; ++k) {
        out[static_cast<std::size_t>(k)].color = pressure_color((k + 0.5) / kLevels);
        out[static_cast<std::size_t>(k)].is_sign = true;
    }
    for (const PressedTriangle& t : frame.pressed) {
        const int level = std::clamp(static_cast<int>(kLevels * t.pressure / largest), 0, kLevels - 1);
        const Vec3 n = normalized(cross(t.corner_2 - t.corner_1, t.corner_3 - t.corner_1));
        if (n == Vec3{}) continue;
        out[static_cast<std::size_t>(level)].facets.push_back(
            {{t.corner_1, t.corner_2, t.corner_3}, {n, n, n}});
    }
    return out;
}

}  // namespace impuls
