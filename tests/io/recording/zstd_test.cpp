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
        for (const BlobLimit& limit : {kDataLimit, kTextLimit}) {
            const auto blob = compressor.compress(zeros, limit);
            EXPECT_GE(blob.size() * limit.ratio + limit.free, size);
            EXPECT_EQ(decompress(blob, limit), zeros);
        }
    }
}

TEST(RecordingZstd, BombsAndRubbishAreRefused) {
    Compressor compressor;
    const std::vector<std::byte> zeros(std::size_t{60} << 20);
    const auto blob = compressor.compress(zeros, kDataLimit);
    const std::vector<std::byte> unpadded(blob.begin(), blob.begin() + 8000);
    EXPECT_THROW(decompress(unpadded, kDataLimit), FileError) << "claims 60 MiB in 8 kB";
    EXPECT_THROW(decompress({}, kDataLimit), FileError);
    const std::vector<std::byte> rubbish(1000, std::byte{0x5a});
    EXPECT_THROW(decompress(rubbish, kDataLimit), FileError);
}

}  // namespace
}  // namespace impuls::test
