// Contacts of several points (Batch<4>): part of kernel_body.h, in an unnamed namespace for the same reason.
//
// All that the rows of a manifold need of its bodies is b's motion relative to a: six numbers, the velocity
// at the centre of the load and the rates of turn about t1, t2 and n. A point at x t1 + y t2 from there has
// the speed v_n + y w_1 - x w_2 along n, and friction acts at the centre itself. Bodies are read once and
// pushed once; between, `follow` says how the normals' impulses and the twist change what friction sees.
#pragma once

#include "solvers/blocks/face_body.h"
#include "solvers/blocks/law_body.h"

namespace impuls::block {
namespace {

// Motion of b relative to a, or an impulse and its moment that act on b and, reversed, on a: at the centre of
// the load, along t1, t2 and n.
struct Screw {
    Lanes v[3], w[3];
};

IMPULS_INLINE Screw between(const Batch<4>& c, const Six& a, const Six& b) {
    const Lanes d[3] = {b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]};
    Lanes wa[3], wb[3], va[3], vb[3];
    for (int k = 0; k < 3; ++k) {
        wa[k] = dot3(c.turn_a[k], a.w);
        wb[k] = dot3(c.turn_b[k], b.w);
    }
    cross3(wa, c.ra, va);
    cross3(wb, c.rb, vb);
    return {
        {dot3(c.t1, d) + (vb[0] - va[0]), dot3(c.t2, d) + (vb[1] - va[1]), dot3(c.n, d) + (vb[2] - va[2])},
        {wb[0] - wa[0], wb[1] - wa[1], wb[2] - wa[2]}};
}

IMPULS_INLINE void push(const Batch<4>& c, const Screw& p, Six& a, Six& b) {
    Lanes ma[3], mb[3];
    cross3(c.ra, p.v, ma);
    cross3(c.rb, p.v, mb);
    for (int k = 0; k < 3; ++k) {
        ma[k] += p.w[k];
        mb[k] += p.w[k];
    }
    for (int k = 0; k < 3; ++k) {
        const Lanes f = c.t1[k] * p.v[0] + c.t2[k] * p.v[1] + c.n[k] * p.v[2];
        a.v[k] -= f * c.inv_a;
        b.v[k] += f * c.inv_b;
        a.w[k] -= c.turn_a[0][k] * ma[0] + c.turn_a[1][k] * ma[1] + c.turn_a[2][k] * ma[2];
        b.w[k] += c.turn_b[0][k] * mb[0] + c.turn_b[1][k] * mb[1] + c.turn_b[2][k] * mb[2];
    }
}

IMPULS_INLINE Lanes speed_of(const Batch<4>& c, int k, const Screw& u) {
    return u.v[2] + (c.y[k] * u.w[0] - c.x[k] * u.w[1]);
}
// Impulses of the points along n, as one.
IMPULS_INLINE Screw sum_of(const Batch<4>& c, const Lanes* p) {
    return {{all(0), all(0), (p[0] + p[1]) + (p[2] + p[3])},
            {(p[0] * c.y[0] + p[1] * c.y[1]) + (p[2] * c.y[2] + p[3] * c.y[3]),
             -((p[0] * c.x[0] + p[1] * c.x[1]) + (p[2] * c.x[2] + p[3] * c.x[3])), all(0)}};
}

// How b's motion relative to a changes by an impulse of 1 along an axis at the centre of the load, or by a
// moment of 1 about it. Answers are mutual: what any impulse changes along an axis is its product with the
// answer to that axis.
struct Answers {
    Lanes ga[3][3], gb[3][3], inv;  // inverse inertia along t1, t2 and n
    const Lanes *ra, *rb;

    IMPULS_INLINE explicit Answers(const Batch<4>& c) : inv(c.inv_a + c.inv_b), ra(c.ra), rb(c.rb) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j) {
                ga[i][j] = ga[j][i] = dot3(c.turn_a[i], c.turn_a[j]);
                gb[i][j] = gb[j][i] = dot3(c.turn_b[i], c.turn_b[j]);
            }
    }
    IMPULS_INLINE Screw moment(int i) const { return turned(ga[i], gb[i]); }
    IMPULS_INLINE Screw impulse(int i) const {
        const int j = (i + 1) % 3, k = (i + 2) % 3;  // its moments are r_k about j and -r_j about k
        Lanes wa[3], wb[3];
        for (int l = 0; l < 3; ++l) {
            wa[l] = ga[j][l] * ra[k] - ga[k][l] * ra[j];
            wb[l] = gb[j][l] * rb[k] - gb[k][l] * rb[j];
        }
        Screw u = turned(wa, wb);
        u.v[i] += inv;
        return u;
    }
    IMPULS_INLINE Screw turned(const Lanes* wa, const Lanes* wb) const {
        Screw u;
        Lanes va[3], vb[3];
        cross3(wa, ra, va);
        cross3(wb, rb, vb);
        for (int k = 0; k < 3; ++k) {
            u.v[k] = va[k] + vb[k];
            u.w[k] = wa[k] + wb[k];
        }
        return u;
    }
};

