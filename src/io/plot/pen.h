// What figures are drawn with: as SVG, or on a picture. Places in px, y down. Called by figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "render/paint.h"

namespace impuls {

struct Style {
    const char* kind = "";  // class in SVG
    Rgb color{34, 34, 34};
    double size = 13;  // of text; of lines their width
    Align align = Align::Left;
    bool is_upright = false;  // text from bottom to top
};

class Pen {
  public:
    virtual ~Pen() = default;
    virtual void line(const std::vector<std::vector<Spot>>& parts, const Style& style) = 0;
    virtual void dot(Spot at, const Style& style) = 0;
    virtual void frame(Spot corner, double width, double height) = 0;
    virtual void text(Spot at, const std::string& text, const Style& style) = 0;
    // x 10 to the power of the exponent.
    virtual void power(Spot at, int exponent, Align align) = 0;
};

class SvgPen : public Pen {
  public:
    SvgPen(double width, double height);
    void line(const std::vector<std::vector<Spot>>& parts, const Style& style) override;
    void dot(Spot at, const Style& style) override;
    void frame(Spot corner, double width, double height) override;
    void text(Spot at, const std::string& text, const Style& style) override;
    void power(Spot at, int exponent, Align align) override;
    std::string take() { return std::move(svg_) + "</svg>\n"; }

  private:
    std::string svg_{};
};

class ImagePen : public Pen {
  public:
    ImagePen(double width, double height) : image_(static_cast<int>(width), static_cast<int>(height)) {}
    void line(const std::vector<std::vector<Spot>>& parts, const Style& style) override;
    void dot(Spot at, const Style& style) override;
    void frame(Spot corner, double width, double height) override;
    void text(Spot at, const std::string& text, const Style& style) override;
    void power(Spot at, int exponent, Align align) override;
    Image take() { return std::move(image_); }

  private:
    Image image_;
};

}  // namespace impuls
