// Draws a Figure as SVG (figure.h).
#include "io/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "io/plot/axis.h"

namespace impuls {

namespace {

constexpr double kWidth = 900, kHeight = 540;           // px
constexpr double kRight = 30, kBottom = 62, kTop = 24;  // px, margins
constexpr double kLetter = 7.2;                         // px, mean width of a letter of the labels
constexpr double kLegendRow = 20;                       // px
// Colours that stay apart for most colour-blind readers (after Okabe and Ito).
constexpr std::array<const char*, 8> kColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#7a4f9e", "#444444"};

struct Canvas {
    double left, right, top, bottom;  // px, of the plotting area
    Axis x, y;

    double px(double t) const { return left + (t - x.min) / (x.max - x.min) * (right - left); }
    double py(double v) const { return bottom - (v - y.min) / (y.max - y.min) * (bottom - top); }
};

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

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    bool is_empty() const { return !(low <= high); }
};

// One name on the y axis when all series share it, else only what they have in common.
std::string y_label(const std::vector<Curve>& series) {
    if (series.size() == 1) return with_unit(series[0].name, series[0].unit);
    const bool same =
        std::all_of(series.begin(), series.end(), [&](const Curve& s) { return s.unit == series[0].unit; });
    return same ? series[0].unit : "";
}

void draw_text(std::string& svg, double x, double y, const char* attributes, const std::string& text) {
    fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y,
                   attributes, escaped(text));
}

void draw_exponent(std::string& svg, double x, double y, const char* anchor, int exponent) {
    if (exponent == 0) return;
    fmt::format_to(std::back_inserter(svg),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">×10<tspan dy=\"-5\" "
                   "font-size=\"10\">{}</tspan></text>\n",
                   x, y, anchor, exponent);
}

void draw_axes(std::string& svg, const Canvas& c, const std::string& x_label, const std::string& label) {
    auto out = std::back_inserter(svg);
    for (const Tick& tick : c.x.ticks) {
        const double x = c.px(tick.value);
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{0:.2f}\" y1=\"{1:.2f}\" x2=\"{0:.2f}\" y2=\"{2:.2f}\"/>\n",
                       x, c.top, c.bottom);
        draw_text(svg, x, c.bottom + 18, "class=\"xtick\" text-anchor=\"middle\"", tick.label);
    }
    for (const Tick& tick : c.y.ticks) {
        const double y = c.py(tick.value);
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{1:.2f}\" y1=\"{0:.2f}\" x2=\"{2:.2f}\" y2=\"{0:.2f}\"/>\n",
                       y, c.left, c.right);
        draw_text(svg, c.left - 8, y + 4, "class=\"ytick\" text-anchor=\"end\"", tick.label);
    }
    fmt::format_to(out,
                   "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                   c.left, c.top, c.right - c.left, c.bottom - c.top);
    draw_exponent(svg, c.left, c.top - 8, "start", c.y.exponent);
    draw_exponent(svg, c.right, c.bottom + 36, "end", c.x.exponent);
    draw_text(svg, (c.left + c.right) / 2, c.bottom + 44, "class=\"label\" text-anchor=\"middle\"", x_label);
    if (label.empty()) return;
    const double middle = (c.top + c.bottom) / 2;
    draw_text(
        svg, 0, 0,
        fmt::format("class=\"label\" text-anchor=\"middle\" transform=\"translate(20 {:.1f}) rotate(-90)\"",
                    middle)
            .c_str(),
        label);
}

// A line that breaks where a value is missing; a point that stands alone becomes a dot.
void draw_series(std::string& svg, const Canvas& c, const Curve& series, const char* color) {
    std::string path, dots;
    std::size_t run = 0;
    for (std::size_t k = 0; k < series.y.size(); ++k) {
        if (!std::isfinite(series.y[k]) || !std::isfinite(series.x[k])) {
            run = 0;
            continue;
        }
        const double x = c.px(series.x[k]), y = c.py(series.y[k]);
        fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", run == 0 ? "M" : "L", x, y);
        const bool ends = k + 1 == series.y.size() || !std::isfinite(series.y[k + 1]);
        if (run == 0 && ends) {
            fmt::format_to(std::back_inserter(dots),
                           "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"{}\"/>\n", x, y, color);
        }
        ++run;
    }
    fmt::format_to(std::back_inserter(svg), "<path class=\"series\" stroke=\"{}\" d=\"{}\"/>\n{}", color,
                   path, dots);
}

