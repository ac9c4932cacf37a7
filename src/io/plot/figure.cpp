// Lays out a Figure and draws it with a pen (figure.h, pen.h).
#include "io/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "impuls/errors.h"
#include "io/plot/axis.h"
#include "io/plot/pen.h"
#include "render/png.h"

namespace impuls {

namespace {

constexpr double kRight = 30, kBottom = 62, kGap = 34;  // px, margins
constexpr double kFurther = 0.6;                        // height of a further panel, of the figure's
constexpr double kLetter = 7.2;                         // px, mean width of a letter of the labels
constexpr double kLegendRow = 20;                       // px
// Colours that stay apart for most colour-blind readers (after Okabe and Ito).
constexpr std::array<Rgb, 8> kColors{{{0, 114, 178},
                                      {213, 94, 0},
                                      {0, 158, 115},
                                      {204, 121, 167},
                                      {230, 159, 0},
                                      {86, 180, 233},
                                      {122, 79, 158},
                                      {68, 68, 68}}};

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

struct LegendEntry {
    double x;
    int row;
    std::string text;
    Rgb color;
};

// Curves of one unit.
struct Panel {
    std::string unit{};
    std::vector<const Curve*> curves{};
    std::vector<Rgb> colors{};
    std::vector<LegendEntry> legend{};
    Axis x{}, y{};
    bool is_empty = false;
    double left = 0, right = 0, top = 0, bottom = 0;  // px, of the plotting area
    double outer_top = 0;

    Spot place(double t, double v) const {
        return {left + (t - x.min) / (x.max - x.min) * (right - left),
                bottom - (v - y.min) / (y.max - y.min) * (bottom - top)};
    }
    std::string label() const {
        if (curves.size() != 1) return unit;
        return unit.empty() ? curves[0]->name : fmt::format("{} ({})", curves[0]->name, unit);
    }
};

std::vector<Panel> panels_of(const Figure& figure) {
    std::vector<Panel> panels;
    for (std::size_t k = 0; k < figure.curves.size(); ++k) {
        const Curve& curve = figure.curves[k];
        auto found =
            std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.unit == curve.unit; });
        if (found == panels.end()) found = panels.insert(panels.end(), Panel{curve.unit});
        found->curves.push_back(&curve);
        found->colors.push_back(kColors[k % kColors.size()]);
    }
    if (panels.empty()) panels.emplace_back();
    return panels;
}

// Entries flow from left to right and wrap; a single curve is named by the y axis.
void lay_out_legend(Panel& panel) {
    if (panel.curves.size() == 1) return;
    double x = 0;
    int row = 0;
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
        const std::string& text = panel.curves[k]->name;
        const double size = 46 + kLetter * static_cast<double>(text.size());
        if (x > 0 && x + size > panel.right - panel.left) {
            x = 0;
            ++row;
        }
        panel.legend.push_back({x, row, text, panel.colors[k]});
        x += size;
    }
}

std::size_t longest_label(const Axis& axis) {
    std::size_t most = 0;
    for (const Tick& tick : axis.ticks) most = std::max(most, tick.label.size());
    return most;
}

double panel_height(const Figure& figure, std::size_t number) {
    return number == 0 ? figure.height : std::max(200.0, kFurther * figure.height);
}

std::vector<Panel> laid_out(const Figure& figure) {
    std::vector<Panel> panels = panels_of(figure);
    Range x;
    for (const Curve& curve : figure.curves)
        for (const double value : curve.x) x.add(value);
    double left = 0, above = 0;
    for (Panel& panel : panels) {
        Range y;
        for (const Curve* curve : panel.curves)
            for (const double value : curve->y) y.add(value);
        panel.is_empty = x.is_empty() || y.is_empty();
        if (panel.is_empty) y = {0, 1};
        panel.x = x.is_empty() ? make_axis(0, 1, 10, 0)
                               : make_axis(x.low, x.high, static_cast<int>(figure.width / 90), 0);
        const double height = panel_height(figure, static_cast<std::size_t>(&panel - panels.data()));
        panel.y = make_axis(y.low, y.high, std::clamp(static_cast<int>(height / 45), 3, 9), 0.04);
        left = std::max(left, 28 + kLetter * static_cast<double>(longest_label(panel.y)) +
                                  (panel.label().empty() ? 0 : 18));
        panel.outer_top = above;
        panel.bottom = above + height - (&panel == &panels.back() ? kBottom : kGap);
        above += height;
    }
    for (Panel& panel : panels) {
        panel.left = left, panel.right = figure.width - kRight;
        lay_out_legend(panel);
        const double head = panel.outer_top == 0 && !figure.title.empty() ? 50 : 24;
        panel.top = panel.outer_top + head +
                    (panel.legend.empty() ? -4 : (panel.legend.back().row + 1) * kLegendRow - 8) +
                    (panel.y.exponent != 0 ? 18 : 0);
    }
    return panels;
}

