// The code of a Kernel (block_kernel.h), in an unnamed namespace: included once by each of its two versions.
// It calls nothing of the standard library, so that no function compiled for newer processors is shared with
// older ones.
#pragma once

#include "solvers/block_kernel.h"
#include "solvers/block_lanes.h"
#include "solvers/block_round_body.h"
#include "solvers/block_rows_body.h"

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
        a.v[k] -= n[k] * pa, b.v[k] += n[k] * pb;
        a.w[k] -= ja[k] * p, b.w[k] += jb[k] * p;
    }
}
IMPULS_INLINE void turn(const Lanes* wa, const Lanes* wb, Lanes p, Six& a, Six& b) {
    for (int k = 0; k < 3; ++k) a.w[k] -= wa[k] * p, b.w[k] += wb[k] * p;
}

// Points as they are given: levers from a, from b, separation, impulse.
template <int N>
IMPULS_INLINE void load_points(const Batch<N>& c, const Octet* given, Lanes point[N][8]) {
    for (int i = 0; i < N; ++i) load(given + 2 + i, c.given, point[i]);
}

// Friction acts at the centre of the load, given as the points' shares of it, and resists turning about it by
// the load's spread.
template <int N>
IMPULS_INLINE void place_friction(Batch<N>& c, const Lanes point[N][8], const Lanes* body_a,
                                  const Lanes* body_b, const Lanes* share) {
    const Lanes zero = all(0), one = all(1);
    const LaneMask is_used = c.is_there[0] > zero;
    Lanes mid_a[3] = {zero, zero, zero}, mid_b[3] = {zero, zero, zero};
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 3; ++k)
            mid_a[k] += share[i] * point[i][k], mid_b[k] += share[i] * point[i][3 + k];
    c.radius = zero;
    for (int i = 0; i < N; ++i) {
        const Lanes from[3] = {point[i][0] - mid_a[0], point[i][1] - mid_a[1], point[i][2] - mid_a[2]};
        c.radius += root(dot3(from, from)) * share[i];
    }
    Lanes t2[3], arm[3];
    cross3(c.n, c.t1, t2);
    cross3(mid_a, c.t1, arm), times(body_a, arm, c.t1a), cross3(mid_b, c.t1, arm), times(body_b, arm, c.t1b);
    cross3(mid_a, t2, arm), times(body_a, arm, c.t2a), cross3(mid_b, t2, arm), times(body_b, arm, c.t2b);
    const Lanes inv = c.inv_a + c.inv_b;
    const Lanes k11 = inv + dot3(c.t1a, c.t1a) + dot3(c.t1b, c.t1b),
                k12 = dot3(c.t1a, c.t2a) + dot3(c.t1b, c.t2b),
                k22 = inv + dot3(c.t2a, c.t2a) + dot3(c.t2b, c.t2b);
    const Lanes d = pick(is_used, one / pick(is_used, k11 * k22 - k12 * k12, one), zero);
    c.tt[0] = k22 * d, c.tt[1] = -k12 * d, c.tt[2] = k11 * d;
}

template <int N>
IMPULS_INLINE void prepare_batch(Batch<N>& c, const Body* bodies, const Octet* given) {
    Lanes ba[8], bb[8], point[N][8];
    load(bodies, c.a, ba), load(bodies, c.b, bb);
    take_given(c, given), load_points(c, given, point);
    c.inv_a = ba[6], c.inv_b = bb[6];
    const Lanes zero = all(0), one = all(1);
    const LaneMask is_used = c.is_there[0] > zero;

    // Where nothing was borne yet, the points that are deepest count.
    Lanes borne = zero, deepest = all(1e30f);
    for (int i = 0; i < N; ++i) {
        Lanes arm[3];
        cross3(point[i], c.n, arm), times(ba, arm, c.ja[i]);
        cross3(point[i] + 3, c.n, arm), times(bb, arm, c.jb[i]);
        c.s0[i] = c.s[i] = point[i][6], c.p[i] = point[i][7];
        borne += c.p[i];
        deepest = smaller(deepest, pick(c.is_there[i] > zero, c.s0[i], deepest));
    }
    Lanes share[N], sum = zero;
    for (int i = 0; i < N; ++i) {
        const Lanes fresh = pick(c.s0[i] <= deepest + c.slop, c.is_there[i], zero);
        share[i] = pick(borne > zero, c.p[i], fresh);
        sum += share[i];
    }
    for (int i = 0; i < N; ++i) share[i] /= pick(sum > zero, sum, one);
    place_friction<N>(c, point, ba, bb, share);

    const Lanes inv = c.inv_a + c.inv_b;
    if constexpr (N == 1) {
        const Lanes k = inv + dot3(c.ja[0], c.ja[0]) + dot3(c.jb[0], c.jb[0]);
        c.mass[0] = c.inverse[0] = pick(is_used, one / pick(is_used, k, one), zero);
    } else {
        Lanes block[4][4];
        for (int i = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j) {
                const Lanes both = c.is_there[i] * c.is_there[j];
                block[i][j] = (inv + dot3(c.ja[i], c.ja[j]) + dot3(c.jb[i], c.jb[j])) * both;
            }
        for (int i = 0; i < N; ++i) {
            const LaneMask is = c.is_there[i] > zero;
            c.mass[i] = pick(is, one / pick(is, block[i][i], one), zero);
            block[i][i] = pick(is, block[i][i] * all(1.02f), one);
        }
        invert<4>(block, c.inverse);
        for (int i = 0, at = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j, ++at) c.inverse[at] *= c.is_there[i] * c.is_there[j];
        times(ba, c.n, c.wa), times(bb, c.n, c.wb);
        const Lanes kw = dot3(c.wa, c.wa) + dot3(c.wb, c.wb);
        const LaneMask turns = kw > zero;
        c.w_mass = pick(turns, one / pick(turns, kw, one), zero);
    }
}

