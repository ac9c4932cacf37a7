// Columns with fewer bits: u8 bits of a number (8, 16 or 32; 0: f64 after all); with bits, for each number of
// a value f64 lowest and f64 step, then the numbers q of all entries: x = lowest + q step. The error is at
// most half a step. Called by frame_codec.cpp.
//
// Lengths (unit m) are kept to 1e-4 of the size of the smallest body, rotations to 1e-4 rad, other numbers to
// 1e-4 of the largest in their column. What is not finite, or would need more than 32 bits, stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impuls/scene.h"
#include "scene/frame_groups.h"

namespace impuls {

void quantise(const ColumnView& view, std::size_t count, double size, std::vector<std::byte>& out);
// Bytes of the quantised column at the front of `bytes`, by its first byte. Throws FileError.
std::uint64_t quantised_size(std::span<const std::byte> bytes, const ColumnDesc& desc, std::uint64_t count);
void dequantise(std::span<const std::byte> column, const ColumnDesc& desc, std::uint64_t count, std::byte* to,
                std::size_t stride);

// Of the smallest body that moves, m: the smallest length in its shape. 0 when there is none.
double smallest_size(const Scene& structure);

}  // namespace impuls