// Friction acts at the centre of the load, given as the points' shares of it up to a factor, and resists
// turning about it by the spread of the load: that of the points, drawn in as the face is between them.
// Levers and points move over to it from where they were measured.
IMPULS_INLINE void place(Batch<4>& c, const Lanes* load) {
    const Lanes zero = all(0), one = all(1);
    const Lanes sum = (load[0] + load[1]) + (load[2] + load[3]),
                scale = one / pick(sum > all(kNoLoad), sum, one);
    const Lanes share[4] = {load[0] * scale, load[1] * scale, load[2] * scale, load[3] * scale};
    const LaneMask is_used = c.is_there[0] > zero;
    Lanes* const points[3] = {c.x, c.y, c.z};
    for (int k = 0; k < 3; ++k) {
        Lanes* const at = points[k];
        const Lanes middle = (share[0] * at[0] + share[1] * at[1]) + (share[2] * at[2] + share[3] * at[3]);
        c.ra[k] += middle;
        c.rb[k] += middle;
        for (int i = 0; i < 4; ++i) at[i] = (at[i] - middle) * c.is_there[i];
    }
    c.radius = zero;
    for (int i = 0; i < 4; ++i) c.radius += root(c.x[i] * c.x[i] + c.y[i] * c.y[i]) * share[i];
    c.radius *= c.spread;

    const Answers of(c);
    const Screw to_1 = of.impulse(0), to_2 = of.impulse(1), to_w = of.moment(2);
    c.follow_1[0] = to_1.v[2];
    c.follow_2[0] = to_2.v[2];
    c.follow_w[0] = to_w.v[2];
    for (int k = 0; k < 3; ++k) {
        c.follow_1[1 + k] = to_1.w[k];
        c.follow_2[1 + k] = to_2.w[k];
    }
    c.follow_w[1] = to_w.w[0];
    c.follow_w[2] = to_w.w[1];
    const LaneMask turns = to_w.w[2] > zero;
    c.w_mass = pick(turns, one / pick(turns, to_w.w[2], one), zero);
    const Lanes k11 = to_1.v[0], k12 = to_1.v[1], k22 = to_2.v[1];
    const Lanes d = pick(is_used, one / pick(is_used, k11 * k22 - k12 * k12, one), zero);
    c.tt[0] = k22 * d;
    c.tt[1] = -k12 * d;
    c.tt[2] = k11 * d;
}

