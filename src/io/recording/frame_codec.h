// Frames as bytes. Little-endian, fixed layout, doubles bit for bit (docs/manual/recording.md lists the
// fields). Called by the recorder and by the reader of recordings.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "impuls/frame.h"

namespace impuls {

// Replaces `out` by the encoded frame; without `contacts` these and events are left out.
void encode_frame(const Frame& frame, bool contacts, std::vector<std::byte>& out);

// The frame from bytes that may be damaged or hostile: sizes, counts and indices are checked against the
// bytes and the structure before memory is taken. Throws FileError.
Frame decode_frame(std::span<const std::byte> bytes, std::shared_ptr<const Scene> structure);

}  // namespace impuls
