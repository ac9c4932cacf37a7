// Letters as lines: one design for all sizes and directions, drawn by paint.h. ASCII and a few signs of
// physics; other letters are drawn as what is nearest to them, or as a box.
#pragma once

#include <string_view>
#include <vector>

namespace impuls {

struct GlyphPoint {
    double x, y;  // in units of a capital letter's height; y up from the base line
};

// The lines of a text in UTF-8, each a list of points (a single one is a dot), from (0, 0) to the right.
std::vector<std::vector<GlyphPoint>> text_strokes(std::string_view text);
// How wide the text is, in the same units.
double text_width(std::string_view text);

}  // namespace impuls
