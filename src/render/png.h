// Pictures as PNG files. The same picture gives the same bytes with the same zlib. Called by commands and
// exporters.
#pragma once

#include <string>

#include "render/image.h"

namespace impuls {

// 8 bits a channel, no alpha, no date.
std::string encode_png(const Image& image);

}  // namespace impuls
