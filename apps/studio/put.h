// Numbers as the page reads them: little-endian, one behind the other.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "impuls/vec.h"

namespace impuls::studio {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <class T>
void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

inline void put_vector(std::string& out, const Vec3& v) {
    put(out, static_cast<float>(v.x));
    put(out, static_cast<float>(v.y));
    put(out, static_cast<float>(v.z));
}

// From -1 to 1, in 16 bits.
inline void put_unit(std::string& out, double v) {
    put(out, static_cast<std::int16_t>(std::lround(std::fmin(std::fmax(v, -1.0), 1.0) * 32767)));
}

}  // namespace impuls::studio
