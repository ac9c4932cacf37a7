// Bodies of particles as a frame has them: their shape with its points where they are now, in the body's
// frame. Called by pictures and exporters in place of the shape that a body is described by.
#pragma once

#include "impuls/frame.h"
#include "impuls/scene.h"

namespace impuls {

// The shape of body k of the frame; `scratch` holds it when it is another one than described.
const Shape& shape_in(const Frame& frame, std::size_t k, Shape& scratch);

}  // namespace impuls
