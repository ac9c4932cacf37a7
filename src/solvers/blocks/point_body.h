// Contacts of single points (Batch<1>): part of kernel_body.h, in an unnamed namespace for the same reason.
#pragma once

#include "solvers/blocks/law_body.h"

namespace impuls::block {
namespace {

// Velocity along a row.
IMPULS_INLINE Lanes along(const Lanes* n, const Lanes* ja, const Lanes* jb, const Six& a, const Six& b) {
    const Lanes d[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
    return dot3(n, d) + (dot3(jb, b.w) - dot3(ja, a.w));
}
IMPULS_INLINE void push(const Lanes* n, const Lanes* ja, const Lanes* jb, Lanes inv_a, Lanes inv_b, Lanes p,
                        Six& a, Six& b) {
    const Lanes pa = p * inv_a, pb = p * inv_b;
    for (int k = 0; k < 3; ++k) {
        a.v[k] -= n[k] * pa;
        b.v[k] += n[k] * pb;
        a.w[k] -= ja[k] * p;
        b.w[k] += jb[k] * p;
    }
}

IMPULS_INLINE void prepare_batch(Batch<1>& c, const Body* bodies, const Octet* given) {
    Lanes ba[8], bb[8], point[8], arm[3], t2[3];
    load(bodies, c.a, ba);
    load(bodies, c.b, bb);
    take_given(c, given);
    load(given + 2, c.given, point);
    c.inv_a = ba[6];
    c.inv_b = bb[6];
    c.s0[0] = c.s[0] = point[6];
    c.p[0] = point[7];
    const Lanes *ra = point, *rb = point + 3, zero = all(0), one = all(1);
    const LaneMask is_used = c.is_there[0] > zero;
    cross3(c.n, c.t1, t2);
    cross3(ra, c.n, arm);
    times(ba, arm, c.ja);
    cross3(rb, c.n, arm);
    times(bb, arm, c.jb);
    cross3(ra, c.t1, arm);
    times(ba, arm, c.t1a);
    cross3(rb, c.t1, arm);
    times(bb, arm, c.t1b);
    cross3(ra, t2, arm);
    times(ba, arm, c.t2a);
    cross3(rb, t2, arm);
    times(bb, arm, c.t2b);
    const Lanes inv = c.inv_a + c.inv_b, k = inv + dot3(c.ja, c.ja) + dot3(c.jb, c.jb);
    c.mass[0] = pick(is_used, one / pick(is_used, k, one), zero);
    const Lanes k11 = inv + dot3(c.t1a, c.t1a) + dot3(c.t1b, c.t1b),
                k12 = dot3(c.t1a, c.t2a) + dot3(c.t1b, c.t2b),
                k22 = inv + dot3(c.t2a, c.t2a) + dot3(c.t2b, c.t2b);
    const Lanes d = pick(is_used, one / pick(is_used, k11 * k22 - k12 * k12, one), zero);
    c.tt[0] = k22 * d;
    c.tt[1] = -k12 * d;
    c.tt[2] = k11 * d;
}

IMPULS_INLINE void apply_batch(const Batch<1>& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    push(c.n, c.ja, c.jb, c.inv_a, c.inv_b, c.p[0], a, b);
    push(c.t1, c.t1a, c.t1b, c.inv_a, c.inv_b, c.p1, a, b);
    push(t2, c.t2a, c.t2b, c.inv_a, c.inv_b, c.p2, a, b);
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

IMPULS_INLINE Slip slip_of(const Batch<1>& c, const Pass& pass, const Lanes* t2, const Six& a, const Six& b) {
    Slip u{along(c.t1, c.t1a, c.t1b, a, b), along(t2, c.t2a, c.t2b, a, b)};
    if (c.slides) u.add(Running(c, pass));
    return u;
}

// The tangents on a disk, within mu times the load.
IMPULS_INLINE void solve_friction(Batch<1>& c, const Pass& pass, Lanes load, Six& a, Six& b) {
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    const auto [v1, v2] = slip_of(c, pass, t2, a, b);
    Lanes p1 = c.p1 - (c.tt[0] * v1 + c.tt[1] * v2), p2 = c.p2 - (c.tt[1] * v1 + c.tt[2] * v2);
    hold(c.mu * load, p1, p2);
    push(c.t1, c.t1a, c.t1b, c.inv_a, c.inv_b, p1 - c.p1, a, b);
    push(t2, c.t2a, c.t2b, c.inv_a, c.inv_b, p2 - c.p2, a, b);
    c.p1 = p1;
    c.p2 = p2;
}

// A contact that was struck in this substep is solved in kRounds, so that normal and friction of its impact
// agree. Separations are measured where the bodies are, and stay there until the next substep's sweeps have
// found their speeds.
template <bool kRelax>
IMPULS_INLINE void solve_batch(Batch<1>& c, const Pass& pass) {
    constexpr int kRounds = 4;
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    const Lanes zero = all(0);
    if constexpr (kRelax)
        c.s[0] = c.s0[0] + along(c.n, c.ja, c.jb, gather(pass.moved, c.a), gather(pass.moved, c.b));
    const int rounds = kRelax && c.is_struck ? kRounds : 1;
    for (int round = 0; round < rounds; ++round) {
        Lanes v = along(c.n, c.ja, c.jb, a, b);
        if (c.slides) v += Running(c, pass).un;
        const ContactResidual x = contact_residual<kRelax>(c.s[0], v, c.p[0], c.slop, c.cap, pass.soft);
        const Lanes q = larger(x.share * c.p[0] - c.mass[0] * x.r, zero);
        if constexpr (!kRelax) note_impacts<1>(c, &v, &q);
        push(c.n, c.ja, c.jb, c.inv_a, c.inv_b, q - c.p[0], a, b);
        c.p[0] = q;
        solve_friction(c, pass, q, a, b);
    }
    if constexpr (kRelax) {
        c.sum[0] += c.p[0];
        c.sum_1 += c.p1;
        c.sum_2 += c.p2;
    }
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

IMPULS_INLINE void correct_batch(Batch<1>& c, Motion* by, float part) {
    Six a = gather(by, c.a), b = gather(by, c.b);
    const Lanes p = corrected(c, 0, along(c.n, c.ja, c.jb, a, b), part);
    push(c.n, c.ja, c.jb, c.inv_a, c.inv_b, p - c.correction[0], a, b);
    c.correction[0] = p;
    scatter(by, c.a, a);
    scatter(by, c.b, b);
}

}  // namespace
}  // namespace impuls::block
