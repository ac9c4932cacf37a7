// Arithmetic on eight lanes: what block_kernel_body.h needs beyond operators. In an unnamed namespace, for
// the same reason.
#pragma once

#include "solvers/block_kernel.h"

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
    return pick(a > b, a, b);
}
IMPULS_INLINE Lanes smaller(Lanes a, Lanes b) {
    return pick(a < b, a, b);
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
    return (w[0] | w[1] | w[2] | w[3]) != 0;
}
IMPULS_INLINE Lanes dot3(const Lanes* a, const Lanes* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
IMPULS_INLINE void cross3(const Lanes* a, const Lanes* b, Lanes* out) {
    const Lanes x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
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

}  // namespace
}  // namespace impuls::block
