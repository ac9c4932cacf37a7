// v += h g, velocities that close gaps and open depths, x += h v (pile.h).
#include "reference/pile.h"

#include <algorithm>

#include "collision/narrow/narrow.h"
#include "dynamics/contact.h"
#include "math/rotation.h"

namespace impuls::reference {

Pile::Pile(PointsOfPair points) : points_(points) {
    Collider floor;
    floor.kind = ColliderKind::Plane;
    colliders_.push_back(floor);
    poses_.emplace_back(), starts_.emplace_back(), inv_moments_.emplace_back();
    auto& n = problem_.nodes;
    n.inv_mass.push_back(0), n.inv_inertia.push_back(diagonal({})), n.v.emplace_back(), n.w.emplace_back();
}

void Pile::add_box(const Vec3& size, double density, const Vec3& position) {
    Collider box;
    box.kind = ColliderKind::Box;
    box.half = size * 0.5;
    box.size = std::min({box.half.x, box.half.y, box.half.z});
    colliders_.push_back(box);
    poses_.push_back({position, {}}), starts_.push_back(position);
    const double mass = density * size.x * size.y * size.z, f = 12 / mass;
    const auto square = [](double a, double b) { return a * a + b * b; };
    inv_moments_.push_back(
        {f / square(size.y, size.z), f / square(size.z, size.x), f / square(size.x, size.y)});
    auto& n = problem_.nodes;
    n.inv_mass.push_back(1 / mass), n.inv_inertia.push_back(diagonal(inv_moments_.back()));
    n.v.emplace_back(), n.w.emplace_back();
}

void Pile::find_pairs(double reach) {
    for (std::uint32_t a = 0; a < colliders_.size(); ++a)
        for (std::uint32_t b = a + 1; b < colliders_.size(); ++b)
            if (collide(colliders_[a], poses_[a], colliders_[b], poses_[b], reach, manifolds_))
                pairs_.emplace_back(a, b);
}

void Pile::add_contact(std::size_t pair, const Vec3& normal, const ManifoldPoint& point, double h) {
    const auto [a, b] = pairs_[pair];
    auto& c = problem_.contacts;
    const auto r =
        c.add(a, b, normal, point.position - poses_[a].position, point.position - poses_[b].position);
    c.friction[r] = friction;
    // A gap may close, and a share of the depth beyond the slop shrinks.
    const double s = point.separation;
    c.bias[r] = (s > 0 ? s : kRecovery * std::min(0.0, s + kSlop * colliders_[b].size)) / h;
    names_.emplace_back(pair, point.feature);
    const auto before = impulses_.find(names_.back());
    if (before == impulses_.end()) return;
    c.guess_n[r] = dot(before->second, normal);
    c.guess_1[r] = dot(before->second, c.t1[r]), c.guess_2[r] = dot(before->second, c.t2[r]);
}

void Pile::find_contacts(double h) {
    problem_.contacts.clear(), names_.clear();
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const auto [a, b] = pairs_[p];
        manifolds_.clear();
        collide(colliders_[a], poses_[a], colliders_[b], poses_[b], 0.01 * colliders_[b].size, manifolds_);
        for (const Manifold& m : manifolds_) {
            int deepest = 0;
            for (int k = 1; k < m.count; ++k)
                if (m.points[k].separation < m.points[deepest].separation) deepest = k;
            for (int k = 0; k < m.count; ++k)
                if (points_ == PointsOfPair::All || k == deepest) add_contact(p, m.normal, m.points[k], h);
        }
    }
}

void Pile::keep_impulses() {
    const auto& c = problem_.contacts;
    impulses_.clear();
    for (std::size_t r = 0; r < c.size(); ++r)
        impulses_[names_[r]] = c.n[r] * c.impulse_n[r] + c.t1[r] * c.impulse_1[r] + c.t2[r] * c.impulse_2[r];
}

void Pile::step(double h) {
    constexpr int kSweeps = 20;
    auto& n = problem_.nodes;
    for (std::size_t k = 1; k < poses_.size(); ++k) {
        n.v[k].y -= h * gravity;
        n.inv_inertia[k] = turned_diagonal(poses_[k].orientation, inv_moments_[k]);
    }
    find_contacts(h);
    solver_.solve(problem_, {kSweeps});
    keep_impulses();
    for (std::size_t k = 1; k < poses_.size(); ++k) {
        poses_[k].position += n.v[k] * h;
        poses_[k].orientation = turned(poses_[k].orientation, n.w[k] * h);
    }
}

double Pile::shift() const {
    double farthest = 0;
    for (std::size_t k = 1; k < poses_.size(); ++k)
        farthest = std::max(farthest, length(poses_[k].position - starts_[k]));
    return farthest;
}

}  // namespace impuls::reference
