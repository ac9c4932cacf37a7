// Arithmetic on eight lanes: what kernel_body.h and rows_body.h need beyond operators. In an unnamed
// namespace, for the same reason.
#pragma once

#include "solvers/blocks/kernel.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from elsewhere

#define IMPULS_INLINE inline __attribute__((always_inline))

namespace impuls::block {
namespace {

IMPULS_INLINE Lanes all(float x) {
    return Lanes{x, x, x, x, x, x, x, x};
}
IMPULS_INLINE Lanes pick(LaneMask m, Lanes a, Lanes b) {
    return (Lanes)(((LaneMask)a & m) | ((LaneMask)b & ~m));
}
IMPULS_INLINE Lanes larger(Lanes a, Lanes b) {
    return a > b ? a : b;
}
IMPULS_INLINE Lanes smaller(Lanes a, Lanes b) {
    return a < b ? a : b;
}
IMPULS_INLINE Lanes root(Lanes a) {
#if defined(__AVX__)
    return __builtin_ia32_sqrtps256(a);
#else
    Lanes r;
    for (int k = 0; k < kLanes; ++k) r[k] = __builtin_sqrtf(a[k]);
    return r;
#endif
}
IMPULS_INLINE bool any(const LaneMask& m) {
    using Words [[gnu::vector_size(32)]] = long long;
    const Words w = (Words)m;
#if defined(__AVX__)
    return !__builtin_ia32_ptestz256(w, w);
#else
    return (w[0] | w[1] | w[2] | w[3]) != 0;
#endif
}
IMPULS_INLINE Lanes dot3(const Lanes* a, const Lanes* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
IMPULS_INLINE void cross3(const Lanes* a, const Lanes* b, Lanes* out) {
    const Lanes x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

#if defined(__clang__)
#define IMPULS_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define IMPULS_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, LaneMask{__VA_ARGS__})
#endif

IMPULS_INLINE void transpose(const Lanes r[8], Lanes o[8]) {
    Lanes a[8], b[8];
    for (int k = 0; k < 4; ++k) {
        a[2 * k] = IMPULS_SHUFFLE(r[2 * k], r[2 * k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[2 * k + 1] = IMPULS_SHUFFLE(r[2 * k], r[2 * k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j) {
            b[4 * k + 2 * j] = IMPULS_SHUFFLE(a[4 * k + j], a[4 * k + 2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
            b[4 * k + 2 * j + 1] = IMPULS_SHUFFLE(a[4 * k + j], a[4 * k + 2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; ++k) {
        o[k] = IMPULS_SHUFFLE(b[k], b[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
        o[4 + k] = IMPULS_SHUFFLE(b[k], b[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#undef IMPULS_SHUFFLE

// What eight bodies do.
struct Six {
    Lanes v[3], w[3];
};

// Eight floats in memory as one register: copied piece by piece they would stall what reads them back whole.
using Stored [[gnu::vector_size(4 * kLanes), gnu::may_alias]] = float;
template <class Record>
IMPULS_INLINE const Stored& record(const Record& r) {
    static_assert(sizeof(Record) == 32 && alignof(Record) == 32);
    return reinterpret_cast<const Stored&>(r);
}
template <class Record>
IMPULS_INLINE Stored& record(Record& r) {
    static_assert(sizeof(Record) == 32 && alignof(Record) == 32);
    return reinterpret_cast<Stored&>(r);
}

template <class Record>
IMPULS_INLINE void load(const Record* from, const std::uint32_t* at, Lanes o[8]) {
    const Lanes r[8] = {record(from[at[0]]), record(from[at[1]]), record(from[at[2]]), record(from[at[3]]),
                        record(from[at[4]]), record(from[at[5]]), record(from[at[6]]), record(from[at[7]])};
    transpose(r, o);
}
IMPULS_INLINE Six gather(const Motion* m, const std::uint32_t* at) {
    Lanes o[8];
    load(m, at, o);
    return {{o[0], o[1], o[2]}, {o[4], o[5], o[6]}};
}
IMPULS_INLINE void scatter(Motion* m, const std::uint32_t* at, const Six& x) {
    const Lanes r[8] = {x.v[0], x.v[1], x.v[2], all(0), x.w[0], x.w[1], x.w[2], all(0)};
    Lanes o[8];
    transpose(r, o);
    record(m[at[0]]) = o[0];
    record(m[at[1]]) = o[1];
    record(m[at[2]]) = o[2];
    record(m[at[3]]) = o[3];
    record(m[at[4]]) = o[4];
    record(m[at[5]]) = o[5];
    record(m[at[6]]) = o[6];
    record(m[at[7]]) = o[7];
}

// A symmetric matrix as in Body::root, times x; x may be where the result goes.
IMPULS_INLINE void times(const Lanes* m, const Lanes* x, Lanes* out) {
    const Lanes y0 = m[0] * x[0] + m[1] * x[1] + m[2] * x[2], y1 = m[1] * x[0] + m[3] * x[1] + m[4] * x[2],
                y2 = m[2] * x[0] + m[4] * x[1] + m[5] * x[2];
    out[0] = y0;
    out[1] = y1;
    out[2] = y2;
}

// Inverse of a symmetric positive definite N x N block, lower part row by row, by LDL^T.
template <int N>
IMPULS_INLINE void invert(Lanes a[N][N], Lanes* out) {
    Lanes x[N][N];
    for (int k = 0; k < N; ++k) {
        const Lanes d = all(1) / a[k][k];
        for (int i = 0; i < N; ++i) x[k][i] = i < k ? x[k][i] : i == k ? all(1) : all(0);
        for (int i = k + 1; i < N; ++i) {
            const Lanes f = a[i][k] * d;
            for (int j = k + 1; j <= i; ++j) a[i][j] -= f * a[j][k];
            if (k == 0)
                for (int j = 0; j < N; ++j) x[i][j] = all(0);
            for (int j = 0; j <= k; ++j) x[i][j] -= f * x[k][j];
        }
    }
    // a = L D L^T, x = L^-1: the inverse is x^T D^-1 x.
    Lanes d[N];
    for (int k = 0; k < N; ++k) d[k] = all(1) / a[k][k];
    for (int i = 0, at = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
            Lanes sum = all(0);
            for (int k = i; k < N; ++k) sum += x[k][i] * d[k] * x[k][j];
            out[at] = sum;
        }
}

}  // namespace
}  // namespace impuls::block
