// Coverage of a pixel by a line is 1/2 + r - d, cut to 0..1: d is the distance of its middle from the line, r
// half the width. It is gathered in a mask first, as the largest of all segments, so that a line that crosses
// itself is no darker there.
#include "render/paint.h"

#include <algorithm>
#include <cmath>

#include "render/stroke_font.h"

namespace impuls {

namespace {

constexpr double kCapital = 0.72;  // height of a capital, of the font's size

// The part of a picture around some points.
class Mask {
  public:
    Mask(const Image& image, const std::vector<std::vector<Spot>>& lines, double reach) {
        double left = image.width(), right = 0, top = image.height(), bottom = 0;
        for (const auto& line : lines)
            for (const Spot& p : line) {
                if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
                left = std::min(left, p.x), right = std::max(right, p.x);
                top = std::min(top, p.y), bottom = std::max(bottom, p.y);
            }
        left_ = static_cast<int>(std::clamp(std::floor(left - reach), 0.0, double(image.width())));
        top_ = static_cast<int>(std::clamp(std::floor(top - reach), 0.0, double(image.height())));
        width_ = static_cast<int>(std::clamp(std::ceil(right + reach), 0.0, double(image.width()))) - left_;
        height_ = static_cast<int>(std::clamp(std::ceil(bottom + reach), 0.0, double(image.height()))) - top_;
        width_ = std::max(0, width_), height_ = std::max(0, height_);
        coverage_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0);
    }

    void add(const Spot& a, const Spot& b, double radius) {
        if (!std::isfinite(a.x + a.y + b.x + b.y)) return;
        const double reach = radius + 1;
        const int x0 = first(std::min(a.x, b.x) - reach, left_),
                  x1 = last(std::max(a.x, b.x) + reach, left_, width_);
        const int y0 = first(std::min(a.y, b.y) - reach, top_),
                  y1 = last(std::max(a.y, b.y) + reach, top_, height_);
        const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) {
                const double px = x + left_ + 0.5 - a.x, py = y + top_ + 0.5 - a.y;
                const double t = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0, 1.0) : 0;
                const double qx = px - t * dx, qy = py - t * dy;
                const double covered = std::clamp(0.5 + radius - std::sqrt(qx * qx + qy * qy), 0.0, 1.0);
                float& value = coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                         static_cast<std::size_t>(x)];
                value = std::max(value, static_cast<float>(covered));
            }
    }

    void blend(Image& image, Rgb color, double opacity) const {
        std::size_t k = 0;
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x)
                image.blend(x + left_, y + top_, color, opacity * static_cast<double>(coverage_[k++]));
    }

  private:
    static int first(double at, int begin) {
        return static_cast<int>(std::clamp(std::floor(at) - begin, 0.0, 1e9));
    }
    static int last(double at, int begin, int size) {
        return static_cast<int>(std::clamp(std::ceil(at) - begin, 0.0, double(size)));
    }
    int left_, top_, width_, height_;
    std::vector<float> coverage_{};
};

void paint_lines(Image& image, const std::vector<std::vector<Spot>>& lines, double width, Rgb color,
                 double opacity) {
    const double radius = width / 2;
    Mask mask(image, lines, radius + 2);
    for (const std::vector<Spot>& line : lines) {
        if (line.size() == 1) mask.add(line[0], line[0], radius);
        for (std::size_t k = 1; k < line.size(); ++k) mask.add(line[k - 1], line[k], radius);
    }
    mask.blend(image, color, opacity);
}

}  // namespace

void paint_line(Image& image, const std::vector<Spot>& points, double width, Rgb color, double opacity) {
    paint_lines(image, {points}, width, color, opacity);
}

void paint_rectangle(Image& image, Spot corner, double width, double height, Rgb color, double opacity) {
    const int x0 = static_cast<int>(std::floor(corner.x)), x1 = static_cast<int>(std::ceil(corner.x + width));
    const int y0 = static_cast<int>(std::floor(corner.y)),
              y1 = static_cast<int>(std::ceil(corner.y + height));
    const auto covered = [](double from, double to, int cell) {
        return std::clamp(std::min(to, cell + 1.0) - std::max(from, double(cell)), 0.0, 1.0);
    };
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            image.blend(
                x, y, color,
                opacity * covered(corner.x, corner.x + width, x) * covered(corner.y, corner.y + height, y));
}

void paint_text(Image& image, Spot at, std::string_view text, const TextStyle& style) {
    const double unit = kCapital * style.size, c = std::cos(style.turn), s = std::sin(style.turn);
    const double width = painted_width(text, style.size);
    const double shift = style.align == Align::Left ? 0 : style.align == Align::Middle ? width / 2 : width;
    std::vector<std::vector<Spot>> lines;
    for (const auto& stroke : text_strokes(text)) {
        lines.emplace_back();
        for (const GlyphPoint& p : stroke) {
            const double x = unit * p.x - shift, y = unit * p.y;
            lines.back().push_back({at.x + c * x - s * y, at.y - s * x - c * y});
        }
    }
    const double pen = style.size * (style.is_bold ? 0.135 : 0.09);
    if (style.has_halo) paint_lines(image, lines, pen + 0.28 * style.size, {255, 255, 255}, 0.75);
    paint_lines(image, lines, pen, style.color, 1);
}

double painted_width(std::string_view text, double size) {
    return kCapital * size * text_width(text);
}

}  // namespace impuls
