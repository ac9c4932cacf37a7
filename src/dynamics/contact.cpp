// Matching contact points from one narrow phase to the next, and the contact law's numbers (contact.h).
#include "dynamics/contact.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

void take_over(const ContactPoint& from, ContactPoint& to) {
    to.impulse_n = from.impulse_n;
    to.impulse_t = from.impulse_t;
    to.previous_n = from.previous_n;
    to.previous_t = from.previous_t;
    to.is_hit = from.is_hit;
    to.approach = from.approach;
    to.remaining = from.remaining;
    to.sum = from.sum;
}

}  // namespace

void match_points(const PairKey& key, const Manifold& manifold, std::vector<ContactPoint>::iterator old_begin,
                  std::vector<ContactPoint>::iterator old_end, double reach, std::vector<ContactPoint>& out) {
    const std::size_t first = out.size();
    std::uint32_t taken = 0;  // bit per old point; pairs hold few
    const auto old_count = std::min<std::ptrdiff_t>(old_end - old_begin, 32);
    std::uint32_t is_new = 0;
    for (int k = 0; k < manifold.count; ++k) {
        ContactPoint point;
        point.key = key;
        point.feature = manifold.points[k].feature;
        point.is_present = true;
        point.position = manifold.points[k].position;
        point.normal = manifold.normal;
        point.separation = manifold.points[k].separation;
        is_new |= 1u << k;
        for (std::ptrdiff_t o = 0; o < old_count; ++o)
            if (!(taken >> o & 1) && old_begin[o].feature == point.feature) {
                take_over(old_begin[o], point);
                taken |= 1u << o;
                is_new &= ~(1u << k);
                break;
            }
        out.push_back(point);
    }
    for (int k = 0; k < manifold.count; ++k) {
        if (!(is_new >> k & 1)) continue;
        std::ptrdiff_t nearest = -1;
        double best = reach * reach;
        for (std::ptrdiff_t o = 0; o < old_count; ++o) {
            const double d2 = length_squared(old_begin[o].position - out[first + k].position);
            if (!(taken >> o & 1) && old_begin[o].is_present && d2 < best) best = d2, nearest = o;
        }
        if (nearest < 0) continue;
        take_over(old_begin[nearest], out[first + k]);
        taken |= 1u << nearest;
    }
    for (std::ptrdiff_t o = 0; o < old_count; ++o) {
        if (taken >> o & 1 || old_begin[o].sum == Vec3{}) continue;
        ContactPoint gone = old_begin[o];
        gone.is_present = false;
        gone.is_hit = false;
        gone.impulse_n = gone.previous_n = gone.approach = 0;
        gone.impulse_t = gone.previous_t = {};
        out.push_back(gone);
    }
}

double displacement_bias(double separation, double size, double h) {
    if (separation > 0) return separation / h;
    return kRecovery * std::min(0.0, separation + kSlop * size) / h;
}

double impact_speed(double separation, double vn, double an) {
    if (separation <= 0) return std::max(0.0, -vn);
    const double squared = vn * vn - 2 * an * separation;
    return vn < 0 || an < 0 ? std::sqrt(std::max(0.0, squared)) : 0;
}

}  // namespace impuls
