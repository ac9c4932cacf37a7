// See time_of_impact.h.
#include "collision/sweep/time_of_impact.h"

#include <cmath>

namespace impuls {
namespace {

// Largest distance of the collider's points from its body's origin.
double reach_of(const Collider& c) {
    return length(c.X_BC.position) + reach(c);
}

// Of a plane only the part counts that the other body can get to.
ClosingBound bound_of(const Collider& a, const SteadyMotion& ma, const Collider& b, const SteadyMotion& mb,
                      double end) {
    ClosingBound bound{ma.velocity - mb.velocity, ma.angular_velocity, mb.angular_velocity, reach_of(a),
                       reach_of(b)};
    const double apart = length(ma.start.position - mb.start.position) + length(bound.velocity) * end;
    const double sum = bound.reach_a + bound.reach_b;
    if (a.kind == ColliderKind::Plane) bound.reach_a = apart + sum;
    if (b.kind == ColliderKind::Plane) bound.reach_b = apart + sum;
    return bound;
}

template <class Find>
ImpactAt find_impact(const Collider& a, const SteadyMotion& ma, const Collider& b, const SteadyMotion& mb,
                     double end, Find&& find) {
    Closest last;
    const auto distance = [&](double t) {
        last = closest(a, ma.at(t) * a.X_BC, b, mb.at(t) * b.X_BC);
        return last;
    };
    ImpactAt result;
    static_cast<Impact&>(result) = find(distance, bound_of(a, ma, b, mb, end));
    if (result.hit()) result.points = distance(result.t_touch);
    if (result.kind == Impact::Kind::Limit) result.points = distance(result.t);
    return result;
}

}  // namespace

ImpactAt time_of_impact(const Collider& a, const SteadyMotion& ma, const Collider& b, const SteadyMotion& mb,
                        double end, double target) {
    return find_impact(a, ma, b, mb, end, [&](auto& distance, const ClosingBound& bound) {
        return advance_to_impact(distance, bound, end, target);
    });
}

ImpactAt time_of_impact_by_bisection(const Collider& a, const SteadyMotion& ma, const Collider& b,
                                     const SteadyMotion& mb, double end, double target) {
    return find_impact(a, ma, b, mb, end, [&](auto& distance, const ClosingBound& bound) {
        return bisect_impact(distance, bound, end, target);
    });
}

}  // namespace impuls
