// What holds in every frame, whatever a file says. Called by frame_codec.cpp.
#pragma once

#include "impuls/frame.h"

namespace impuls {

// That its arrays have the sizes of its structure. Throws InputError.
void check_sizes(const Frame& frame);
// That it fits its structure, and that its indices and codes exist. Throws FileError.
void check_frame(const Frame& frame);

}  // namespace impuls
