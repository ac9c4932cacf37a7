// Vertices and face planes of a convex polyhedron four in a row, one coordinate after the other, so that the
// height of all vertices along a direction, or of one point over all faces, is found two at a time. Every
// height is the same sequence of operations as dot() and gives the same bits. Past the end stand copies of
// vertex 0 and planes that everything is infinitely far below: neither is found before the real ones.
// Called by support functions and separating axes, for polyhedra of few vertices and faces.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "geometry/hull.h"

namespace impuls {

inline constexpr std::size_t kInBlock = 4;

struct PointBlock {
    double x[kInBlock], y[kInBlock], z[kInBlock];
};
struct PlaneBlock {
    double x[kInBlock], y[kInBlock], z[kInBlock], offset[kInBlock];
};

constexpr std::size_t blocks_of(std::size_t count) {
    return (count + kInBlock - 1) / kInBlock;
}

// `out` has blocks_of(size of the input) entries.
inline void fill_blocks(std::span<const Vec3> points, std::span<PointBlock> out) {
    for (std::size_t i = 0; i < out.size() * kInBlock; ++i) {
        const Vec3& p = points[i < points.size() ? i : 0];
        PointBlock& b = out[i / kInBlock];
        b.x[i % kInBlock] = p.x, b.y[i % kInBlock] = p.y, b.z[i % kInBlock] = p.z;
    }
}
inline void fill_blocks(std::span<const HullPlane> planes, std::span<PlaneBlock> out) {
    for (std::size_t i = 0; i < out.size() * kInBlock; ++i) {
        const HullPlane p =
            i < planes.size() ? planes[i] : HullPlane{{}, std::numeric_limits<double>::infinity()};
        PlaneBlock& b = out[i / kInBlock];
        b.x[i % kInBlock] = p.normal.x, b.y[i % kInBlock] = p.normal.y, b.z[i % kInBlock] = p.normal.z;
        b.offset[i % kInBlock] = p.offset;
    }
}

// Two numbers at a time: what the loops below need.
namespace two {

#if defined(__SSE2__)
using Pair = __m128d;
inline Pair load(const double* p) {
    return _mm_loadu_pd(p);
}
inline void store(double* p, Pair a) {
    _mm_storeu_pd(p, a);
}
inline Pair both(double x) {
    return _mm_set1_pd(x);
}
inline Pair larger(Pair a, Pair b) {  // b where one of them is no number
    return _mm_max_pd(a, b);
}
inline double larger_of(Pair a) {
    return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a)));
}
// Bit k: a[k] > b[k], and so on.
inline unsigned above(Pair a, Pair b) {
    return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpgt_pd(a, b)));
}
inline unsigned equal(Pair a, Pair b) {
    return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(a, b)));
}
#else
using Pair [[gnu::vector_size(16)]] = double;
inline Pair load(const double* p) {
    return Pair{p[0], p[1]};
}
inline void store(double* p, Pair a) {
    p[0] = a[0], p[1] = a[1];
}
inline Pair both(double x) {
    return Pair{x, x};
}
inline Pair larger(Pair a, Pair b) {
    return Pair{a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
inline double larger_of(Pair a) {
    return a[0] > a[1] ? a[0] : a[1];
}
inline unsigned above(Pair a, Pair b) {
    return (a[0] > b[0] ? 1u : 0u) | (a[1] > b[1] ? 2u : 0u);
}
inline unsigned equal(Pair a, Pair b) {
    return (a[0] == b[0] ? 1u : 0u) | (a[1] == b[1] ? 2u : 0u);
}
#endif

struct Direction {
    Pair x, y, z;
    explicit Direction(const Vec3& d) : x(both(d.x)), y(both(d.y)), z(both(d.z)) {}
    Pair along(const PointBlock& b, std::size_t k) const {
        return load(b.x + k) * x + load(b.y + k) * y + load(b.z + k) * z;
    }
    Pair over(const PlaneBlock& b, std::size_t k) const {
        return load(b.x + k) * x + load(b.y + k) * y + load(b.z + k) * z - load(b.offset + k);
    }
};

// Bits of up to 64 numbers, a multiple of four.
template <class Test>
std::uint64_t bits(const double* numbers, std::size_t count, double t, Test&& test) {
    std::uint64_t found = 0;
    const Pair limit = both(t);
    for (std::size_t i = 0; i < count; i += kInBlock)
        found |= static_cast<std::uint64_t>(test(load(numbers + i), limit) |
                                            test(load(numbers + i + 2), limit) << 2)
                 << i;
    return found;
}

// The largest of a multiple of four numbers.
inline double largest(const double* numbers, std::size_t count) {
    Pair low = load(numbers), high = load(numbers + 2);
    for (std::size_t i = kInBlock; i < count; i += kInBlock)
        low = larger(load(numbers + i), low), high = larger(load(numbers + i + 2), high);
    return larger_of(larger(high, low));
}

}  // namespace two

// How far points reach along d.
inline double reach_along(std::span<const PointBlock> points, const Vec3& d) {
    const two::Direction along(d);
    two::Pair low = along.along(points[0], 0), high = along.along(points[0], 2);
    for (std::size_t i = 1; i < points.size(); ++i) {
        low = two::larger(along.along(points[i], 0), low);
        high = two::larger(along.along(points[i], 2), high);
    }
    return two::larger_of(two::larger(high, low));
}

// The point farthest along d, of equal ones the first; for at most 64 points.
inline std::uint32_t farthest_point(std::span<const PointBlock> points, const Vec3& d) {
    constexpr std::size_t kMost = 64;
    double height[kMost];
    const two::Direction along(d);
    two::Pair low = along.along(points[0], 0), high = along.along(points[0], 2);
    two::store(height, low), two::store(height + 2, high);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const two::Pair l = along.along(points[i], 0), h = along.along(points[i], 2);
        two::store(height + kInBlock * i, l), two::store(height + kInBlock * i + 2, h);
        low = two::larger(l, low), high = two::larger(h, high);
    }
    const std::uint64_t at =
        two::bits(height, kInBlock * points.size(), two::larger_of(two::larger(high, low)), two::equal);
    return at == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(at));  // 0: no numbers
}

// Heights of x over the planes; `out` has room for all blocks.
inline void heights_over(std::span<const PlaneBlock> planes, const Vec3& x, double* out) {
    const two::Direction at(x);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        two::store(out + kInBlock * i, at.over(planes[i], 0));
        two::store(out + kInBlock * i + 2, at.over(planes[i], 2));
    }
}

// Bit f: x is higher over plane f than `bound`; for at most 64 planes.
inline std::uint64_t planes_below(std::span<const PlaneBlock> planes, const Vec3& x, double bound) {
    const two::Direction at(x);
    const two::Pair limit = two::both(bound);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < planes.size(); ++i)
        found |= static_cast<std::uint64_t>(two::above(at.over(planes[i], 0), limit) |
                                            two::above(at.over(planes[i], 2), limit) << 2)
                 << kInBlock * i;
    return found;
}

}  // namespace impuls
