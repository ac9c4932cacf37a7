// Capsule against capsule: nearest points of the two axes s*ua and d + t*ub, s in [-ha, ha], t in [-hb, hb].
// The minimum is at one of five candidates: the crossing of the lines (where it lies inside both), or an end
// of one axis against the other; so parallel axes need no special case. Axes that run side by side give two
// points, at the ends of their overlap, with the separation along the common normal; others give one.
#include <algorithm>
#include <cmath>

#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

struct Axes {
    Vec3 d, ua, ub;
    double ha, hb;

    Vec3 gap(double s, double t) const { return d + ub * t - ua * s; }
    double nearest_on_a(double t) const { return clamp(dot(d + ub * t, ua), ha); }
    double nearest_on_b(double s) const { return clamp(dot(ua * s - d, ub), hb); }
};

struct AxisPoints {
    double s, t, squared;

    void offer(const Axes& x, double s2, double t2) {
        const double squared2 = length_squared(x.gap(s2, t2));
        if (squared2 < squared) *this = {s2, t2, squared2};
    }
};

AxisPoints nearest_points(const Axes& x) {
    AxisPoints best{-x.ha, x.nearest_on_b(-x.ha), 0};
    best.squared = length_squared(x.gap(best.s, best.t));
    best.offer(x, x.ha, x.nearest_on_b(x.ha));
    best.offer(x, x.nearest_on_a(-x.hb), -x.hb);
    best.offer(x, x.nearest_on_a(x.hb), x.hb);

    const double k = dot(x.ua, x.ub), da = dot(x.d, x.ua), db = dot(x.d, x.ub);
    const double sin_squared = length_squared(cross(x.ua, x.ub));
    if (sin_squared > kZero * kZero) {
        const double s = (da - k * db) / sin_squared, t = (k * da - db) / sin_squared;
        if (std::abs(s) < x.ha && std::abs(t) < x.hb) best.offer(x, s, t);
    }
    return best;
}

// Axes that meet have no direction between them: take the one across both.
Vec3 normal_of(const Axes& x, const AxisPoints& n, double radii, const Vec3& across_a) {
    const double distance = std::sqrt(n.squared);
    if (distance > kZero * radii) return x.gap(n.s, n.t) / distance;
    const Vec3 across = cross(x.ua, x.ub);
    return length_squared(across) > kZero ? normalized(across) : across_a;
}

// Ends are named along a's axis, whether a's or b's cap makes them, so that aligned pairs keep their ids. An
// end of b that stands on a's side (more than 60 degrees) is named along b's axis.
std::uint32_t feature_of(const Axes& x, const AxisPoints& n) {
    if (std::abs(n.s) >= x.ha) return n.s > 0 ? kHighEnd : kLowEnd;
    if (std::abs(n.t) < x.hb) return kSide;
    const double k = dot(x.ua, x.ub);
    if (std::abs(k) < 0.5) return n.t > 0 ? kHighEndOfB : kLowEndOfB;
    return (n.t > 0) == (k > 0) ? kHighEnd : kLowEnd;
}

}  // namespace

bool capsule_capsule(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                     Manifold& out) {
    const Axes x{X_WB.position - X_WA.position, rotate(X_WA.orientation, {0, 1, 0}),
                 rotate(X_WB.orientation, {0, 1, 0}), a.half.y, b.half.y};
    const double radii = a.radius + b.radius;
    const AxisPoints nearest = nearest_points(x);
    if (std::sqrt(nearest.squared) - radii > margin) return false;
    out.normal = normal_of(x, nearest, radii, rotate(X_WA.orientation, {1, 0, 0}));

    const auto separation_at = [&](double s, double t) { return dot(out.normal, x.gap(s, t)) - radii; };
    const auto add = [&](double s, double t, std::uint32_t feature) {
        const Vec3 on_a = x.ua * s + out.normal * a.radius, on_b = x.d + x.ub * t - out.normal * b.radius;
        add_point(out, X_WA.position + 0.5 * (on_a + on_b), separation_at(s, t), feature);
    };
    const auto side_by_side = [&](double s, double t) {
        const Vec3 gap = x.gap(s, t);
        return length(gap - out.normal * dot(out.normal, gap)) <= kDrift * std::min(a.radius, b.radius);
    };

    // The part of a's axis beside b's.
    const double b0 = dot(x.d - x.ub * x.hb, x.ua), b1 = dot(x.d + x.ub * x.hb, x.ua);
    const double low = std::min(std::max(-x.ha, std::min(b0, b1)), nearest.s);
    const double high = std::max(std::min(x.ha, std::max(b0, b1)), nearest.s);
    const double t_low = x.nearest_on_b(low), t_high = x.nearest_on_b(high);
    if (high - low > kShort * std::min(x.ha, x.hb) && side_by_side(low, t_low) &&
        side_by_side(high, t_high)) {
        if (separation_at(low, t_low) <= margin) add(low, t_low, kLowEnd);
        if (separation_at(high, t_high) <= margin) add(high, t_high, kHighEnd);
    }
    if (out.count == 0) add(nearest.s, nearest.t, feature_of(x, nearest));
    return true;
}

}  // namespace impuls::narrow