IMPULS_INLINE void prepare_batch(Batch<4>& c, const Body* bodies, const Octet* given) {
    Lanes ba[8], bb[8];
    load(bodies, c.a, ba);
    load(bodies, c.b, bb);
    take_given(c, given);
    c.inv_a = ba[6];
    c.inv_b = bb[6];
    cross3(c.n, c.t1, c.t2);
    times(ba, c.t1, c.turn_a[0]);
    times(ba, c.t2, c.turn_a[1]);
    times(ba, c.n, c.turn_a[2]);
    times(bb, c.t1, c.turn_b[0]);
    times(bb, c.t2, c.turn_b[1]);
    times(bb, c.n, c.turn_b[2]);
    const Lanes zero = all(0), one = all(1);

    // Points from the nearer centre to begin with: rounding of a lever across a wide floor would be one of
    // the other's. Where nothing was borne yet, those that are deepest count.
    Lanes borne = zero, deepest = all(1e30f);
    LaneMask is_from_b{};
    for (int i = 0; i < 4; ++i) {
        Lanes point[8];  // levers from a and from b, separation, impulse
        load(given + 2 + i, c.given, point);
        if (i == 0) {
            is_from_b = dot3(point + 3, point + 3) < dot3(point, point);
            const Lanes to_a[3] = {point[3] - point[0], point[4] - point[1], point[5] - point[2]};
            const Lanes way[3] = {dot3(to_a, c.t1), dot3(to_a, c.t2), dot3(to_a, c.n)};
            for (int k = 0; k < 3; ++k) {
                c.ra[k] = pick(is_from_b, -way[k], zero);
                c.rb[k] = pick(is_from_b, zero, way[k]);
            }
        }
        const Lanes at[3] = {pick(is_from_b, point[3], point[0]), pick(is_from_b, point[4], point[1]),
                             pick(is_from_b, point[5], point[2])};
        c.x[i] = dot3(at, c.t1);
        c.y[i] = dot3(at, c.t2);
        c.z[i] = dot3(at, c.n);
        c.s0[i] = c.s[i] = point[6];
        c.p[i] = point[7];
        borne += c.p[i];
        deepest = smaller(deepest, pick(c.is_there[i] > zero, c.s0[i], deepest));
    }
    Lanes share[4];
    for (int i = 0; i < 4; ++i) {
        const Lanes fresh = pick(c.s0[i] <= deepest + c.slop, c.is_there[i], zero);
        share[i] = pick(borne > zero, c.p[i], fresh);
    }
    place(c, share);

    const Answers of(c);
    const Screw to_n = of.impulse(2), to_1 = of.moment(0), to_2 = of.moment(1);
    Lanes block[4][4];
    for (int i = 0, at = 0; i < 4; ++i) {
        Screw to;  // an impulse at this point
        for (int k = 0; k < 3; ++k) {
            to.v[k] = to_n.v[k] + (c.y[i] * to_1.v[k] - c.x[i] * to_2.v[k]);
            to.w[k] = to_n.w[k] + (c.y[i] * to_1.w[k] - c.x[i] * to_2.w[k]);
        }
        for (int j = 0; j <= i; ++j) {
            block[i][j] = speed_of(c, j, to) * (c.is_there[i] * c.is_there[j]);
            if (j < i) c.block[at++] = block[i][j];
        }
    }
    for (int i = 0; i < 4; ++i) {
        const LaneMask is = c.is_there[i] > zero;
        c.mass[i] = pick(is, one / pick(is, block[i][i], one), zero);
        block[i][i] = pick(is, block[i][i] * all(1.02f), one);
    }
    invert<4>(block, c.inverse);
    for (int i = 0, at = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j, ++at) c.inverse[at] *= c.is_there[i] * c.is_there[j];
}

IMPULS_INLINE void apply_batch(const Batch<4>& c, Motion* motion) {
    Six a = gather(motion, c.a), b = gather(motion, c.b);
    Screw p = sum_of(c, c.p);
    p.v[0] = c.p1;
    p.v[1] = c.p2;
    p.w[2] = c.pw;
    push(c, p, a, b);
    scatter(motion, c.a, a);
    scatter(motion, c.b, b);
}

// What impulses of the points before k do to its speed.
IMPULS_INLINE Lanes since(const Batch<4>& c, int k, const Lanes* p) {
    Lanes sum = all(0);
    for (int j = 0; j < k; ++j) sum += c.block[k * (k - 1) / 2 + j] * p[j];
    return sum;
}

// Normals as one block, impulses q from p and the residuals r. Points of a block that would pull are solved
// one after the other instead, clamped.
IMPULS_INLINE void solve_normals(const Batch<4>& c, const Lanes* r, const Lanes* share, Lanes* q) {
    const Lanes zero = all(0);
    const Lanes* i = c.inverse;
    const Lanes x[4] = {(i[0] * r[0] + i[1] * r[1]) + (i[3] * r[2] + i[6] * r[3]),
                        (i[1] * r[0] + i[2] * r[1]) + (i[4] * r[2] + i[7] * r[3]),
                        (i[3] * r[0] + i[4] * r[1]) + (i[5] * r[2] + i[8] * r[3]),
                        (i[6] * r[0] + i[7] * r[1]) + (i[8] * r[2] + i[9] * r[3])};
    for (int k = 0; k < 4; ++k) q[k] = share[k] * c.p[k] - x[k];
    const LaneMask pulls = smaller(smaller(q[0], q[1]), smaller(q[2], q[3])) < zero;
    if (!any(pulls)) return;
    Lanes change[4];
    for (int k = 0; k < 4; ++k) {
        const Lanes p = larger(share[k] * c.p[k] - (r[k] + share[k] * since(c, k, change)) * c.mass[k], zero);
        change[k] = p - c.p[k];
        q[k] = pick(pulls, p, q[k]);
    }
}