struct LegendEntry {
    double x;
    int row;
    std::string text;
};

// Entries flow from left to right and wrap; a single series is named by the y axis.
std::vector<LegendEntry> lay_out_legend(const std::vector<Curve>& series, bool units, double width) {
    std::vector<LegendEntry> entries;
    double x = 0;
    int row = 0;
    for (const Curve& s : series) {
        if (series.size() == 1) break;
        const std::string text = units ? with_unit(s.name, s.unit) : s.name;
        const double size = 46 + kLetter * static_cast<double>(text.size());
        if (x > 0 && x + size > width) {
            x = 0;
            ++row;
        }
        entries.push_back({x, row, text});
        x += size;
    }
    return entries;
}

void draw_legend(std::string& svg, const std::vector<LegendEntry>& entries, double left, double top) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const double x = left + entries[k].x, y = top + entries[k].row * kLegendRow;
        fmt::format_to(std::back_inserter(svg),
                       "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                       "stroke-width=\"2.5\"/>\n",
                       x, y - 4, x + 22, y - 4, kColors[k % kColors.size()]);
        draw_text(svg, x + 28, y, "class=\"legend\"", entries[k].text);
    }
}

std::string head(const std::string& title) {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
        "<style>.grid{{stroke:#e3e3e3;stroke-width:1}}.frame{{fill:none;stroke:#888}}.series{{fill:none;"
        "stroke-width:1.8;stroke-linejoin:round}}.label{{font-size:14px}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kWidth, kHeight);
    if (!title.empty()) {
        draw_text(svg, kWidth / 2, 26, "class=\"title\" text-anchor=\"middle\" font-size=\"17\"", title);
    }
    return svg;
}

std::size_t longest_label(const Axis& axis) {
    std::size_t most = 0;
    for (const Tick& tick : axis.ticks) most = std::max(most, tick.label.size());
    return most;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
    const std::vector<Curve>& curves = figure.curves;
    Range x, y;
    for (const Curve& curve : curves) {
        for (const double value : curve.x) x.add(value);
        for (const double value : curve.y) y.add(value);
    }
    const bool is_empty = x.is_empty() || y.is_empty();
    if (is_empty) x = y = {0, 1};

    const std::string label = y_label(curves);
    Canvas canvas{};
    canvas.x = make_axis(x.low, x.high, 10, 0);
    canvas.y = make_axis(y.low, y.high, 9, 0.04);
    canvas.left = 28 + kLetter * static_cast<double>(longest_label(canvas.y)) + (label.empty() ? 0 : 18);
    canvas.right = kWidth - kRight;
    const auto legend = lay_out_legend(curves, label.empty(), canvas.right - canvas.left);
    const double legend_top = figure.title.empty() ? 24 : 50;
    canvas.top = legend_top + (legend.empty() ? -4 : (legend.back().row + 1) * kLegendRow - 8) +
                 (canvas.y.exponent != 0 ? kTop - 6 : 0);
    canvas.bottom = kHeight - kBottom;

    std::string svg = head(figure.title);
    draw_axes(svg, canvas, figure.x_label, label);
    draw_legend(svg, legend, canvas.left, legend_top);
    for (std::size_t k = 0; k < curves.size(); ++k)
        draw_series(svg, canvas, curves[k], kColors[k % kColors.size()]);
    if (is_empty) {
        draw_text(svg, (canvas.left + canvas.right) / 2, (canvas.top + canvas.bottom) / 2,
                  "text-anchor=\"middle\"", "no values");
    }
    return svg + "</svg>\n";
}

}  // namespace impuls
