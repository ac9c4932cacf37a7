// Frames as bytes: a header, the number of entries of each group of the layout, then column behind column.
// Little-endian; doubles bit for bit unless quantised (docs/manual/recording.md). Called by the recorder and
// by the reader of recordings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "impuls/frame.h"
#include "io/recording/layout.h"

namespace impuls {

// Replaces `out` by the encoded frame, which must fit the layout. With quantised columns, `size` (m) is that
// of the smallest body.
void encode_frame(const Frame& frame, const FrameLayout& layout, std::vector<std::byte>& out,
                  bool quantised = false, double size = 0);

using FindLayout = std::function<const FrameLayout&(std::uint32_t id)>;

// The frame from bytes that may be damaged or hostile: sizes, counts and indices are checked against the
// bytes and the structure before memory is taken. Throws FileError.
Frame decode_frame(std::span<const std::byte> bytes, std::shared_ptr<const Scene> structure,
                   const FindLayout& find_layout);

// Bytes of each column, "bodies.position", in the order of the layout; of frames of version 1 all in one.
struct ColumnBytes {
    std::string name{};
    std::size_t bytes = 0;
};
std::vector<ColumnBytes> column_bytes(std::span<const std::byte> bytes, const FindLayout& find_layout);

}  // namespace impuls
