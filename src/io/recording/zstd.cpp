// zstd with a content size and checksum in every blob and a bound on what a blob may grow to (see the
// header). Level 1: frames are mostly mantissa bits, higher levels cost time and gain next to nothing.
#include "io/recording/zstd.h"

#include <zstd.h>

#include <cstring>
#include <new>

#include "impuls/errors.h"

namespace impuls {

namespace {

constexpr std::uint32_t kSkippableMagic = 0x184d2a50;
constexpr std::size_t kSkippableHead = 8;  // magic and length

std::uint64_t smallest_blob(std::uint64_t content, const BlobLimit& limit) {
    return content <= limit.free ? 0 : (content - limit.free + limit.ratio - 1) / limit.ratio;
}

void pad(std::vector<std::byte>& blob, std::size_t used, std::uint64_t size) {
    if (used >= size) return blob.resize(used);
    const std::uint32_t length =
        size > used + kSkippableHead ? static_cast<std::uint32_t>(size - used - kSkippableHead) : 0;
    blob.resize(used);
    blob.resize(used + kSkippableHead + length);
    std::memcpy(blob.data() + used, &kSkippableMagic, 4);
    std::memcpy(blob.data() + used + 4, &length, 4);
}

}  // namespace

Compressor::Compressor() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    auto* context = static_cast<ZSTD_CCtx*>(context_);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

Compressor::~Compressor() {
    ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context_));
}

std::span<const std::byte> Compressor::compress(std::span<const std::byte> content, const BlobLimit& limit) {
    buffer_.resize(ZSTD_compressBound(content.size()));
    const std::size_t size = ZSTD_compress2(static_cast<ZSTD_CCtx*>(context_), buffer_.data(), buffer_.size(),
                                            content.data(), content.size());
    if (ZSTD_isError(size)) throw FileError(std::string("compression failed: ") + ZSTD_getErrorName(size));
    pad(buffer_, size, smallest_blob(content.size(), limit));
    return buffer_;
}

std::uint64_t content_size(std::span<const std::byte> blob) {
    const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
    return size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ? 0 : size;
}

std::vector<std::byte> decompress(std::span<const std::byte> blob, const BlobLimit& limit) {
    const unsigned long long size = ZSTD_getFrameContentSize(blob.data(), blob.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
        blob.size() < smallest_blob(size, limit)) {
        throw FileError("a compressed block is damaged");
    }
    std::vector<std::byte> content;
    try {
        content.resize(size);
    } catch (const std::exception&) {
        throw FileError("not enough memory for a compressed block");
    }
    const std::size_t got = ZSTD_decompress(content.data(), content.size(), blob.data(), blob.size());
    if (ZSTD_isError(got) || got != size) throw FileError("a compressed block is damaged");
    return content;
}

}  // namespace impuls
