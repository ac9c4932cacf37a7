// See time_of_impact.h.
#include "collision/sweep/time_of_impact.h"

#include <cmath>

#include "collision/distance/piece_search.h"

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

// With a surface the nearest pair of pieces says nothing about the others: what goes away from this wall may
// come to that one. Each pair stays apart for a time of its own; the shortest of them is safe for all.
struct TimeCost {
    ClosingBound bound{};  // in a's frame
    double target = 0;

    double operator()(double gap, const Vec3& n) const {
        const double speed = bound.along(n);
        return speed > 0 ? (gap - 0.5 * target) / speed : kNoLimit;
    }
    double reach(double time) const { return time * bound.any_direction() + target; }
    double enough(double time) const { return kPart * time; }
    // Of the shortest time: where many pairs are about as far apart, the search need not tell them apart.
    static constexpr double kPart = 0.98;
};

ImpactAt advance_surfaces(const Collider& a, const SteadyMotion& ma, const Collider& b,
                          const SteadyMotion& mb, double end, double target) {
    const Pieces pieces_a(a), pieces_b(b);
    const ClosingBound bound = bound_of(a, ma, b, mb, end);
    ImpactAt impact;
    impact.points = closest(a, ma.start * a.X_BC, b, mb.start * b.X_BC, target);
    if (impact.points.distance <= target && !impact.points.beyond) {
        impact.kind = Impact::Kind::Initial;
        return impact;
    }
    for (impact.evaluations = 1; impact.evaluations < kMaxImpactSteps; ++impact.evaluations) {
        const Pose X_WA = ma.at(impact.t) * a.X_BC, X_WB = mb.at(impact.t) * b.X_BC;
        const auto in_a = [&](const Vec3& v) { return rotate_inverse(X_WA.orientation, v); };
        const TimeCost cost{
            {in_a(bound.velocity), in_a(bound.spin_a), in_a(bound.spin_b), bound.reach_a, bound.reach_b},
            target};
        const PieceSearch search(pieces_a, pieces_b, relative_pose(X_WA, X_WB), cost, end - impact.t);
        if (search.found().beyond) {
            impact.t = impact.t_touch = end;
            return impact;
        }
        impact.points = into_world(search.found(), X_WA);
        if (impact.points.distance <= target) {
            impact.kind = Impact::Kind::Touch, impact.t_touch = impact.t;
            return impact;
        }
        impact.t += TimeCost::kPart * search.cost();
    }
    impact.kind = Impact::Kind::Limit, impact.t_touch = end;
    return impact;
}

}  // namespace

ImpactAt time_of_impact(const Collider& a, const SteadyMotion& ma, const Collider& b, const SteadyMotion& mb,
                        double end, double target) {
    const auto is_any = [&](ColliderKind kind) { return a.kind == kind || b.kind == kind; };
    if ((is_surface(a) || is_surface(b)) && !is_any(ColliderKind::Plane))
        return advance_surfaces(a, ma, b, mb, end, target);
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
