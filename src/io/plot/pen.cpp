// Pens (pen.h).
#include "io/plot/pen.h"

#include <fmt/format.h>

#include <iterator>
#include <numbers>

namespace impuls {

namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

std::string hex_color(Rgb c) {
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

const char* anchor_name(Align align) {
    return align == Align::Left ? "start" : align == Align::Middle ? "middle" : "end";
}

}  // namespace

SvgPen::SvgPen(double width, double height) {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
        "<style>.grid{{stroke:#e3e3e3;stroke-width:1}}.frame{{fill:none;stroke:#888}}.series,.key{{fill:none;"
        "stroke-width:1.8;stroke-linejoin:round}}.key{{stroke-width:2.5}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
}

void SvgPen::line(const std::vector<std::vector<Spot>>& parts, const Style& style) {
    fmt::format_to(std::back_inserter(svg_), "<path class=\"{}\" stroke=\"{}\" d=\"", style.kind,
                   hex_color(style.color));
    for (const auto& part : parts)
        for (std::size_t k = 0; k < part.size(); ++k)
            fmt::format_to(std::back_inserter(svg_), "{}{:.2f} {:.2f}", k == 0 ? "M" : "L", part[k].x,
                           part[k].y);
    svg_ += "\"/>\n";
}

void SvgPen::dot(Spot at, const Style& style) {
    fmt::format_to(std::back_inserter(svg_), "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"{}\"/>\n",
                   at.x, at.y, hex_color(style.color));
}

void SvgPen::frame(Spot corner, double width, double height) {
    fmt::format_to(std::back_inserter(svg_),
                   "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                   corner.x, corner.y, width, height);
}

void SvgPen::text(Spot at, const std::string& text, const Style& style) {
    const std::string place = style.is_upright ? fmt::format("x=\"0.0\" y=\"0.0\"")
                                               : fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", at.x, at.y);
    const std::string turn =
        style.is_upright ? fmt::format(" transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", at.x, at.y)
                         : "";
    const std::string size = style.size == 13 ? "" : fmt::format(" font-size=\"{}\"", style.size);
    fmt::format_to(std::back_inserter(svg_), "<text {} class=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
                   place, style.kind, anchor_name(style.align), size, turn, escaped(text));
}

void SvgPen::power(Spot at, int exponent, Align align) {
    fmt::format_to(std::back_inserter(svg_),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">×10<tspan dy=\"-5\" "
                   "font-size=\"10\">{}</tspan></text>\n",
                   at.x, at.y, anchor_name(align), exponent);
}

void ImagePen::line(const std::vector<std::vector<Spot>>& parts, const Style& style) {
    for (const auto& part : parts) paint_line(image_, part, style.size, style.color);
}

void ImagePen::dot(Spot at, const Style& style) {
    paint_line(image_, {at}, 6, style.color);
}

void ImagePen::frame(Spot corner, double width, double height) {
    const double x = corner.x + width, y = corner.y + height;
    paint_line(image_, {corner, {x, corner.y}, {x, y}, {corner.x, y}, corner}, 1, {136, 136, 136});
}

void ImagePen::text(Spot at, const std::string& text, const Style& style) {
    paint_text(
        image_, at, text,
        {style.size, style.color, style.align, style.is_upright ? std::numbers::pi / 2 : 0, false, false});
}

void ImagePen::power(Spot at, int exponent, Align align) {
    const std::string base = "×10", raised = fmt::format("{}", exponent);
    const double width = painted_width(base, 13) + 2 + painted_width(raised, 10);
    const double left = at.x - (align == Align::Left ? 0 : align == Align::Middle ? width / 2 : width);
    paint_text(image_, {left, at.y}, base, {});
    paint_text(image_, {left + painted_width(base, 13) + 2, at.y - 5}, raised, {10});
}

}  // namespace impuls
