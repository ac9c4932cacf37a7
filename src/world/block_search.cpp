// Contacts of an island by blocks (block_work.h): the narrow phase of all pairs, or what it found before.
//
// A pair that has hardly moved relative to itself since its contacts were found keeps them: each point is a
// point of either body, and its gap is what lies between the two now. Kept for pairs whose points have slid,
// and whose bodies have turned, by less than kKept of their size: features that were beyond the margin then
// still do not touch. All of it follows from the points, which are part of the state.
#include <algorithm>
#include <cmath>

#include "collision/narrow/narrow.h"
#include "collision/narrow/reduce.h"
#include "world/block_work.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kKept = 5e-3;  // of the size; the margin is at least 0.02

// Where a pair's bodies are now; an anchor as point of both.
struct PairPlace {
    Vec3 at_a, at_b;
    Mat3 turn_a, turn_b;
    PairPlace(const Pose& a, const Pose& b)
        : at_a(a.position),
          at_b(b.position),
          turn_a(to_matrix(a.orientation)),
          turn_b(to_matrix(b.orientation)) {}
    Vec3 on_a(const ContactPoint& point) const { return at_a + turn_a * point.anchor_a; }
    Vec3 on_b(const ContactPoint& point) const { return at_b + turn_b * point.anchor_b; }
};

}  // namespace

// Points that pair p had: in the last step, or in the last pass.
std::span<const ContactPoint> BlockWork::old_points(std::size_t p, bool is_first) const {
    if (!is_first) return std::span(old_points_).subspan(old_start_[p], old_start_[p + 1] - old_start_[p]);
    const auto& contacts = world_->contacts;
    const std::size_t begin = world_->old_contacts[pairs_[p].pair];
    std::size_t end = begin;
    while (end < contacts.size() && contacts[end].key == pairs_[p].key && contacts[end].is_present) ++end;
    return std::span(contacts).subspan(begin, end - begin);
}

bool BlockWork::are_spheres(const PairPart& pair) const {
    return pair.collider_a->kind == ColliderKind::Sphere && pair.collider_b->kind == ColliderKind::Sphere;
}

bool BlockWork::can_keep(const PairPart& pair, std::span<const ContactPoint> old) const {
    if (old.empty()) return false;
    const PairPlace now(nodes_[pair.a].pose, nodes_[pair.b].pose);
    const double most = kKept * pair.law.size;
    const double radius =
        std::max(world_->bodies.radius[nodes_[pair.a].body], world_->bodies.radius[nodes_[pair.b].body]);
    Vec3 n;
    for (std::size_t k = 0; k < old.size(); ++k) {
        const ContactPoint& point = old[k];
        if (!point.is_anchored) return false;
        if (k == 0 || point.normal_a != old[k - 1].normal_a) {
            n = now.turn_a * point.normal_a;
            const Vec3 turned = n - now.turn_b * point.normal_b;
            if (length_squared(turned) * (radius * radius) > most * most) return false;
        }
        // Relative to how it was found, where the ends were `found` apart along the normal: slid and closed.
        if (length_squared(now.on_b(point) - now.on_a(point) - n * point.found) > most * most) return false;
    }
    return true;
}

// Narrow phase of the pairs that need one, each into its cache. Two spheres are sooner asked than looked up.
void BlockWork::search(double h, bool is_first) {
    world_->executor->parallel_for(pairs_.size(), 128, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            PairPart& pair = pairs_[p];
            const double way = way_of(pair, h);
            pair.margin = rounded_margin(pair.law.size, 0.01 * pair.law.size + way);
            pair.is_kept = is_first && way < 0.01 * pair.law.size && can_keep(pair, old_points(p, is_first));
            if (!are_spheres(pair) && !pair.is_kept)
                contacts_between(*pair.collider_a, nodes_[pair.a].pose, *pair.collider_b, nodes_[pair.b].pose,
                                 pair.margin, *pair.cache);
        }
    });
}

