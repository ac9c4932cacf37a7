// Log-log scatter as SVG (chart.h).
#include "bench/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace impuls::bench {
namespace {

constexpr double kWidth = 640, kHeight = 440, kLeft = 80, kRight = 24, kTop = 48, kBottom = 60;
constexpr double kLine = 13, kCharacter = 7.5;  // height of a label, width of a character at most on average
constexpr double kDot = 6, kGap = 4;            // radius with its outline, room between dot and label

struct LogAxis {
    int low, high;  // decades
    double begin, end;
    double at(double v) const { return begin + (std::log10(v) - low) / (high - low) * (end - begin); }
};

LogAxis make_axis(double smallest, double largest, double begin, double end) {
    int low = static_cast<int>(std::floor(std::log10(smallest))),
        high = static_cast<int>(std::ceil(std::log10(largest)));
    if (low == high) ++high;
    return {low, high, begin, end};
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    return out;
}

std::string decade(int exponent) {
    if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", std::pow(10.0, exponent));
    return fmt::format("1e{}", exponent);
}

void draw_axes(std::string& svg, const LogAxis& x, const LogAxis& y) {
    auto out = std::back_inserter(svg);
    for (int d = x.low; d <= x.high; ++d) {
        const double at = x.at(std::pow(10.0, d));
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
                       at, y.end, y.begin);
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at,
                       y.begin + 18, decade(d));
    }
    for (int d = y.low; d <= y.high; ++d) {
        const double at = y.at(std::pow(10.0, d));
        fmt::format_to(out,
                       "<line class=\"grid\" x1=\"{1:.1f}\" y1=\"{0:.1f}\" x2=\"{2:.1f}\" y2=\"{0:.1f}\"/>\n",
                       at, x.begin, x.end);
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x.begin - 8,
                       at + 4, decade(d));
    }
}

struct Rect {
    double left, top, right, bottom;
    bool overlaps(const Rect& o) const {
        return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
    }
};

// A label right or left of its dot, as many lines higher or lower as it takes to cover no dot and no other
// label.
Rect place_label(const Rect& dot, double width, const std::vector<Rect>& taken) {
    const double middle = 0.5 * (dot.top + dot.bottom);
    for (int k = 0; k < 4 * static_cast<int>(kHeight / kLine); ++k) {
        const double y = middle + (k % 2 == 0 ? k / 2 : -(k + 1) / 2) * 0.5 * kLine;
        for (const double x : {dot.right + kGap, dot.left - kGap - width}) {
            const Rect r{x, y - 0.5 * kLine, x + width, y + 0.5 * kLine};
            const bool is_inside = r.left > kLeft && r.right < kWidth && r.top > kTop - kLine &&
                                   r.bottom < kHeight - kBottom + kLine;
            const auto covers = [&](const Rect& other) { return r.overlaps(other); };
            if (is_inside && std::none_of(taken.begin(), taken.end(), covers)) return r;
        }
    }
    return {dot.right + kGap, middle - 0.5 * kLine, dot.right + kGap + width, middle + 0.5 * kLine};
}

// A line leads from a dot to its label where that is not beside it.
void draw_points(std::string& svg, const LogAxis& x, const LogAxis& y,
                 const std::vector<ChartPoint>& points) {
    auto out = std::back_inserter(svg);
    std::vector<Rect> taken;
    for (const ChartPoint& p : points) {
        const double px = x.at(p.x), py = y.at(p.y);
        taken.push_back({px - kDot, py - kDot, px + kDot, py + kDot});
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
        const ChartPoint& p = points[k];
        const double px = x.at(p.x), py = y.at(p.y);
        const char* color = p.is_ours ? "#c0392b" : "#2c5f8a";
        const Rect label = place_label(taken[k], kCharacter * static_cast<double>(p.label.size()), taken);
        taken.push_back(label);
        const double line = 0.5 * (label.top + label.bottom);
        if (std::abs(line - py) > kLine)
            fmt::format_to(out,
                           "<line stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                           color, px, py, label.left > px ? label.left - 2 : label.right + 2, line);
        fmt::format_to(
            out,
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
            px, py, p.is_partial ? "white" : color, color);
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                       label.left > px ? label.left : label.right, line + 4,
                       label.left > px ? "start" : "end", color, escaped(p.label));
    }
}

