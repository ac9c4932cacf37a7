// Matching contact points from one narrow phase to the next, and the contact law's numbers (contact.h).
#include "dynamics/contact.h"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace impuls {
namespace {

Vec3 impulse_of(const SubstepPoint& point) {
    return point.normal * point.impulse_n + point.impulse_t;
}

// What a point has given pushes along the normal of its successor, too: where normals flip, nothing is handed
// on.
bool still_pushes(const ContactPoint& from, const Vec3& normal, OldPoints are) {
    return are == OldPoints::OfLastStep || dot(from.sum, normal) >= 0;
}
bool still_pushes(const SubstepPoint& from, const Vec3& normal, OldPoints) {
    return dot(from.sum, normal) >= 0 && dot(impulse_of(from), normal) >= 0;
}

void take_over(const ContactPoint& from, ContactPoint& to) {
    to.previous_n = from.previous_n;
    to.previous_t = from.previous_t;
    to.previous_torque = from.previous_torque;
    to.is_sliding = from.is_sliding;
    to.is_fresh = false;
    to.substeps = from.substeps;
    to.sum = from.sum;
}
void take_over(const SubstepPoint& from, SubstepPoint& to) {
    take_over(static_cast<const ContactPoint&>(from), static_cast<ContactPoint&>(to));
    to.impulse_n = from.impulse_n;
    to.impulse_t = from.impulse_t;
    const double given = std::min(dot(impulse_of(from), to.normal), dot(from.sum, to.normal));
    to.least_n = std::max(0.0, from.impulse_n - given);
    to.torque_impulse = from.torque_impulse;
    to.frozen = from.frozen;
    to.levers = from.levers;
    to.is_hit = from.is_hit;
    to.approach = from.approach;
    to.remaining = from.remaining;
    to.shift = from.shift;
    to.grip = from.grip;
}

void forget_impulses(ContactPoint& point) {
    point.previous_n = 0;
    point.previous_t = point.previous_torque = {};
}
void forget_impulses(SubstepPoint& point) {
    forget_impulses(static_cast<ContactPoint&>(point));
    point.is_hit = false;
    point.impulse_n = point.least_n = point.approach = 0;
    point.impulse_t = point.torque_impulse = point.frozen = {};
}

Rounded3 low_part(const Vec3& v, const Rounded3& high) {
    return Rounded3(v - Vec3(high));
}

}  // namespace

PointLevers PointLevers::of(const ContactPoint& point) {
    if (!(point.found_within < 0)) return {};
    return {Vec3(point.anchor_a) + Vec3(point.normal_a), Vec3(point.anchor_b) + Vec3(point.normal_b), true};
}

void PointLevers::keep(ContactPoint& point) const {
    point.found = 0;
    point.found_within = is_known ? -1.0f : 0.0f;
    point.anchor_a = Rounded3(a);
    point.normal_a = low_part(a, point.anchor_a);
    point.anchor_b = Rounded3(b);
    point.normal_b = low_part(b, point.anchor_b);
}

template <class Points>
void match_points(const PairKey& key, std::span<const Manifold> manifolds,
                  std::span<const typename Points::value_type> old, double reach, Points& out,
                  OldPoints are) {
    using Point = typename Points::value_type;
    constexpr std::size_t kMost = 256;  // points of one pair that can be matched; the rest starts afresh
    const std::size_t first = out.size();
    std::bitset<kMost> taken, is_old;
    const std::size_t old_count = std::min(old.size(), kMost);
    for (const Manifold& manifold : manifolds)
        for (int k = 0; k < manifold.count; ++k) {
            const ManifoldPoint& from = manifold.points[static_cast<std::size_t>(k)];
            Point& point = out.emplace_back(Point{});
            point.key = key;
            point.feature = from.feature;
            point.is_present = true;
            point.is_fresh = true;
            point.position = from.position;
            point.normal = manifold.normal;
            point.separation = from.separation;
            for (std::size_t o = 0; o < old_count; ++o)
                if (!taken[o] && old[o].feature == point.feature && still_pushes(old[o], point.normal, are)) {
                    take_over(old[o], point);
                    taken[o] = true;
                    if (out.size() - first <= kMost) is_old[out.size() - first - 1] = true;
                    break;
                }
        }
    const std::size_t count = std::min(out.size() - first, kMost);
    for (std::size_t k = 0; k < count; ++k) {
        if (is_old[k]) continue;
        std::size_t nearest = old_count;
        double best = reach * reach;
        for (std::size_t o = 0; o < old_count; ++o) {
            const double d2 = length_squared(old[o].position - out[first + k].position);
            if (!taken[o] && old[o].is_present && d2 < best &&
                still_pushes(old[o], out[first + k].normal, are)) {
                best = d2;
                nearest = o;
            }
        }
        if (nearest == old_count) continue;
        take_over(old[nearest], out[first + k]);
        taken[nearest] = true;
    }
    if (are == OldPoints::OfLastStep) {
        for (std::size_t k = first; k < out.size(); ++k) out[k].sum = {};
        return;
    }
    for (std::size_t o = 0; o < old_count; ++o) {
        if (taken[o] || old[o].sum == Vec3{}) continue;
        Point gone = old[o];
        gone.is_present = false;
        forget_impulses(gone);
        out.push_back(gone);
    }
}
template void match_points(const PairKey&, std::span<const Manifold>, std::span<const ContactPoint>, double,
                           ContactPoints&, OldPoints);
template void match_points(const PairKey&, std::span<const Manifold>, std::span<const SubstepPoint>, double,
                           std::vector<SubstepPoint>&, OldPoints);

ContactSpring contact_spring(double separation, const ContactLaw& law, double t) {
    const double stretched = t + (separation > 0 ? 0 : law.compliance * law.damping);
    return {separation / stretched, law.compliance / (t * stretched)};
}

double impact_speed(double separation, double vn, double an) {
    if (separation <= 0) return std::max(0.0, -vn);
    const double squared = vn * vn - 2 * an * separation;
    return vn < 0 || an < 0 ? std::sqrt(std::max(0.0, squared)) : 0;
}

}  // namespace impuls
