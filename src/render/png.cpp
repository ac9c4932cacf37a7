// PNG (ISO/IEC 15948): signature, header, one chunk of data, end. Each row gets the filter (§9: none, sub,
// up, average or Paeth) whose differences, as signed bytes, have the smallest sum of magnitudes (§12.8).
#include "render/png.h"

#include <zlib.h>

#include <cstdlib>
#include <new>

namespace impuls {

namespace {

constexpr std::size_t kBytes = 3;  // of a pixel
constexpr int kFilters = 5;

void append_number(std::string& out, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 0xff);
}

void append_chunk(std::string& out, const char* type, const std::string& data) {
    append_number(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = type + data;
    out += body;
    append_number(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                        static_cast<uInt>(body.size()))));
}

// Of left, up and upper left the nearest to left + up - upper left (§9.4).
int paeth(int left, int up, int corner) {
    const int p = left + up - corner;
    const int a = std::abs(p - left), b = std::abs(p - up), c = std::abs(p - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

int predicted(int filter, int left, int up, int corner) {
    switch (filter) {
        case 1:
            return left;
        case 2:
            return up;
        case 3:
            return (left + up) / 2;
        case 4:
            return paeth(left, up, corner);
        default:
            return 0;
    }
}

// The row after a filter; its number comes first.
std::string filtered(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes) {
    std::string out(1, static_cast<char>(filter));
    for (std::size_t k = 0; k < bytes; ++k) {
        const int left = k >= kBytes ? row[k - kBytes] : 0, up = above ? above[k] : 0;
        const int corner = above && k >= kBytes ? above[k - kBytes] : 0;
        out += static_cast<char>(row[k] - predicted(filter, left, up, corner));
    }
    return out;
}

long weight(const std::string& row) {
    long sum = 0;
    for (std::size_t k = 1; k < row.size(); ++k)
        sum += std::abs(static_cast<int>(static_cast<signed char>(row[k])));
    return sum;
}

std::string filtered_rows(const Image& image) {
    const std::size_t bytes = kBytes * static_cast<std::size_t>(image.width());
    std::string rows;
    for (int y = 0; y < image.height(); ++y) {
        const std::uint8_t* above = y > 0 ? image.row(y - 1) : nullptr;
        std::string best = filtered(0, image.row(y), above, bytes);
        for (int filter = 1; filter < kFilters; ++filter) {
            std::string other = filtered(filter, image.row(y), above, bytes);
            if (weight(other) < weight(best)) best = std::move(other);
        }
        rows += best;
    }
    return rows;
}

}  // namespace

std::string encode_png(const Image& image) {
    const std::string rows = filtered_rows(image);
    uLongf size = compressBound(rows.size());
    std::string data(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(data.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                  rows.size(), 9) != Z_OK)
        throw std::bad_alloc();
    data.resize(size);
    std::string header;
    append_number(header, static_cast<std::uint32_t>(image.width()));
    append_number(header, static_cast<std::uint32_t>(image.height()));
    header += std::string("\x08\x02\0\0\0", 5);  // 8 bits, colours, the usual compression and filters
    std::string out = "\x89PNG\r\n\x1a\n";
    append_chunk(out, "IHDR", header);
    append_chunk(out, "IDAT", data);
    append_chunk(out, "IEND", "");
    return out;
}

}  // namespace impuls
