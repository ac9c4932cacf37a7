// Flat drawing with smooth edges: lines, areas and text on a picture. Places are in pixels, y down; (0, 0) is
// the corner of the first pixel, whose middle is (0.5, 0.5). Called by plots, and for the writing on
// pictures.
#pragma once

#include <string_view>
#include <vector>

#include "render/image.h"

namespace impuls {

struct Spot {
    double x = 0, y = 0;
};

enum class Align { Left, Middle, Right };

// A line through points, with round ends and corners; a single point is a dot.
void paint_line(Image& image, const std::vector<Spot>& points, double width, Rgb color, double opacity = 1);
void paint_rectangle(Image& image, Spot corner, double width, double height, Rgb color, double opacity = 1);
// `size` is that of the font, px (a capital has 0.72 of it); (x, y) lies on the base line. `turn`: radians,
// anticlockwise.
struct TextStyle {
    double size = 13;
    Rgb color{34, 34, 34};
    Align align = Align::Left;
    double turn = 0;
    bool is_bold = false;
    bool has_halo = false;  // a light seam, for text on pictures
};
void paint_text(Image& image, Spot at, std::string_view text, const TextStyle& style = {});
// px
double painted_width(std::string_view text, double size);

}  // namespace impuls