// Twist, then the tangents, within what the face can give under the load; their changes are added to p.
IMPULS_INLINE void solve_friction(Batch<4>& c, const Pass& pass, Lanes load, const Screw& u, Screw& p) {
    const Lanes limit = c.mu * load;
    const auto after = [&](Lanes x, const Lanes* follow) {
        return (x + follow[0] * p.v[2]) + (follow[1] * p.w[0] + follow[2] * p.w[1]);
    };
    Lanes v1 = after(u.v[0], c.follow_1), v2 = after(u.v[1], c.follow_2);
    const Lanes spin = after(u.w[2], c.follow_w);
    Lanes pw = c.pw - spin * c.w_mass;
    v1 += c.follow_1[3] * (pw - c.pw);
    v2 += c.follow_2[3] * (pw - c.pw);
    if (c.slides) {
        const Running surface(c, pass);
        v1 += surface.u1;
        v2 += surface.u2;
    }
    Lanes p1 = c.p1 - (c.tt[0] * v1 + c.tt[1] * v2), p2 = c.p2 - (c.tt[1] * v1 + c.tt[2] * v2);
    hold(c, limit, p1, p2, pw);
    p.v[0] = p1 - c.p1;
    p.v[1] = p2 - c.p2;
    p.w[2] = pw - c.pw;
    c.p1 = p1;
    c.p2 = p2;
    c.pw = pw;
}

// A manifold that was struck in this substep is solved in kRounds, so that normals and friction of its impact
// agree, with friction where it was struck. Separations are measured where the bodies are, and stay there
// until the next substep's sweeps have found their speeds.
template <bool kRelax>
IMPULS_INLINE void solve_batch(Batch<4>& c, const Pass& pass) {
    constexpr int kRounds = 4;
    Six a = gather(pass.motion, c.a), b = gather(pass.motion, c.b);
    const Lanes zero = all(0);
    Lanes v[4], r[4], share[4], q[4], change[4];
    if constexpr (kRelax) {
        const Screw way = between(c, gather(pass.moved, c.a), gather(pass.moved, c.b));
        for (int k = 0; k < 4; ++k) c.s[k] = c.s0[k] + speed_of(c, k, way);
    }
    const int rounds = kRelax && c.is_struck ? kRounds : 1;
    for (int round = 0; round < rounds; ++round) {
        Screw u = between(c, a, b);
        if (c.slides) u.v[2] += Running(c, pass).un;
        for (int k = 0; k < 4; ++k) {
            v[k] = speed_of(c, k, u);
            const ContactResidual x =
                contact_residual<kRelax>(c.s[k], v[k], c.p[k], c.slop, c.cap, pass.soft);
            r[k] = x.r;
            share[k] = x.share;
        }
        solve_normals(c, r, share, q);
        if constexpr (!kRelax) note_impacts<4>(c, v, q);
        for (int k = 0; k < 4; ++k) {
            change[k] = q[k] - c.p[k];
            c.p[k] = q[k];
        }
        const Lanes load = (q[0] + q[1]) + (q[2] + q[3]);
        Screw p = sum_of(c, change);
        if (kRelax && c.is_struck && round == 0) {
            push(c, p, a, b);
            Lanes part[4];
            for (int k = 0; k < 4; ++k) part[k] = pick(load > zero, q[k], c.is_there[k]);
            place(c, part);
            u = between(c, a, b);
            p = {};
        }
        solve_friction(c, pass, load, u, p);
        push(c, p, a, b);
    }
    if constexpr (kRelax) {
        for (int k = 0; k < 4; ++k) c.sum[k] += c.p[k];
        c.sum_1 += c.p1;
        c.sum_2 += c.p2;
        c.sum_w += c.pw;
    }
    scatter(pass.motion, c.a, a);
    scatter(pass.motion, c.b, b);
}

// One point after the other.
IMPULS_INLINE void correct_batch(Batch<4>& c, Motion* by, float part) {
    Six a = gather(by, c.a), b = gather(by, c.b);
    const Screw u = between(c, a, b);
    Lanes change[4];
    for (int k = 0; k < 4; ++k) {
        const Lanes p = corrected(c, k, speed_of(c, k, u) + since(c, k, change), part);
        change[k] = p - c.correction[k];
        c.correction[k] = p;
    }
    push(c, sum_of(c, change), a, b);
    scatter(by, c.a, a);
    scatter(by, c.b, b);
}

}  // namespace
}  // namespace impuls::block
