// Compressed blocks: their bound on size, and what is refused.
#include "io/recording/zstd.h"

#include <gtest/gtest.h>

#include "impuls/errors.h"

namespace impuls::test {
namespace {

TEST(RecordingZstd, BlobsAreNeverTooSmallForTheirContent) {
    Compressor compressor;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{40} << 20}) {
        const std::vector<std::byte> zeros(size);
        const auto blob = compressor.compress(zeros);
        EXPECT_GE(blob.size() * kMaxRatio + kFreeBytes, size);
        EXPECT_EQ(decompress(blob), zeros);
    }
}

TEST(RecordingZstd, BombsAndRubbishAreRefused) {
    Compressor compressor;
    const std::vector<std::byte> zeros(std::size_t{60} << 20);
    const auto blob = compressor.compress(zeros);
    const std::vector<std::byte> unpadded(blob.begin(), blob.begin() + 8000);
    EXPECT_THROW(decompress(unpadded), FileError) << "claims 60 MiB in 8 kB";
    EXPECT_THROW(decompress({}), FileError);
    const std::vector<std::byte> rubbish(1000, std::byte{0x5a});
    EXPECT_THROW(decompress(rubbish), FileError);
}

}  // namespace
}  // namespace impuls::test
