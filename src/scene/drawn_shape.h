// What is drawn of a body: its visual shapes, or else the one that touches. Called by pictures, exporters and
// the studio.
#pragma once

#include "impuls/bodies.h"

namespace impuls {

class DrawnShape {
  public:
    explicit DrawnShape(const BodyDesc& body) : shape_(&body.shape) {
        if (body.visual.empty()) return;
        made_ = Compound{body.visual};
        shape_ = &made_;
    }
    DrawnShape(const DrawnShape&) = delete;
    DrawnShape& operator=(const DrawnShape&) = delete;

    const Shape& operator*() const { return *shape_; }

  private:
    const Shape* shape_;
    Shape made_{};
};

}  // namespace impuls
