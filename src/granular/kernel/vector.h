// The vectors of the kernels: Vec3 where numbers are doubles, the same with floats else. Plain values, so
// that a kernel is one source for every scalar and every processor. Called by the kernels of this folder.
#pragma once

#include <cmath>

#include "impuls/vec.h"

namespace impuls::granular {

struct Vec3f {
    float x = 0, y = 0, z = 0;
};
constexpr Vec3f operator+(const Vec3f& a, const Vec3f& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vec3f operator-(const Vec3f& a, const Vec3f& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vec3f operator*(const Vec3f& a, float s) {
    return {a.x * s, a.y * s, a.z * s};
}
constexpr float dot(const Vec3f& a, const Vec3f& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3f cross(const Vec3f& a, const Vec3f& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
struct VectorOf;
template <>
struct VectorOf<double> {
    using Type = Vec3;
    static constexpr Vec3 of(const Vec3& v) { return v; }
    static constexpr double tie = 0x1p-42;  // of the size: what is as near to a plane lies on it
    static constexpr double same = 1e-9;    // of an edge
};
template <>
struct VectorOf<float> {
    using Type = Vec3f;
    static constexpr Vec3f of(const Vec3& v) {
        return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    }
    static constexpr float tie = 0x1p-21f, same = 1e-4f;
};
template <class T>
using V3 = typename VectorOf<T>::Type;

constexpr Vec3 to_double(const Vec3& v) {
    return v;
}
constexpr Vec3 to_double(const Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace impuls::granular
