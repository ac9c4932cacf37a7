// Rows of joints in eight lanes: the second half of a Kernel (kernel_body.h).
#pragma once

#include "solvers/blocks/kernel.h"
#include "solvers/blocks/lanes.h"
#include "solvers/tuning.h"

namespace impuls::block {
namespace {

template <int N>
IMPULS_INLINE Lanes rate_of(const RowBatch<N>& c, int k, const Six& a, const Six& b) {
    return (dot3(c.la[k], a.v) + dot3(c.ja[k], a.w)) + (dot3(c.lb[k], b.v) + dot3(c.jb[k], b.w));
}
template <int N>
IMPULS_INLINE void push_row(const RowBatch<N>& c, int k, Lanes p, Six& a, Six& b) {
    const Lanes pa = p * c.inv_a, pb = p * c.inv_b;
    for (int i = 0; i < 3; ++i) {
        a.v[i] += c.la[k][i] * pa;
        b.v[i] += c.lb[k][i] * pb;
        a.w[i] += c.ja[k][i] * p;
        b.w[i] += c.jb[k][i] * p;
    }
}

template <int N>
IMPULS_INLINE void prepare_rows(RowBatch<N>& c, const Body* bodies) {
    Lanes ba[8], bb[8];
    load(bodies, c.a, ba);
    load(bodies, c.b, bb);
    c.inv_a = ba[6];
    c.inv_b = bb[6];
    const Lanes zero = all(0), one = all(1);
    for (int k = 0; k < N; ++k) {
        times(ba, c.ja[k], c.ja[k]);
        times(bb, c.jb[k], c.jb[k]);
    }
    Lanes block[N][N];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j)
            block[i][j] = dot3(c.la[i], c.la[j]) * c.inv_a + dot3(c.lb[i], c.lb[j]) * c.inv_b +
                          dot3(c.ja[i], c.ja[j]) + dot3(c.jb[i], c.jb[j]);
    if constexpr (N == 1) {
        const Lanes k = block[0][0] + c.yields;
        const LaneMask is = (c.is_there[0] > zero) & (k > zero);
        c.inverse[0] = pick(is, one / pick(is, k, one), zero);
    } else {
        for (int i = 0; i < N; ++i) {
            const LaneMask is = (c.is_there[i] > zero) & (block[i][i] > zero);
            for (int j = 0; j < i; ++j) block[i][j] = pick(is & (c.is_there[j] > zero), block[i][j], zero);
            block[i][i] = pick(is, block[i][i] * all(1 + 1e-5f), one);
        }
        invert<N>(block, c.inverse);
        for (int i = 0, at = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j, ++at) c.inverse[at] *= c.is_there[i] * c.is_there[j];
    }
}

template <int N>
IMPULS_INLINE void apply_rows(const RowBatch<N>& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    for (int k = 0; k < N; ++k) push_row(c, k, c.p[k], a, b);
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

// x = inverse * r
template <int N>
IMPULS_INLINE void times_inverse(const Lanes* inverse, const Lanes* r, Lanes* x) {
    for (int i = 0; i < N; ++i) x[i] = all(0);
    for (int i = 0, at = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
            x[i] += inverse[at] * r[j];
            if (j < i) x[j] += inverse[at] * r[i];
        }
}

// Equations are rigid: a share of their errors goes in each substep. As springs, as contacts are, they would
// sag under loads, and need not: they cannot open.
template <bool kRelax>
IMPULS_INLINE void solve_rows(RowBatch<6>& c, Motion* motion, const Motion* moved, const Softness& soft) {
    constexpr float kShare = tuning::kClosed;
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    Lanes r[6], x[6];
    if constexpr (kRelax) {
        for (int k = 0; k < 6; ++k) r[k] = rate_of(c, k, a, b);
    } else {
        const Six da = gather(moved, c.a), db = gather(moved, c.b);
        for (int k = 0; k < 6; ++k) {
            const Lanes s = larger(smaller(c.s0[k] + rate_of(c, k, da, db), c.cap[k]), -c.cap[k]);
            r[k] = rate_of(c, k, a, b) + all(kShare * soft.inv_h) * s;
        }
    }
    times_inverse<6>(c.inverse, r, x);
    for (int k = 0; k < 6; ++k) {
        push_row(c, k, -x[k], a, b);
        c.p[k] -= x[k];
        if constexpr (kRelax) c.sum[k] += c.p[k];
    }
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

// A limit is what a contact is; motors and brakes act in both sweeps; springs in the first.
template <bool kRelax>
IMPULS_INLINE void solve_rows(RowBatch<1>& c, Motion* motion, const Motion* moved, const Softness& soft) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    const Six da = gather(moved, c.a), db = gather(moved, c.b);
    const Lanes zero = all(0), v = rate_of(c, 0, a, b), way = rate_of(c, 0, da, db), s = c.s0[0] + way,
                p = c.p[0];
    const LaneMask is_limit = c.is_limit > zero, is_open = s > zero;
    const Lanes open = v + s * all(soft.inv_h);
    Lanes r, leak = zero;
    if constexpr (kRelax) {
        const Lanes free = s * all(soft.inv_h) + larger(v, zero);
        r = pick(is_limit, pick(is_open, pick(p > zero, open, free), v),
                 pick(c.is_spring > zero, zero, v + c.bias));
    } else {
        const Lanes closed = all(soft.mass) * (v + all(soft.rate) * larger(s, -c.cap[0]));
        r = pick(is_limit, pick(is_open, open, closed), v + c.bias + c.stiffness * way + c.yields * p);
        leak = pick(is_limit, pick(is_open, zero, all(soft.leak)), zero);
    }
    const Lanes q = smaller(larger(p - leak * p - c.inverse[0] * r, c.lower), c.upper);
    push_row(c, 0, q - p, a, b);
    c.p[0] = q;
    if constexpr (kRelax) c.sum[0] += q;
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

IMPULS_INLINE void measure_rows(RowBatch<6>& c, const Motion* moved) {
    const Six a = gather(moved, c.a), b = gather(moved, c.b);
    for (int k = 0; k < 6; ++k) c.s0[k] += rate_of(c, k, a, b);
}

// Displacements d with J d = -error.
IMPULS_INLINE void close_rows(RowBatch<6>& c, Motion* by) {
    Six a = gather(by, c.a), b = gather(by, c.b);
    Lanes r[6], x[6];
    for (int k = 0; k < 6; ++k) r[k] = rate_of(c, k, a, b) + larger(smaller(c.s0[k], c.cap[k]), -c.cap[k]);
    times_inverse<6>(c.inverse, r, x);
    for (int k = 0; k < 6; ++k) push_row(c, k, -x[k], a, b);
    scatter(by, c.a, a);
    scatter(by, c.b, b);
}

IMPULS_INLINE void strike_rows(RowBatch<6>& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    Lanes r[6], x[6];
    for (int k = 0; k < 6; ++k) r[k] = rate_of(c, k, a, b);
    times_inverse<6>(c.inverse, r, x);
    for (int k = 0; k < 6; ++k) {
        push_row(c, k, -x[k], a, b);
        c.sum[k] -= x[k];
    }
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

template <int N>
void prepare_row_batches(RowBatch<N>* batches, std::size_t count, const Body* bodies) {
    for (std::size_t k = 0; k < count; ++k) prepare_rows(batches[k], bodies);
}
template <int N>
void apply_row_batches(const RowBatch<N>* batches, std::size_t count, Motion* motion) {
    for (std::size_t k = 0; k < count; ++k) apply_rows(batches[k], motion);
}
template <bool kRelax, int N>
void sweep_rows(RowBatch<N>* batches, std::size_t count, Motion* motion, const Motion* moved,
                const Softness& soft) {
    for (std::size_t k = 0; k < count; ++k) solve_rows<kRelax>(batches[k], motion, moved, soft);
}
void measure_row_batches(RowBatch<6>* batches, std::size_t count, const Motion* moved) {
    for (std::size_t k = 0; k < count; ++k) measure_rows(batches[k], moved);
}
void close_row_batches(RowBatch<6>* batches, std::size_t count, Motion* by) {
    for (std::size_t k = 0; k < count; ++k) close_rows(batches[k], by);
}

void strike_row_batches(RowBatch<6>* batches, std::size_t count, Motion* motion) {
    for (std::size_t k = 0; k < count; ++k) strike_rows(batches[k], motion);
}

constexpr RowKernel make_row_kernel() {
    return {prepare_row_batches<1>, prepare_row_batches<6>, apply_row_batches<1>, apply_row_batches<6>,
            sweep_rows<false, 1>,   sweep_rows<false, 6>,   sweep_rows<true, 1>,  sweep_rows<true, 6>,
            measure_row_batches,    close_row_batches,      strike_row_batches};
}

}  // namespace
}  // namespace impuls::block