void draw_axes(Pen& pen, const Panel& p, const std::string& x_label, bool is_last) {
    const Style grid{"grid", {227, 227, 227}, 1}, small{"xtick", {34, 34, 34}, 13, Align::Middle};
    for (const Tick& tick : p.x.ticks) {
        const double x = p.place(tick.value, p.y.min).x;
        pen.line({{{x, p.top}, {x, p.bottom}}}, grid);
        if (is_last) pen.text({x, p.bottom + 18}, tick.label, small);
    }
    for (const Tick& tick : p.y.ticks) {
        const double y = p.place(p.x.min, tick.value).y;
        pen.line({{{p.left, y}, {p.right, y}}}, grid);
        pen.text({p.left - 8, y + 4}, tick.label, {"ytick", {34, 34, 34}, 13, Align::Right});
    }
    pen.frame({p.left, p.top}, p.right - p.left, p.bottom - p.top);
    if (p.y.exponent != 0) pen.power({p.left, p.top - 8}, p.y.exponent, Align::Left);
    const Style label{"label", {34, 34, 34}, 14, Align::Middle};
    if (is_last) {
        if (p.x.exponent != 0) pen.power({p.right, p.bottom + 36}, p.x.exponent, Align::Right);
        pen.text({(p.left + p.right) / 2, p.bottom + 44}, x_label, label);
    }
    Style upright = label;
    upright.is_upright = true;
    if (!p.label().empty()) pen.text({20, (p.top + p.bottom) / 2}, p.label(), upright);
}

void draw_curve(Pen& pen, const Panel& p, const Curve& curve, Rgb color) {
    std::vector<std::vector<Spot>> parts;
    bool is_new = true;
    for (std::size_t k = 0; k < curve.y.size(); ++k) {
        const bool is_there = std::isfinite(curve.y[k]) && std::isfinite(curve.x[k]);
        if (is_there && is_new) parts.emplace_back();
        if (is_there) parts.back().push_back(p.place(curve.x[k], curve.y[k]));
        is_new = !is_there;
    }
    pen.line(parts, {"series", color, 1.8});
    for (const auto& part : parts)
        if (part.size() == 1) pen.dot(part[0], {"", color});
}

void draw_panel(Pen& pen, const Panel& panel, const std::string& x_label, bool is_last, double legend_top) {
    draw_axes(pen, panel, x_label, is_last);
    for (const LegendEntry& entry : panel.legend) {
        const double x = panel.left + entry.x, y = legend_top + entry.row * kLegendRow;
        pen.line({{{x, y - 4}, {x + 22, y - 4}}}, {"key", entry.color, 2.5});
        pen.text({x + 28, y}, entry.text, {"legend"});
    }
    for (std::size_t k = 0; k < panel.curves.size(); ++k)
        draw_curve(pen, panel, *panel.curves[k], panel.colors[k]);
    if (panel.is_empty)
        pen.text({(panel.left + panel.right) / 2, (panel.top + panel.bottom) / 2}, "no values",
                 {"", {34, 34, 34}, 13, Align::Middle});
}

void draw(Pen& pen, const Figure& figure, const std::vector<Panel>& panels) {
    if (!figure.title.empty())
        pen.text({figure.width / 2, 26}, figure.title, {"title", {34, 34, 34}, 17, Align::Middle});
    for (const Panel& panel : panels) {
        const double head = panel.outer_top == 0 && !figure.title.empty() ? 50 : 24;
        draw_panel(pen, panel, figure.x_label, &panel == &panels.back(), panel.outer_top + head);
    }
}

double height_of(const Figure& figure, std::size_t panels) {
    double height = 0;
    for (std::size_t k = 0; k < panels; ++k) height += panel_height(figure, k);
    return height;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
    const std::vector<Panel> panels = laid_out(figure);
    SvgPen pen(figure.width, height_of(figure, panels.size()));
    draw(pen, figure, panels);
    return pen.take();
}

Image figure_image(const Figure& figure) {
    const std::vector<Panel> panels = laid_out(figure);
    ImagePen pen(figure.width, height_of(figure, panels.size()));
    draw(pen, figure, panels);
    return pen.take();
}

std::string figure_file(const Figure& figure, const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension().string();
    if (extension == ".png") return encode_png(figure_image(figure));
    for (const char* other : {".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".webp"})
        if (extension == other) throw InputError(fmt::format("{}: plots are written as .svg or .png", name));
    return figure_svg(figure);
}

}  // namespace impuls