const std::vector<Manifold>& BlockWork::contacts_of(const PairPart& pair) {
    if (!are_spheres(pair)) return pair.cache->contact.manifolds;
    const Collider &a = *pair.collider_a, &b = *pair.collider_b;
    spheres_.clear();
    collide(a, nodes_[pair.a].pose * a.X_BC, b, nodes_[pair.b].pose * b.X_BC, pair.margin, spheres_);
    return spheres_;
}

// The old points where they are now; those of a manifold follow each other and have one normal.
void BlockWork::keep(std::size_t p, std::span<const ContactPoint> old) {
    const PairPart& pair = pairs_[p];
    const PairPlace now(nodes_[pair.a].pose, nodes_[pair.b].pose);
    Vec3 n;
    for (std::size_t k = 0; k < old.size(); ++k) {
        ContactPoint& point = results_->point.emplace_back(old[k]);
        point.sum = {};
        if (k == 0 || point.normal_a != old[k - 1].normal_a) n = now.turn_a * point.normal_a;
        const Vec3 on_a = now.on_a(point), on_b = now.on_b(point);
        point.normal = n;
        point.separation = dot(on_b - on_a, point.normal);
        point.position = (on_a + on_b) * 0.5;
        const auto number = static_cast<std::uint32_t>(results_->point.size() - 1);
        if (k > 0 && old[k].normal_a == old[k - 1].normal_a && parts_.back().count < BlockContacts::kPoints)
            ++parts_.back().count;
        else
            parts_.push_back({static_cast<std::uint32_t>(p), number, 1, 0, false});
    }
}

void BlockWork::anchor(const PairPart& pair, std::size_t first) {
    const Pose to_a = inverse(nodes_[pair.a].pose), to_b = inverse(nodes_[pair.b].pose);
    for (std::size_t k = first; k < results_->point.size(); ++k) {
        ContactPoint& point = results_->point[k];
        if (!point.is_present) continue;
        const Vec3 half = point.normal * (0.5 * point.separation);
        point.anchor_a = to_a * (point.position - half), point.anchor_b = to_b * (point.position + half);
        point.normal_a = rotate(to_a.orientation, point.normal);
        point.normal_b = rotate(to_b.orientation, point.normal);
        point.found = point.separation;
        point.is_anchored = true;
    }
}

void BlockWork::find_contacts(double h, bool is_first) {
    if (!is_first) {
        old_points_.assign(results_->point.begin() + static_cast<std::ptrdiff_t>(first_),
                           results_->point.end());
        results_->point.resize(first_), results_->pair.resize(first_);
        next_start_.swap(old_start_);
    }
    parts_.clear(), next_start_.clear();
    search(h, is_first);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const PairPart& pair = pairs_[p];
        auto first = static_cast<std::uint32_t>(results_->point.size());
        next_start_.push_back(first - static_cast<std::uint32_t>(first_));
        if (pair.is_kept) {
            keep(p, old_points(p, is_first));
        } else {
            const auto& found = contacts_of(pair);
            const bool is_small = std::all_of(found.begin(), found.end(), [](const Manifold& m) {
                return m.count <= BlockContacts::kPoints;
            });
            if (!is_small) {
                manifolds_.assign(found.begin(), found.end());
                for (Manifold& m : manifolds_) reduce(m, BlockContacts::kPoints, kSlop * pair.law.size);
            }
            const auto& used = is_small ? found : manifolds_;
            match_points(pair.key, used, old_points(p, is_first), 0.2 * pair.law.size, results_->point,
                         is_first ? OldPoints::OfLastStep : OldPoints::OfThisStep);
            if (!are_spheres(pair)) anchor(pair, first);
            for (const Manifold& m : used) {
                const auto count = static_cast<std::uint32_t>(m.count);
                if (count > 0) parts_.push_back({static_cast<std::uint32_t>(p), first, count, 0, false});
                first += count;
            }
        }
        results_->pair.resize(results_->point.size(), pair.pair);
    }
    next_start_.push_back(static_cast<std::uint32_t>(results_->point.size() - first_));
}

}  // namespace impuls
