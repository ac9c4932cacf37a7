// Friction and twist of a face, together (steppers/patch.h has the law): part of kernel_body.h, in an unnamed
// namespace for the same reason. Impulses that a manifold would need to stick are brought back to what its
// face can give. Called by manifold_body.h in every sweep.
#pragma once

#include "solvers/blocks/law_body.h"

namespace impuls::block {
namespace {

// What a face of mean distance r from its centre can give at most: F = mu N f and M = mu N r m with
//     m = g R,   g^2 = 1 - f^2,   R = 1 - 0.25 f^2 - 0.0363 f^4 + 0.0358 f^6
// (within 1 % for uniform pressure on a disk, 2 % on a square: patch.h). In t: f = 2t/(1 + t^2).
struct FaceLimit {
    Lanes f, g, f2, r, m;
    IMPULS_INLINE explicit FaceLimit(Lanes t) {
        const Lanes one = all(1), t2 = t * t, q = one / (one + t2);
        f = all(2) * t * q;
        g = (one - t2) * q;
        f2 = f * f;
        r = one - f2 * (all(0.25f) + f2 * (all(0.0363f) - f2 * all(0.0358f)));
        m = g * r;
    }
    IMPULS_INLINE Lanes steepness() const {  // - g/f dm/df
        return r + all(2) * g * g * (all(0.25f) + f2 * (all(0.0726f) - f2 * all(0.1074f)));
    }
};

// Impulses beyond that limit: to the nearest within it by the energy of the change, so that what slip and
// spin they leave is what they oppose. Nearest to f', m', with the ratio e of the inverse masses, is where
//     (f' - f) g = e (m' - m) f (R - 2 g^2 dR/df^2):
// found by halving and by secants. Not inline: sweeps over what rests need the registers.
[[gnu::noinline]] inline void slide(const Batch<4>& c, const Lanes& limit, Lanes& p1, Lanes& p2, Lanes& pw) {
    constexpr float kFar = 1e3f;        // of f and m: beyond it nothing changes
    constexpr float kStraight = 0.02f;  // of m: below it, what slides does not spin
    const Lanes zero = all(0), one = all(1), far = all(kFar), turning = limit * c.radius;
    const LaneMask bears = limit > zero, turns = turning > zero;
    p1 = pick(bears, p1, zero);
    p2 = pick(bears, p2, zero);
    pw = pick(turns, pw, zero);
    const Lanes size = root(p1 * p1 + p2 * p2), turn = larger(pw, -pw),
                f0 = smaller(size / pick(bears, limit, one), far),
                m0 = smaller(turn / pick(turns, turning, one), far), f1 = smaller(f0, one);
    Lanes low = zero, high = f1 / (one + root(one - f1 * f1)), t = high;
    const FaceLimit at_most(high);
    const LaneMask slips = (f0 > one) | (m0 > at_most.m);
    if (!any(slips)) return;
    if (!any(slips & (m0 > all(kStraight)))) {
        const Lanes back = pick(size > limit, limit / pick(size > zero, size, one), one);
        p1 *= back;
        p2 *= back;
        return;
    }
    const LaneMask is_free = c.w_mass > zero;
    const Lanes e = all(0.5f) * c.radius * c.radius * (c.tt[0] + c.tt[2]) *
                    pick(is_free, one / pick(is_free, c.w_mass, one), zero);
    const auto lack = [&](const FaceLimit& at) {
        return (f0 - at.f) * at.g - e * (m0 - at.m) * at.f * at.steepness();
    };
    Lanes at_low = f0, at_high = lack(at_most);
    constexpr int kHalvings = 1, kSecants = 2;
    for (int k = 0; k < kHalvings + kSecants; ++k) {
        const Lanes fall = at_low - at_high,
                    share = k < kHalvings ? all(0.5f)
                                          : pick(fall > zero, at_low / pick(fall > zero, fall, one), one);
        t = low + (high - low) * share;
        const Lanes now = lack(FaceLimit(t));
        const LaneMask is_low = now > zero;
        low = pick(is_low, t, low);
        at_low = pick(is_low, now, at_low);
        high = pick(is_low, high, t);
        at_high = pick(is_low, at_high, now);
    }
    const FaceLimit at(t);
    const auto part = [&](Lanes allowed, Lanes of) {
        return pick(slips & (of > allowed), allowed / pick(of > zero, of, one), one);
    };
    const Lanes tangential = part(limit * at.f, size);
    p1 *= tangential;
    p2 *= tangential;
    pw *= part(turning * at.m, turn);
}

IMPULS_INLINE void hold(const Batch<4>& c, Lanes limit, Lanes& p1, Lanes& p2, Lanes& pw) {
    constexpr float kSurely = 0.86f;  // of f^2 + m^2, on the limit
    const Lanes p = p1 * p1 + p2 * p2, most = all(kSurely) * limit * limit, r2 = c.radius * c.radius;
    if (any((p * r2 + pw * pw > most * r2) | (p > most))) slide(c, limit, p1, p2, pw);
}

}  // namespace
}  // namespace impuls::block