template <int N>
IMPULS_INLINE void apply_batch(const Batch<N>& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    for (int k = 0; k < N; ++k) push(c.n, c.ja[k], c.jb[k], c.inv_a, c.inv_b, c.p[k], a, b);
    if constexpr (N > 1) turn(c.wa, c.wb, c.pw, a, b);
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    push(c.t1, c.t1a, c.t1b, c.inv_a, c.inv_b, c.p1, a, b);
    push(t2, c.t2a, c.t2b, c.inv_a, c.inv_b, c.p2, a, b);
    scatter(motion, c.a, a), scatter(motion, c.b, b);
}

// Normals as one block, impulses q from p and the residuals r. Points of a block that would pull are solved
// one after the other instead, clamped.
template <int N>
IMPULS_INLINE void solve_normals(const Batch<N>& c, const Lanes* v, const Lanes* r, const Lanes* leak,
                                 const Lanes* share, const Six& a, const Six& b, Lanes* q) {
    const Lanes zero = all(0);
    if constexpr (N == 1) {
        q[0] = larger(c.p[0] - leak[0] * c.p[0] - c.inverse[0] * r[0], zero);
    } else {
        const Lanes* i = c.inverse;
        const Lanes x[4] = {i[0] * r[0] + i[1] * r[1] + i[3] * r[2] + i[6] * r[3],
                            i[1] * r[0] + i[2] * r[1] + i[4] * r[2] + i[7] * r[3],
                            i[3] * r[0] + i[4] * r[1] + i[5] * r[2] + i[8] * r[3],
                            i[6] * r[0] + i[7] * r[1] + i[8] * r[2] + i[9] * r[3]};
        LaneMask pulls{};
        for (int k = 0; k < N; ++k) {
            q[k] = c.p[k] - leak[k] * c.p[k] - x[k];
            pulls |= q[k] < zero;
        }
        if (!any(pulls)) return;
        Six ta = a, tb = b;
        for (int k = 0; k < N; ++k) {
            const Lanes since = along(c.n, c.ja[k], c.jb[k], ta, tb) - v[k];
            const Lanes p = larger(c.p[k] - leak[k] * c.p[k] - (r[k] + share[k] * since) * c.mass[k], zero);
            push(c.n, c.ja[k], c.jb[k], c.inv_a, c.inv_b, p - c.p[k], ta, tb);
            q[k] = pick(pulls, p, q[k]);
        }
    }
}

// Twist, then the tangents on a disk, within mu times the load.
template <int N>
IMPULS_INLINE void solve_friction(Batch<N>& c, Lanes load, Six& a, Six& b) {
    const Lanes limit = c.mu * load;
    if constexpr (N > 1) {
        const Lanes spin = dot3(c.wb, b.w) - dot3(c.wa, a.w), most = limit * c.radius;
        const Lanes p = larger(smaller(c.pw - spin * c.w_mass, most), -most);
        turn(c.wa, c.wb, p - c.pw, a, b);
        c.pw = p;
    }
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    Lanes v1 = along(c.t1, c.t1a, c.t1b, a, b), v2 = along(t2, c.t2a, c.t2b, a, b);
    if (c.slides) v1 += c.u1, v2 += c.u2;
    Lanes p1 = c.p1 - (c.tt[0] * v1 + c.tt[1] * v2), p2 = c.p2 - (c.tt[1] * v1 + c.tt[2] * v2);
    hold(limit, p1, p2);
    push(c.t1, c.t1a, c.t1b, c.inv_a, c.inv_b, p1 - c.p1, a, b);
    push(t2, c.t2a, c.t2b, c.inv_a, c.inv_b, p2 - c.p2, a, b);
    c.p1 = p1, c.p2 = p2;
}

