// Work of what drives a scene: motors and servos of joints (force times way of their axes). Belts and
// kinematic bodies are not counted: scenes that have them are judged by other laws than energy.
#pragma once

#include <vector>

#include "impuls/frame.h"
#include "impuls/scene.h"
#include "impuls/world.h"

namespace impuls::faults {

class Drives {
  public:
    explicit Drives(const Frame& start);
    // Since the start, J, when `frame` is the next one after the last that was given.
    double work(const Frame& frame);

  private:
    std::vector<std::size_t> axes_{};  // in Frame::axes
    std::vector<double> positions_{};
    double work_ = 0;
};

// What lifts every moving body by the size of its shape, J.
double lifting_energy(World& world);

// Length of the diagonal of the shape's bounding box, m; 0 for points and planes.
double shape_size(const Shape& shape);

}  // namespace impuls::faults
