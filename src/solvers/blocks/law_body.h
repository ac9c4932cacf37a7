// Residuals of contacts, for any number of points: part of kernel_body.h, in an unnamed namespace for
// the same reason.
#pragma once

#include "solvers/blocks/kernel.h"
#include "solvers/blocks/lanes.h"

namespace impuls::block {
namespace {

// Smaller impulses are none: floats have no reciprocal of theirs.
constexpr float kNoLoad = 1e-30f;

template <class B>
constexpr bool has_twist = requires(B& c) {
    c.pw;
};
template <class B>
constexpr int points_of_type = static_cast<int>(sizeof(B::s) / sizeof(Lanes));
template <class B>
constexpr int points_of(const B&) {
    return points_of_type<B>;
}

// The manifolds' part of what is given, and tangents: one across the axis along which n is smaller; the
// other, t2, is n x t1.
template <class B>
IMPULS_INLINE void take_given(B& c, const Octet* given) {
    const Lanes zero = all(0), one = all(1);
    Lanes m[8], g[8];
    load(given, c.given, m);
    load(given + 1, c.given, g);
    const LaneMask is_of_disk = g[7] > all(kOfDisk);
    g[7] -= pick(is_of_disk, all(kOfDisk), zero);
    c.is_passing = pick(g[7] > all(kPassing), one, zero);
    g[7] -= c.is_passing * all(kPassing);
    for (int k = 0; k < 3; ++k) c.n[k] = m[k];
    c.mu = m[3];
    c.slop = m[4];
    c.cap = m[5];
    c.bounce = m[6];
    c.threshold = m[7];
    const LaneMask along_x = c.n[0] * c.n[0] > all(0.5f);
    const Lanes axis[3] = {pick(along_x, zero, one), pick(along_x, one, zero), zero};
    cross3(c.n, axis, c.t1);
    const Lanes scale = one / root(pick(g[7] > zero, dot3(c.t1, c.t1), one));
    for (int k = 0; k < 3; ++k) c.t1[k] *= scale;
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    c.p1 = dot3(g, c.t1);
    c.p2 = dot3(g, t2);
    c.u1 = dot3(g + 4, c.t1);
    c.u2 = dot3(g + 4, t2);
    c.un = dot3(g + 4, c.n);
    c.bounces = any(c.bounce > zero);
    c.slides = any((g[4] != zero) | (g[5] != zero) | (g[6] != zero));
    c.is_struck = c.rebounds = 0;
    c.sum_1 = c.sum_2 = zero;
    for (int k = 0; k < points_of(c); ++k) {
        c.is_there[k] = pick(g[7] > all(static_cast<float>(k)), one, zero);
        c.sum[k] = c.hit[k] = c.back[k] = c.correction[k] = zero;
    }
    if constexpr (has_twist<B>) {
        c.pw = g[3];
        c.sum_w = zero;
        // Of a line, an equilateral triangle, a square and a disk with points on its rim.
        const Lanes corners = pick(g[7] > all(3), all(0.5411f), pick(g[7] > all(2), all(0.4602f), all(0.5f)));
        c.spread = pick(is_of_disk, all(2.0f / 3), corners);
    }
}

// Velocities of surfaces at present.
template <class B>
struct Running {
    Lanes u1, u2, un;
    IMPULS_INLINE Running(const B& c, const Pass& pass) {
        const Lanes part = all(1) + c.is_passing * all(pass.phase - 1);
        u1 = part * c.u1;
        u2 = part * c.u2;
        un = part * c.un * c.is_passing;
    }
};

// Velocity of b's surface relative to a's, along t1 and t2.
struct Slip {
    Lanes v1, v2;
    template <class B>
    IMPULS_INLINE void add(const Running<B>& surface) {
        v1 += surface.u1;
        v2 += surface.u2;
    }
};

template <class B>
IMPULS_INLINE void leave_results(const B& c, Octet* results) {
    const Lanes zero = all(0);
    Lanes r[3][8];
    for (auto& row : r)
        for (Lanes& x : row) x = zero;
    for (int k = 0; k < points_of(c); ++k) {
        r[0][k] = c.p[k];
        r[0][4 + k] = c.sum[k];
        r[1][k] = c.s[k];
    }
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    for (int k = 0; k < 3; ++k) {
        r[1][4 + k] = c.t1[k] * c.p1 + t2[k] * c.p2;
        r[2][k] = c.t1[k] * c.sum_1 + t2[k] * c.sum_2;
    }
    if constexpr (has_twist<B>) {
        r[1][7] = c.pw;
        r[2][3] = c.sum_w;
    }
    for (int row = 0; row < 3; ++row) {
        Lanes o[8];
        transpose(r[row], o);
        for (int l = 0; l < kLanes; ++l)
            if (c.given[l] != 0) record(results[c.given[l] + static_cast<std::uint32_t>(row)]) = o[l];
    }
}

// Residual of a contact row, from its separation, speed and impulse: an impulse of share p - mass r, where
// the residual r takes the share of a change of the speed. The rest of p is what a spring gives up.
struct ContactResidual {
    Lanes r, share;
};
template <bool kRelax>
IMPULS_INLINE ContactResidual contact_residual(Lanes s, Lanes v, Lanes p, Lanes slop, Lanes cap,
                                               const Softness& soft) {
    const Lanes zero = all(0), open = s * all(soft.inv_h);
    const LaneMask is_open = s > zero;
    if constexpr (kRelax) {
        // A contact still open and without load does nothing: the impact is the next substep's, at full
        // speed. One within the slop that bears something is closed by the sweeps with bias alone: closed by
        // both, it may stay open for good, while friction takes back in each sweep what the normals did.
        const Lanes free = open + larger(v, zero), closing = pick(s > slop, v + open, v);
        return {pick(is_open, pick(p > zero, closing, free), v), all(1)};
    }
    const Lanes closed = all(soft.rate) * larger(smaller(s + slop, zero), -cap);
    const Lanes share = pick(is_open, all(1), all(soft.mass));
    return {share * (v + pick(is_open, open, closed)), share};
}

// Notes impacts of this substep, from impulses p to q.
template <int N, class B>
IMPULS_INLINE void note_impacts(B& c, const Lanes* v, const Lanes* q) {
    const Lanes zero = all(0);
    LaneMask struck{};
    for (int k = 0; k < N; ++k) struck |= (c.p[k] <= zero) & (q[k] > zero) & (v[k] < -c.threshold);
    c.is_struck = any(struck);
}

// Scales a tangential impulse back to `limit`. Mostly none is beyond it: what rests waits for no root.
IMPULS_INLINE void hold(Lanes limit, Lanes& p1, Lanes& p2) {
    const Lanes size = p1 * p1 + p2 * p2, most = limit * limit;
    const LaneMask slips = size > most;
    if (!any(slips)) return;
    const Lanes part = pick(slips, root(most / pick(slips, size, all(1))), all(1));
    p1 *= part;
    p2 *= part;
}

template <class B>
IMPULS_INLINE LaneMask is_excessive(const B& c) {
    LaneMask is{};
    for (int k = 0; k < points_of(c); ++k)
        is |= c.is_there[k] * (c.s[k] + c.slop + all(1.5f) * c.cap) < all(0);
    return is;
}

// Displacements d with J d >= part * excess depth, or >= -room: the impulse of point k, from its d.
template <class B>
IMPULS_INLINE Lanes corrected(const B& c, int k, Lanes d, float part) {
    const Lanes zero = all(0), excess = -(c.s[k] + c.slop + c.cap);
    const Lanes wanted = pick(excess > zero, excess * all(part), excess);
    return larger(c.correction[k] + (wanted - d) * c.mass[k], zero);
}

}  // namespace
}  // namespace impuls::block