// Separations where the bodies are. They stay there until the next substep's sweeps have found their speeds.
template <int N>
IMPULS_INLINE void measure(Batch<N>& c, const Motion* moved) {
    const Six a = gather(moved, c.a), b = gather(moved, c.b);
    const Lanes gap[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
    const Lanes nd = dot3(c.n, gap);
    for (int k = 0; k < N; ++k) c.s[k] = c.s0[k] + nd + (dot3(c.jb[k], b.w) - dot3(c.ja[k], a.w));
}

// A manifold that was struck in this substep is solved in kRounds, so that normals and friction of its impact
// agree, with friction where it was struck.
template <bool kRelax, int N>
IMPULS_INLINE void solve_batch(Batch<N>& c, const Pass& pass) {
    constexpr int kRounds = 4;
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    const Lanes zero = all(0);
    Lanes v[N], r[N], leak[N], share[N], q[N];
    if constexpr (kRelax) measure(c, pass.moved);
    const int rounds = kRelax && c.is_struck ? kRounds : 1;
    for (int round = 0; round < rounds; ++round) {
        const Lanes speed[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
        const Lanes nv = dot3(c.n, speed);
        for (int k = 0; k < N; ++k) {
            v[k] = nv + (dot3(c.jb[k], b.w) - dot3(c.ja[k], a.w));
            const Asked x = asked<kRelax>(c.s[k], v[k], c.p[k], c.slop, c.cap, pass.soft);
            r[k] = x.r, leak[k] = x.leak, share[k] = x.share;
        }
        if (kRelax && c.bounces)
            for (int k = 0; k < N; ++k) r[k] = pick(c.hit[k] > zero, v[k] - c.hit[k], r[k]);
        solve_normals(c, v, r, leak, share, a, b, q);
        if constexpr (!kRelax) note_impacts<N>(c, v, q);
        Lanes load = zero, total = zero;
        for (int k = 0; k < N; ++k) {
            const Lanes change = q[k] - c.p[k];
            turn(c.ja[k], c.jb[k], change, a, b);
            total += change, load += q[k];
            c.p[k] = q[k];
        }
        const Lanes pa = total * c.inv_a, pb = total * c.inv_b;
        for (int k = 0; k < 3; ++k) a.v[k] -= c.n[k] * pa, b.v[k] += c.n[k] * pb;
        if (kRelax && N > 1 && c.is_struck && round == 0) {
            Lanes ba[8], bb[8], point[N][8], part[N];
            impuls::block::load(pass.bodies, c.a, ba), impuls::block::load(pass.bodies, c.b, bb);
            load_points(c, pass.given, point);
            for (int k = 0; k < N; ++k) part[k] = c.p[k] / pick(load > zero, load, all(1));
            place_friction<N>(c, point, ba, bb, part);
        }
        solve_friction(c, load, a, b);
    }
    if constexpr (kRelax) {
        for (int k = 0; k < N; ++k) c.sum[k] += c.p[k];
        c.sum_1 += c.p1, c.sum_2 += c.p2;
        if constexpr (N > 1) c.sum_w += c.pw;
    }
    scatter(pass.motion, c.a, a), scatter(pass.motion, c.b, b);
}

// One point after the other.
template <int N>
IMPULS_INLINE void correct_batch(Batch<N>& c, Motion* by, float part) {
    Six a = gather(by, c.a), b = gather(by, c.b);
    for (int k = 0; k < N; ++k) {
        const Lanes p = corrected(c, k, along(c.n, c.ja[k], c.jb[k], a, b), part);
        push(c.n, c.ja[k], c.jb[k], c.inv_a, c.inv_b, p - c.correction[k], a, b);
        c.correction[k] = p;
    }
    scatter(by, c.a, a), scatter(by, c.b, b);
}

template <class B>
void prepare(B* batches, std::size_t count, const Body* bodies, const Octet* given) {
    for (std::size_t k = 0; k < count; ++k) prepare_batch(batches[k], bodies, given);
}
template <class B>
void apply(const B* batches, std::size_t count, Motion* motion) {
    for (std::size_t k = 0; k < count; ++k) apply_batch(batches[k], motion);
}
template <bool kRelax, class B>
void sweep(B* batches, std::size_t count, const Pass& pass) {
    for (std::size_t k = 0; k < count; ++k) solve_batch<kRelax>(batches[k], pass);
}
template <class B>
bool has_excess(const B* batches, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        if (any(is_excessive(batches[k]))) return true;
    return false;
}
template <class B>
void correct(B* batches, std::size_t count, Motion* by, float part) {
    for (std::size_t k = 0; k < count; ++k) correct_batch(batches[k], by, part);
}

template <class B>
void hand_out(const B* batches, std::size_t count, Octet* results) {
    for (std::size_t k = 0; k < count; ++k) leave_results(batches[k], results);
}

void extrapolate(Motion* motion, Motion* start, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        const Lanes now = record(motion[k]), before = record(start[k]);
        record(motion[k]) = now + (now - before), record(start[k]) = now;
    }
}
void advance(Motion* moved, const Motion* motion, std::size_t count, float h) {
    for (std::size_t k = 0; k < count; ++k) record(moved[k]) = record(moved[k]) + record(motion[k]) * all(h);
}

template <class B>
constexpr ContactKernel<B> make_contact_kernel() {
    return {prepare<B>, apply<B>, sweep<false, B>, sweep<true, B>, has_excess<B>, correct<B>, hand_out<B>};
}
constexpr Kernel make_kernel() {
    return {make_contact_kernel<RoundBatch>(),
            make_contact_kernel<Batch<1>>(),
            make_contact_kernel<Batch<4>>(),
            extrapolate,
            advance,
            make_row_kernel()};
}

}  // namespace
}  // namespace impuls::block
