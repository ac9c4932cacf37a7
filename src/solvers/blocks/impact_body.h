// Impacts with restitution in eight lanes (impacts.cpp says how they follow from each other): part of
// kernel_body.h, in an unnamed namespace for the same reason.
#pragma once

#include "solvers/blocks/law_body.h"
#include "solvers/blocks/manifold_body.h"
#include "solvers/blocks/point_body.h"
#include "solvers/blocks/round_body.h"

namespace impuls::block {
namespace {

IMPULS_INLINE void normal_speeds(const RoundBatch& c, const Six& a, const Six& b, Lanes* v) {
    v[0] = gap_of(c, a, b);
}
IMPULS_INLINE void normal_speeds(const Batch<1>& c, const Six& a, const Six& b, Lanes* v) {
    v[0] = along(c.n, c.ja, c.jb, a, b);
}
IMPULS_INLINE void normal_speeds(const Batch<4>& c, const Six& a, const Six& b, Lanes* v) {
    const Screw u = between(c, a, b);
    for (int k = 0; k < 4; ++k) v[k] = speed_of(c, k, u);
}
IMPULS_INLINE void push_points(const RoundBatch& c, const Lanes* p, Six& a, Six& b) {
    push_apart(c, p[0], a, b);
}
IMPULS_INLINE void push_points(const Batch<1>& c, const Lanes* p, Six& a, Six& b) {
    push(c.n, c.ja, c.jb, c.inv_a, c.inv_b, p[0], a, b);
}
IMPULS_INLINE void push_points(const Batch<4>& c, const Lanes* p, Six& a, Six& b) {
    push(c, sum_of(c, p), a, b);
}

// Two balls touch along the line of their centres where they are now; once a pass, for lanes that meet.
IMPULS_INLINE void align(RoundBatch& c, const Six& da, const Six& db, LaneMask meets) {
    const Lanes zero = all(0), one = all(1);
    const LaneMask turns = meets & (c.reach > zero);
    if (!any(turns)) return;
    Lanes d[3], line[3], t[3];
    for (int k = 0; k < 3; ++k) {
        d[k] = db.v[k] - da.v[k];
        line[k] = c.n[k] * c.reach + d[k];
    }
    const Lanes distance = root(dot3(line, line)), scale = one / pick(distance > zero, distance, one);
    for (int k = 0; k < 3; ++k) line[k] *= scale;
    const Lanes off = dot3(line, c.t1);
    for (int k = 0; k < 3; ++k) t[k] = c.t1[k] - line[k] * off;
    const Lanes size = dot3(t, t), to_one = one / root(pick(size > zero, size, one));
    const Lanes gap = distance - c.reach + c.s0[0];
    for (int k = 0; k < 3; ++k) {
        c.n[k] = pick(turns, line[k], c.n[k]);
        c.t1[k] = pick(turns, t[k] * to_one, c.t1[k]);
    }
    c.s[0] = pick(turns, gap, c.s[0]);
    c.s0[0] = pick(turns, gap - dot3(line, d), c.s0[0]);
    c.reach = pick(turns, zero, c.reach);
}
template <class B>
IMPULS_INLINE void align(B&, const Six&, const Six&, LaneMask) {}

// Points that approach faster than the threshold and touch before the substep ends; a gap that closes exactly
// then counts. The impact is given where the substep starts, at a gap s. With a the acceleration that closes
// it, u = -v - a h is the speed there and u_t the one at the touch, and what leaves heights of rebound exact
// is
//     u_t^2 = u^2 + 2 a s,   T^2 = u^2 - (1 - e^2) u_t^2,   v' = T - a h.
template <class B>
IMPULS_INLINE void find_batch_impacts(B& c, const Pass& pass) {
    constexpr int kCount = points_of_type<B>;
    constexpr float kRounding = 1e-5f;  // of the gap, which is a sum over the pass
    const Lanes zero = all(0), one = all(1), h = all(1 / pass.soft.inv_h), kick = c.un * (one - c.is_passing);
    const Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    Lanes v[4];
    const auto meets = [&](int k) {
        return (c.is_there[k] > zero) & (c.bounce > zero) & (v[k] < -c.threshold) & (v[k] < zero) &
               (c.s[k] + h * v[k] * all(1 + kRounding) <= zero);
    };
    normal_speeds(c, a, b, v);
    LaneMask struck{};
    for (int k = 0; k < kCount; ++k) struck |= meets(k);
    if (any(struck)) {
        align(c, gather(pass.moved, c.a), gather(pass.moved, c.b), struck);
        normal_speeds(c, a, b, v);
        struck = LaneMask{};
    }
    for (int k = 0; k < kCount; ++k) {
        const LaneMask is_struck = meets(k);
        const Lanes e2 = c.bounce * c.bounce, u = larger(-v[k] - kick, zero),
                    t2 = e2 * u * u - (one - e2) * all(2 * pass.soft.inv_h) * kick * larger(c.s[k], zero);
        const Lanes back = (root(larger(t2, zero)) - kick) / pick(v[k] < zero, -v[k], one);
        c.back[k] = pick(is_struck, larger(back, zero), zero);
        c.hit[k] = zero;
        struck |= c.back[k] > zero;
    }
    c.rebounds = any(struck);
}
template <class B>
bool find_impacts(B* batches, std::size_t count, const Pass& pass) {
    bool is_any = false;
    for (std::size_t k = 0; k < count; ++k) {
        B& c = batches[k];
        c.rebounds = 0;
        if (!c.bounces) continue;
        find_batch_impacts(c, pass);
        is_any |= c.rebounds != 0;
    }
    return is_any;
}

// Towards v = 0, point by point: a block would need the inverse for those that are struck.
template <class B>
void compress(B& c, const Pass& pass) {
    constexpr int kCount = points_of_type<B>, kInner = kCount > 1 ? 4 : 1;
    const Lanes zero = all(0);
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    for (int inner = 0; inner < kInner; ++inner) {
        Lanes v[4], change[4];
        normal_speeds(c, a, b, v);
        for (int k = 0; k < kCount; ++k) {
            if constexpr (kCount > 1) v[k] += since(c, k, change);
            const Lanes p = pick(c.back[k] > zero, larger(c.hit[k] - v[k] * c.mass[k], zero), zero);
            change[k] = p - c.hit[k];
            c.hit[k] = p;
        }
        push_points(c, change, a, b);
    }
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

template <class B>
void give_back(const B& c, const Pass& pass) {
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    Lanes p[4];
    for (int k = 0; k < points_of_type<B>; ++k) p[k] = c.hit[k] * c.back[k];
    push_points(c, p, a, b);
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

template <class B>
void measure(const B& c, const Motion* motion, NormalSpeeds& speeds) {
    normal_speeds(c, gather(motion, c.a), gather(motion, c.b), speeds.of);
}

IMPULS_INLINE void rub_batch(RoundBatch& c, const Pass& pass, Lanes load, Lanes& p1, Lanes& p2, Six& a,
                             Six& b) {
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    const auto [v1, v2] = slip_of(c, pass, t2, a, b);
    p1 = -v1 * c.t_mass;
    p2 = -v2 * c.t_mass;
    hold(c.mu * load, p1, p2);
    rub(c, t2, p1, p2, a, b);
}
IMPULS_INLINE void rub_batch(Batch<1>& c, const Pass& pass, Lanes load, Lanes& p1, Lanes& p2, Six& a,
                             Six& b) {
    Lanes t2[3];
    cross3(c.n, c.t1, t2);
    const auto [v1, v2] = slip_of(c, pass, t2, a, b);
    p1 = -(c.tt[0] * v1 + c.tt[1] * v2);
    p2 = -(c.tt[1] * v1 + c.tt[2] * v2);
    hold(c.mu * load, p1, p2);
    push(c.t1, c.t1a, c.t1b, c.inv_a, c.inv_b, p1, a, b);
    push(t2, c.t2a, c.t2b, c.inv_a, c.inv_b, p2, a, b);
}
// Where it was struck.
IMPULS_INLINE void rub_batch(Batch<4>& c, const Pass& pass, Lanes load, Lanes& p1, Lanes& p2, Six& a,
                             Six& b) {
    const Lanes zero = all(0), least = all(kNoLoad), borne = (c.p[0] + c.p[1]) + (c.p[2] + c.p[3]);
    Lanes part[4];
    for (int k = 0; k < 4; ++k)
        part[k] = pick(load > least, c.hit[k], pick(borne > least, c.p[k], c.is_there[k]));
    place(c, part);
    const Screw u = between(c, a, b);
    Lanes v1 = u.v[0], v2 = u.v[1];
    if (c.slides) {
        const Running surface(c, pass);
        v1 += surface.u1;
        v2 += surface.u2;
    }
    p1 = -(c.tt[0] * v1 + c.tt[1] * v2);
    p2 = -(c.tt[1] * v1 + c.tt[2] * v2);
    hold(c.mu * load, p1, p2);
    push(c, {{p1, p2, zero}, {zero, zero, zero}}, a, b);
}

// Friction within mu times the impulses of the impact, towards no slip: it cannot add energy.
template <class B>
void rub_struck(B& c, const Pass& pass) {
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    Lanes load = all(0), p1, p2;
    for (int k = 0; k < points_of_type<B>; ++k) {
        load += c.hit[k];
        c.sum[k] += c.hit[k];
    }
    rub_batch(c, pass, load, p1, p2, a, b);
    c.sum_1 += p1;
    c.sum_2 += p2;
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

}  // namespace
}  // namespace impuls::block
