// The software renderer: a frame as a picture, with a z-buffer, without graphics hardware or a window. The
// same frame gives the same picture on every machine. Ground planes have a checker pattern that fades with
// distance, the light throws shadows, edges are drawn, rods, ropes, springs and joints are shown
// (symbols.h). Called by exporters and by `impuls show`.
#pragma once

#include "impuls/frame.h"
#include "render/image.h"
#include "render/look.h"

namespace impuls {

Image draw_picture(const Frame& frame, const Look& look, const PictureSettings& settings);

}  // namespace impuls
