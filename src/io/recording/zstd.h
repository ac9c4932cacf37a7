// Compressed blobs of recordings: one zstd frame with its content size and a checksum. A blob is never
// smaller than a share of its content (beyond the first bytes): the writer pads it with a skippable zstd
// frame, so that the reader may refuse a small file that claims to hold a huge one. (A regular grid of 8000
// boxes gives ratios up to 58.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace impuls {

struct BlobLimit {
    std::uint64_t ratio;  // of content to blob, at most
    std::uint64_t free;   // bytes of content that do not count
};
inline constexpr BlobLimit kDataLimit{100, 16 << 20};
inline constexpr BlobLimit kTextLimit{100, 1 << 20};

// Compresses again and again into the same buffer.
class Compressor {
  public:
    Compressor();
    ~Compressor();
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;

    // Valid until the next call.
    std::span<const std::byte> compress(std::span<const std::byte> content, const BlobLimit& limit);

  private:
    void* context_;
    std::vector<std::byte> buffer_;
};

// Bytes of what a blob claims to hold; 0 for rubbish.
std::uint64_t content_size(std::span<const std::byte> blob);

// Throws FileError for anything that is not such a blob.
std::vector<std::byte> decompress(std::span<const std::byte> blob, const BlobLimit& limit);

}  // namespace impuls
