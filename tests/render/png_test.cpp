// PNG files against a decoder written here from the standard: chunks with their CRCs, and the inverse
// filters.
#include "render/png.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>

namespace impuls::test {
namespace {

std::uint32_t number(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
    return value;
}

// The chunk that begins at `at`, which is moved behind it.
std::string chunk(const std::string& file, std::size_t& at, std::string& type) {
    const std::uint32_t size = number(file, at);
    type = file.substr(at + 4, 4);
    const std::string body = file.substr(at + 4, size + 4);
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    EXPECT_EQ(number(file, at + 8 + size), crc) << type;
    at += 12 + size;
    return body.substr(4);
}

Image decode(const std::string& file) {
    EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::size_t at = 8;
    std::string type;
    const std::string header = chunk(file, at, type);
    EXPECT_EQ(type, "IHDR");
    const int width = static_cast<int>(number(header, 0)), height = static_cast<int>(number(header, 4));
    EXPECT_EQ(header.substr(8), std::string("\x08\x02\0\0\0", 5));
    const std::string data = chunk(file, at, type);
    EXPECT_EQ(type, "IDAT");
    chunk(file, at, type);
    EXPECT_EQ(type, "IEND");
    EXPECT_EQ(at, file.size());
    const std::size_t bytes = 3 * static_cast<std::size_t>(width);
    std::string rows((bytes + 1) * static_cast<std::size_t>(height), '\0');
    uLongf size = rows.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                         reinterpret_cast<const Bytef*>(data.data()), data.size()),
              Z_OK);
    Image image(width, height);
    std::string above(bytes, '\0');
    for (int y = 0; y < height; ++y) {
        const std::string row = rows.substr(static_cast<std::size_t>(y) * (bytes + 1), bytes + 1);
        std::string plain(bytes, '\0');
        for (std::size_t k = 0; k < bytes; ++k) {
            const auto of = [](const std::string& s, std::size_t i) {
                return static_cast<int>(static_cast<unsigned char>(s[i]));
            };
            const int a = k >= 3 ? of(plain, k - 3) : 0, b = of(above, k), c = k >= 3 ? of(above, k - 3) : 0;
            const int p = a + b - c;
            const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
            const int guesses[] = {0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
            plain[k] = static_cast<char>(of(row, k + 1) + guesses[static_cast<int>(row[0])]);
        }
        for (int x = 0; x < width; ++x) {
            const auto* p = reinterpret_cast<const std::uint8_t*>(&plain[3 * static_cast<std::size_t>(x)]);
            image.at(x, y) = {p[0], p[1], p[2]};
        }
        above = plain;
    }
    return image;
}

TEST(Png, HoldsEveryPixel) {
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 5}, {64, 48}}) {
        Image image(width, height);
        std::uint32_t seed = 1;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                seed = seed * 1664525 + 1013904223;
                // Noise in one half, a smooth ramp in the other.
                image.at(x, y) =
                    x < width / 2
                        ? Rgb{static_cast<std::uint8_t>(seed >> 24), static_cast<std::uint8_t>(seed >> 16),
                              static_cast<std::uint8_t>(seed >> 8)}
                        : Rgb{static_cast<std::uint8_t>(3 * x), static_cast<std::uint8_t>(5 * y), 7};
            }
        const Image back = decode(encode_png(image));
        ASSERT_EQ(back.width(), width);
        ASSERT_EQ(back.height(), height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) ASSERT_EQ(back.at(x, y), image.at(x, y)) << x << " " << y;
    }
}

TEST(Png, IsSmallWhereThePictureIsSimple) {
    EXPECT_LT(encode_png(Image(800, 600, {10, 20, 30})).size(), 5000u);
}

}  // namespace
}  // namespace impuls::test
