// A picture in memory: rows from the top, red, green, blue, each 0 to 255 (sRGB). Called by all that draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace impuls {

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    friend constexpr bool operator==(const Rgb&, const Rgb&) = default;
};

class Image {
  public:
    Image() = default;
    Image(int width, int height, Rgb fill = {255, 255, 255})
        : width_(width),
          height_(height),
          pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill) {}
    int width() const { return width_; }
    int height() const { return height_; }
    Rgb& at(int x, int y) { return pixels_[place(x, y)]; }
    const Rgb& at(int x, int y) const { return pixels_[place(x, y)]; }
    bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
    const std::uint8_t* row(int y) const { return &at(0, y).r; }
    // Mixes a colour in, with an opacity from 0 to 1; outside the picture nothing happens.
    void blend(int x, int y, Rgb color, double opacity);
    // Puts a picture with its upper left corner at (x, y); what does not fit is cut off.
    void paste(const Image& other, int x, int y);

  private:
    std::size_t place(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    int width_ = 0, height_ = 0;
    std::vector<Rgb> pixels_{};
};

}  // namespace impuls