// The page with title and axes, open for what is drawn on it.
std::string begin_chart(const std::string& title, const std::string& x_label, const std::string& y_label,
                        const LogAxis& x, const LogAxis& y) {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"12\" fill=\"#222\">\n"
        "<style>.grid{{stroke:#ddd}}</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2:.0f}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\">{3}</text>\n",
        kWidth, kHeight, kWidth / 2, escaped(title));
    draw_axes(svg, x, y);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                       (kLeft + kWidth - kRight) / 2, kHeight - 16, escaped(x_label));
    svg +=
        fmt::format("<text text-anchor=\"middle\" transform=\"translate(20 {:.0f}) rotate(-90)\">{}</text>\n",
                    (kTop + kHeight - kBottom) / 2, escaped(y_label));
    return svg;
}

}  // namespace

std::string chart_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                      std::vector<ChartPoint> points, double floor_y) {
    std::erase_if(
        points, [](const ChartPoint& p) { return !(p.x > 0) || !std::isfinite(p.x) || !std::isfinite(p.y); });
    for (ChartPoint& p : points) p.y = std::max(p.y, floor_y);
    if (points.empty()) return "";
    const auto by_x = [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; };
    const auto by_y = [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; };
    std::sort(points.begin(), points.end(), by_y);
    std::reverse(points.begin(), points.end());  // from the top, so that labels move down onto free room
    const auto [x0, x1] = std::minmax_element(points.begin(), points.end(), by_x);
    const LogAxis x = make_axis(x0->x, x1->x, kLeft, kWidth - kRight);
    const LogAxis y = make_axis(points.back().y, points.front().y, kHeight - kBottom, kTop);
    std::string svg = begin_chart(title, x_label, y_label, x, y);
    draw_points(svg, x, y, points);
    return svg + "</svg>\n";
}

std::string series_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                       const std::vector<ChartSeries>& series) {
    constexpr const char* kColors[] = {"#c0392b", "#2c5f8a", "#2e8b57", "#8e44ad", "#d68910",
                                       "#555555", "#16a085", "#a04000", "#7d3c98"};
    double x0 = HUGE_VAL, x1 = 0, y0 = HUGE_VAL, y1 = 0;
    for (const ChartSeries& s : series)
        for (const auto& [px, py] : s.points)
            x0 = std::min(x0, px), x1 = std::max(x1, px), y0 = std::min(y0, py), y1 = std::max(y1, py);
    if (!(x1 > 0) || !(y1 > 0)) return "";
    const LogAxis x = make_axis(x0, x1, kLeft, kWidth - kRight - 90);  // room for labels
    const LogAxis y = make_axis(y0, y1, kHeight - kBottom, kTop);
    std::string svg = begin_chart(title, x_label, y_label, x, y);
    auto out = std::back_inserter(svg);
    std::vector<Rect> taken;
    for (std::size_t k = 0; k < series.size(); ++k) {
        const ChartSeries& s = series[k];
        if (s.points.empty()) continue;
        const char* color = kColors[k % std::size(kColors)];
        std::string line;
        for (const auto& [px, py] : s.points) {
            fmt::format_to(std::back_inserter(line), "{:.1f},{:.1f} ", x.at(px), y.at(py));
            fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x.at(px),
                           y.at(py), color);
        }
        fmt::format_to(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", line, color);
        const double px = x.at(s.points.back().first), py = y.at(s.points.back().second);
        // Beside the end, lower until it covers no other.
        Rect label{px + kDot + kGap, py - 0.5 * kLine,
                   px + kDot + kGap + kCharacter * static_cast<double>(s.label.size()), py + 0.5 * kLine};
        const auto covers = [&](const Rect& other) { return label.overlaps(other); };
        while (std::any_of(taken.begin(), taken.end(), covers)) label.top += 1, label.bottom += 1;
        taken.push_back(label);
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", label.left,
                       0.5 * (label.top + label.bottom) + 4, color, escaped(s.label));
    }
    return svg + "</svg>\n";
}

}  // namespace impuls::bench
