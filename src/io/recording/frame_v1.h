// Frames of version 1, as recordings of earlier programs hold them. Called by frame_codec.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "impuls/frame.h"

namespace impuls {

// As decode_frame.
Frame decode_frame_v1(std::span<const std::byte> bytes, std::shared_ptr<const Scene> structure);

}  // namespace impuls
