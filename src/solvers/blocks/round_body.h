// Contacts of balls (RoundBatch): part of kernel_body.h, in an unnamed namespace for the same reason.
#pragma once

#include "solvers/blocks/law_body.h"

namespace impuls::block {
namespace {

IMPULS_INLINE Lanes gap_of(const RoundBatch& c, const Six& a, const Six& b) {
    const Lanes d[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
    return dot3(c.n, d);
}
IMPULS_INLINE void push_apart(const RoundBatch& c, Lanes p, Six& a, Six& b) {
    const Lanes pa = p * c.inv_a, pb = p * c.inv_b;
    for (int k = 0; k < 3; ++k) {
        a.v[k] -= c.n[k] * pa;
        b.v[k] += c.n[k] * pb;
    }
}
IMPULS_INLINE void rub(const RoundBatch& c, const Lanes* t2, Lanes p1, Lanes p2, Six& a, Six& b) {
    for (int k = 0; k < 3; ++k) {
        const Lanes p = c.t1[k] * p1 + t2[k] * p2, q = t2[k] * p1 - c.t1[k] * p2;
        a.v[k] -= p * c.inv_a;
        b.v[k] += p * c.inv_b;
        a.w[k] -= q * c.lever_a;
        b.w[k] += q * c.lever_b;
    }
}

IMPULS_INLINE void prepare_batch(RoundBatch& c, const Body* bodies, const Octet* given) {
    Lanes ba[8], bb[8], point[8], other[8];
    load(bodies, c.a, ba);
    load(bodies, c.b, bb);
    take_given(c, given);
    load(given + 2, c.given, point);
    const Lanes zero = all(0), one = all(1);
    const LaneMask is_used = c.is_there[0] > zero;
    c.inv_a = ba[6];
    c.inv_b = bb[6];
    c.lever_a = dot3(point, c.n) * ba[0];
    c.lever_b = dot3(point + 3, c.n) * bb[0];
    load(given + 1, c.given, other);
    c.reach = other[3] * (dot3(point, c.n) - dot3(point + 3, c.n));
    c.s0[0] = c.s[0] = point[6];
    c.p[0] = point[7];
    const Lanes k = c.inv_a + c.inv_b, kt = k + c.lever_a * c.lever_a + c.lever_b * c.lever_b;
    c.mass[0] = pick(is_used, one / pick(is_used, k, one), zero);
    c.t_mass = pick(is_used, one / pick(is_used, kt, one), zero);
}

IMPULS_INLINE void apply_batch(const RoundBatch& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    push_apart(c, c.p[0], a, b);
    rub(c, t2, c.p1, c.p2, a, b);
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

IMPULS_INLINE Slip slip_of(const RoundBatch& c, const Pass& pass, const Lanes* t2, const Six& a,
                           const Six& b) {
    Lanes speed[3], spin[3];
    for (int k = 0; k < 3; ++k) {
        speed[k] = b.v[k] - a.v[k];
        spin[k] = b.w[k] * c.lever_b - a.w[k] * c.lever_a;
    }
    Slip u{dot3(c.t1, speed) + dot3(t2, spin), dot3(t2, speed) - dot3(c.t1, spin)};
    if (c.slides) u.add(Running(c, pass));
    return u;
}

// Normal and friction have nothing to do with each other but the load: an impact takes no rounds.
template <bool kRelax>
IMPULS_INLINE void solve_batch(RoundBatch& c, const Pass& pass) {
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    const Lanes zero = all(0);
    Lanes v = gap_of(c, a, b);
    if (c.slides) v += Running(c, pass).un;
    if constexpr (kRelax) c.s[0] = c.s0[0] + gap_of(c, gather(pass.moved, c.a), gather(pass.moved, c.b));
    const ContactResidual x = contact_residual<kRelax>(c.s[0], v, c.p[0], c.slop, c.cap, pass.soft);
    const Lanes q = larger(x.share * c.p[0] - c.mass[0] * x.r, zero);
    if constexpr (!kRelax) note_impacts<1>(c, &v, &q);
    push_apart(c, q - c.p[0], a, b);
    c.p[0] = q;

    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    const auto [v1, v2] = slip_of(c, pass, t2, a, b);
    Lanes p1 = c.p1 - v1 * c.t_mass, p2 = c.p2 - v2 * c.t_mass;
    hold(c.mu * q, p1, p2);
    rub(c, t2, p1 - c.p1, p2 - c.p2, a, b);
    c.p1 = p1;
    c.p2 = p2;
    if constexpr (kRelax) {
        c.sum[0] += q;
        c.sum_1 += p1;
        c.sum_2 += p2;
    }
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

IMPULS_INLINE void correct_batch(RoundBatch& c, Motion* by, float part) {
    Six a = gather(by, c.a), b = gather(by, c.b);
    const Lanes p = corrected(c, 0, gap_of(c, a, b), part);
    push_apart(c, p - c.correction[0], a, b);
    c.correction[0] = p;
    scatter(by, c.a, a);
    scatter(by, c.b, b);
}

}  // namespace
}  // namespace impuls::block
