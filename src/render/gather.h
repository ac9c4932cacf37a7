// Everything of a frame that is drawn: surfaces in world coordinates by item, and planes. Called by
// picture.cpp.
#pragma once

#include <functional>
#include <vector>

#include "render/facets.h"
#include "render/look.h"

namespace impuls {

struct Item {
    Vec3 color{};           // linear
    double line = 1;        // how strongly its edges are drawn, 0 to 1
    bool is_sign = false;   // shines through what is before it
    bool is_plane = false;  // y = 0 of `pose`, with a checker pattern
    Pose pose{};
};

struct Gathered {
    std::vector<Item> items{};
    std::vector<Facets> facets{};  // by item
    Vec3 center{};                 // of a ball around all that may throw shadows
    double radius = 1;
};

Gathered gather(const Frame& frame, const Look& look, const PictureSettings& settings);

// Colours are mixed as squares of what files hold: light adds up nearly linearly in them (gamma 2).
inline Vec3 to_light(const Vec3& c) {
    return scale(c, c);
}

}  // namespace impuls
