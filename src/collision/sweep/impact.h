// When two moving bodies first touch, from nothing but their distance at given times. No point of body i
// moves faster along a unit vector n than v_i.n + |w_i x n| r_i, r_i the largest distance of its points from
// its centre of rotation; so a gap d along n stays open for d / (closing speed bound). Conservative
// advancement (Mirtich 1996; Zhang, Lee, Kim, SIGGRAPH 2006) steps forward by such safe times; bisection
// takes the distance in the middle of an interval, drops the part it proves free, and looks at the rest,
// earlier part first. Neither passes a contact, however fast or thin the bodies. `distance(t)` returns an
// object with `distance` and the unit `normal` from a to b. Called by shape casts, continuous collision and
// the collision component.
#pragma once

#include <array>
#include <cmath>

#include "collision/sweep/motion.h"

namespace impuls {

struct Impact {
    enum class Kind {
        None,     // no contact up to the end
        Touch,    // at t the distance is between zero and the target
        Initial,  // closer than the target, or overlapping, from the beginning
        Limit     // ran out of steps: free up to t, not known beyond
    };
    Kind kind = Kind::None;
    double t = 0;        // free up to here
    double t_touch = 0;  // not farther apart than the target here; >= t
    int evaluations = 0;
    bool hit() const { return kind == Kind::Touch || kind == Kind::Initial; }
};

// How fast the bodies can approach each other along n (from a to b).
struct ClosingBound {
    Vec3 velocity{};  // of a relative to b
    Vec3 spin_a{}, spin_b{};
    double reach_a = 0, reach_b = 0;

    double along(const Vec3& n) const {
        return dot(velocity, n) + length(cross(spin_a, n)) * reach_a + length(cross(spin_b, n)) * reach_b;
    }
    double any_direction() const {
        return length(velocity) + length(spin_a) * reach_a + length(spin_b) * reach_b;
    }
};

inline constexpr int kMaxImpactSteps = 256;

// The first time in [0, end] at which the distance is at most `target` (> 0), and not below half of it.
template <class Distance>
Impact advance_to_impact(Distance&& distance, const ClosingBound& bound, double end, double target) {
    Impact impact;
    while (impact.evaluations < kMaxImpactSteps) {
        const auto closest = distance(impact.t);
        ++impact.evaluations;
        if (closest.distance <= target) {
            impact.kind = impact.t > 0 ? Impact::Kind::Touch : Impact::Kind::Initial;
            impact.t_touch = impact.t;
            return impact;
        }
        const double speed = bound.along(closest.normal);
        const double room = closest.distance - 0.5 * target;
        if (!(speed * (end - impact.t) > room)) {
            impact.kind = Impact::Kind::None, impact.t = impact.t_touch = end;
            return impact;
        }
        impact.t += room / speed;
    }
    impact.kind = Impact::Kind::Limit, impact.t_touch = end;
    return impact;
}

// Brackets the first touch: free (by proof) up to t, not farther apart than `target` at t_touch, with
// t_touch - t at most target / (largest closing speed).
template <class Distance>
Impact bisect_impact(Distance&& distance, const ClosingBound& bound, double end, double target) {
    struct Interval {
        double from, to;
    };
    std::array<Interval, 64> stack;  // later parts wait below earlier ones
    std::size_t depth = 0;
    const double speed = bound.any_direction();
    Impact impact;
    impact.evaluations = 1;
    if (distance(0.0).distance <= target) {
        impact.kind = Impact::Kind::Initial;
        return impact;
    }
    double touched = -1;  // earliest time known to touch
    stack[depth++] = {0, end};
    while (depth > 0) {
        const Interval part = stack[--depth];
        if (part.to <= part.from) continue;
        if (part.to == touched && (part.to - part.from) * speed <= target) {
            impact.kind = Impact::Kind::Touch, impact.t = part.from, impact.t_touch = touched;
            return impact;
        }
        if (impact.evaluations == kMaxImpactSteps || depth + 2 > stack.size()) {
            impact.kind = Impact::Kind::Limit, impact.t = part.from,
            impact.t_touch = touched >= 0 ? touched : end;
            return impact;
        }
        const double middle = 0.5 * (part.from + part.to), d = distance(middle).distance;
        ++impact.evaluations;
        if (d <= target) {
            depth = 0;  // later parts no longer matter
            touched = middle;
            stack[depth++] = {part.from, middle};
            continue;
        }
        const double free = speed > 0 ? d / speed : end;
        stack[depth++] = {middle + free, part.to};
        stack[depth++] = {part.from, middle - free};
    }
    if (touched >= 0) {  // all before the touch was proved free
        impact.kind = Impact::Kind::Touch, impact.t = impact.t_touch = touched;
        return impact;
    }
    impact.t = impact.t_touch = end;
    return impact;
}

}  // namespace impuls
