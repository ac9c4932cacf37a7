// Compressed blobs of recordings: one zstd frame with its content size and a checksum. A blob is never
// smaller than 1/kMaxRatio of its content beyond the first kFreeBytes: the writer pads it with a skippable
// zstd frame, so that the reader may refuse a small file that claims to hold a huge one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace impuls {

inline constexpr std::uint64_t kMaxRatio = 1000;
inline constexpr std::uint64_t kFreeBytes = 1 << 20;

// Compresses again and again into the same buffer.
class Compressor {
  public:
    Compressor();
    ~Compressor();
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;

    // Valid until the next call.
    std::span<const std::byte> compress(std::span<const std::byte> content);

  private:
    void* context_;
    std::vector<std::byte> buffer_;
};

// Throws FileError for anything that is not such a blob.
std::vector<std::byte> decompress(std::span<const std::byte> blob);

}  // namespace impuls
