// Friction of manifolds spread over their faces (patches.h).
#include "steppers/impulse/patches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "steppers/patch.h"
#include "steppers/substep/contacts.h"

namespace impuls::impulse {
namespace {

// One manifold: its points, from one normal, follow each other.
class Face {
  public:
    Face(Impulse& s, std::size_t first, std::size_t count)
        : s_(s), pair_(pair_of(s, first)), points_(std::span(s.contacts.points).subspan(first, count)) {
        const Vec3 &n = points_[0].normal, away = points_[1].position - points_[0].position;
        const Vec3 across = away - n * dot(n, away);
        t1_ = normalized(length_squared(across) > 0 ? across : cross(n, Vec3{n.z, n.x, n.y}));
        t2_ = cross(n, t1_);
        for (std::size_t k = 0; k < count; ++k) {
            at_[k] = points_[k].position;
            flat_[k] = flat(at_[k] - at_[0]);
        }
    }

    void spread(double h) {
        const std::span<const Flat> all(flat_.data(), points_.size());
        const Patch patch = is_disk() ? Patch(flat(centre_ - at_[0]), radius_) : Patch(all);
        double mean = 0;
        for (const Flat& p : all) mean += distance(p, patch.centre()) / static_cast<double>(all.size());
        if (!(mean > 0) || !find_load()) return;
        double loaded = 0;
        std::array<PatchPoint, Patch::kMostCorners> points{};
        for (std::size_t k = 0; k < all.size(); ++k) {
            points[k] = {{all[k].x - middle_.x, all[k].y - middle_.y}, share_[k]};
            loaded += share_[k] * distance(all[k], middle_);
        }
        const double at_rest = patch.spread() / mean, size = loaded / mean;
        PatchGrip grip{at_rest, 1};
        const Vec3 middle = at_[0] + t1_ * middle_.x + t2_ * middle_.y;
        const Vec3 u = relative_velocity(s_, pair_, middle) + surface_velocity(s_, pair_.b) -
                       surface_velocity(s_, pair_.a);
        const auto& w = s_.problem.nodes.w;
        const double spin = dot(points_[0].normal, w[pair_.b] - w[pair_.a]), lever = patch.spread() * size;
        const Flat slip = flat(u);
        if (std::max(distance(slip, {}), std::abs(spin) * lever) > rest_speed(s_, pair_, h))
            grip = fit(patch, size, std::span(points.data(), all.size()), at_rest, slip, spin);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const double by = grip.scale - 1;
            points_[k].shift = t1_ * (by * points[k].at.x) + t2_ * (by * points[k].at.y);
            points_[k].grip = grip.grip;
        }
    }

  private:
    static double distance(const Flat& a, const Flat& b) {
        return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
    }
    Flat flat(const Vec3& v) const { return {dot(v, t1_), dot(v, t2_)}; }

    bool is_disk() {
        const std::span<const Vec3> all(at_.data(), points_.size());
        for (const bool is_a : {true, false}) {
            const Collider& collider = is_a ? *pair_.collider_a : *pair_.collider_b;
            const Pose& pose = s_.island.nodes[is_a ? pair_.a : pair_.b].pose;
            radius_ = collider.radius;
            if (is_rim(collider, pose * collider.X_BC, points_[0].normal, all, centre_)) return true;
        }
        return false;
    }

    // Shares of the load in the last substep; where there was none, all that touches bears alike.
    bool find_load() {
        double load = 0, deepest = points_[0].separation;
        for (const SubstepPoint& p : points_) {
            load += std::max(0.0, p.previous_n);
            deepest = std::min(deepest, p.separation);
        }
        double sum = 0;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            const bool is_near = points_[k].separation <= deepest + kSlop * pair_.size;
            share_[k] = load > 0 ? std::max(0.0, points_[k].previous_n) : is_near ? 1 : 0;
            sum += share_[k];
        }
        if (!(sum > 0)) return false;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            share_[k] /= sum;
            middle_.x += share_[k] * flat_[k].x;
            middle_.y += share_[k] * flat_[k].y;
        }
        return true;
    }

    Impulse& s_;
    const IslandPair& pair_;
    std::span<SubstepPoint> points_;
    Vec3 t1_{}, t2_{}, centre_{};
    double radius_ = 0;
    std::array<Vec3, Patch::kMostCorners> at_{};
    std::array<Flat, Patch::kMostCorners> flat_{};
    std::array<double, Patch::kMostCorners> share_{};
    Flat middle_{};  // of the load
};

bool belong_together(const Impulse& s, std::size_t k, std::size_t l) {
    const auto& c = s.contacts;
    return c.point_pair[k] == c.point_pair[l] && c.points[k].is_present && c.points[l].is_present &&
           c.points[k].normal == c.points[l].normal;
}

}  // namespace

void spread_friction(Impulse& s, double h) {
    auto& points = s.contacts.points;
    for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
        for (end = first + 1; end < points.size() && belong_together(s, first, end);) ++end;
        for (std::size_t k = first; k < end; ++k) {
            points[k].shift = {};
            points[k].grip = 1;
        }
        const std::size_t count = end - first;
        if (count < 2 || count > Patch::kMostCorners || points[first].position == points[first + 1].position)
            continue;
        Face(s, first, count).spread(h);
    }
}

}  // namespace impuls::impulse
