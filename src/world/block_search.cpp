// Contacts of an island by blocks (block_work.h): the narrow phase of all pairs, or what it found before.
//
// A pair that has hardly moved relative to itself since its contacts were found keeps them: each point is a
// point of either body, and its gap is what lies between the two now. Kept for pairs whose points have slid,
// and whose bodies have turned, by less than kKept of their size, and that move by less than their margin
// leaves of it: features that were beyond the margin then still do not touch. All of it follows from the
// points, which are part of the state.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "collision/narrow/pairs.h"
#include "collision/narrow/reduce.h"
#include "world/block_work.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kKept = 5e-3;   // of the size
constexpr double kSlack = 1e-2;  // of the size: kKept, and pushes from third bodies

// Where a pair's bodies are now; an anchor as point of both.
struct PairPlace {
    Vec3 at_a, at_b;
    Mat3 turn_a, turn_b;
    PairPlace(const Pose& a, const Pose& b)
        : at_a(a.position),
          at_b(b.position),
          turn_a(to_matrix(a.orientation)),
          turn_b(to_matrix(b.orientation)) {}
    Vec3 on_a(const ContactPoint& point) const { return at_a + turn_a * Vec3(point.anchor_a); }
    Vec3 on_b(const ContactPoint& point) const { return at_b + turn_b * Vec3(point.anchor_b); }
};

}  // namespace

// Points that pair p had: in the last step, or in the last pass.
std::span<const ContactPoint> BlockWork::old_points(std::size_t p, bool is_first) const {
    if (!is_first) return std::span(old_points_).subspan(old_start_[p], old_start_[p + 1] - old_start_[p]);
    const auto& contacts = world_->contacts;
    const std::size_t pair = pairs_[p].pair, begin = world_->old_contacts[pair],
                      most = world_->old_contacts[pair + 1];
    std::size_t end = begin;
    while (end < most && contacts[end].key == world_->pair_keys[pair] && contacts[end].is_present) ++end;
    return std::span(contacts).subspan(begin, end - begin);
}

// Balls, one of which may be anything that stays put.
bool BlockWork::is_round(const PairPart& pair, const ContactPoint& point) const {
    constexpr double kAlong = 1e-6;  // of a lever: how far it may be off the normal
    const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
    const auto is_along = [&](const Node& node) {
        const Vec3 r = point.position - node.pose.position;
        return !node.is_dynamic ||
               length_squared(cross(r, point.normal)) <= kAlong * kAlong * length_squared(r);
    };
    return a.is_round && b.is_round && (pair.are_spheres || (is_along(a) && is_along(b)));
}

void BlockWork::add_part(std::size_t p, std::size_t first, std::size_t count, Search& to) const {
    Part& part = to.parts.emplace_back(Part{});
    part.pair = static_cast<std::uint32_t>(p);
    part.first = static_cast<std::uint32_t>(first), part.count = static_cast<std::uint32_t>(count);
    const PairPart& pair = pairs_[p];
    part.a = pair.a, part.b = pair.b, part.law = pair.law, part.size = pair.size;
    const ContactPoint& point = (*to.points)[first];
    part.is_round = count == 1 && is_round(pair, point);
    part.rise = dot(point.normal, up_);
    for (std::size_t k = first; k < first + count; ++k) part.pushes += (*to.points)[k].previous_n;
}

// The old points where they are now; those of a manifold follow each other and have one normal. Those that
// are gone, and gave an impulse in this step, come last. False: they have moved too far since the last step,
// and nothing was added.
bool BlockWork::keep(std::size_t p, std::span<const ContactPoint> points, bool is_first, Search& to) const {
    std::size_t count = 0;
    while (count < points.size() && points[count].is_present) ++count;
    const PairPart& pair = pairs_[p];
    const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
    const PairPlace now(a.pose, b.pose);
    const double most = kKept * pair.size,
                 radius = std::max(world_->bodies.radius[a.body], world_->bodies.radius[b.body]);
    Vec3 n;
    const std::size_t begin = to.points->size(), part_begin = to.parts.size();
    to.points->resize(begin + points.size());
    if (!points.empty()) std::memcpy(to.points->data() + begin, points.data(), points.size_bytes());
    const auto give_up = [&] {
        to.points->resize(begin), to.parts.resize(part_begin);
        return false;
    };
    std::size_t first = begin;
    for (std::size_t k = 0; k < count; ++k) {
        ContactPoint& point = (*to.points)[begin + k];
        const bool is_next = k > 0 && point.normal_a == points[k - 1].normal_a;
        if (k > 0 && (!is_next || begin + k - first == BlockContacts::kPoints)) {
            add_part(p, first, begin + k - first, to);
            first = begin + k;
        }
        if (is_first && point.found_within == 0) return give_up();
        if (!is_next) {
            n = now.turn_a * Vec3(point.normal_a);
            const Vec3 turned = n - now.turn_b * Vec3(point.normal_b);
            if (is_first && length_squared(turned) * (radius * radius) > most * most) return give_up();
        }
        const Vec3 on_a = now.on_a(point), on_b = now.on_b(point), across = on_b - on_a;
        // Relative to how it was found, where the ends were `found` apart along the normal: slid and closed.
        if (is_first && length_squared(across - n * static_cast<double>(point.found)) > most * most)
            return give_up();
        if (is_first) point.sum = {};
        point.normal = n;
        point.separation = dot(across, n);
        point.position = (on_a + on_b) * 0.5;
    }
    if (count > 0) add_part(p, first, begin + count - first, to);
    return true;
}

void BlockWork::anchor(const PairPart& pair, std::span<ContactPoint> points) const {
    const Pose to_a = inverse(nodes_[pair.a].pose), to_b = inverse(nodes_[pair.b].pose);
    for (ContactPoint& point : points) {
        if (!point.is_present) continue;
        const Vec3 half = point.normal * (0.5 * point.separation);
        point.anchor_a = Rounded3(to_a * (point.position - half));
        point.anchor_b = Rounded3(to_b * (point.position + half));
        point.normal_a = Rounded3(rotate(to_a.orientation, point.normal));
        point.normal_b = Rounded3(rotate(to_b.orientation, point.normal));
        point.found = static_cast<float>(point.separation);
        point.found_within = static_cast<float>(pair.margin);
    }
}

// Two spheres touch in one point.
void BlockWork::find_spheres(std::size_t p, std::span<const ContactPoint> old, bool is_first,
                             Search& to) const {
    const PairPart& pair = pairs_[p];
    const auto centre = [&](std::uint32_t node, const Collider* collider) {
        const Pose& pose = nodes_[node].pose;
        return pair.are_centred ? pose.position : pose * collider->X_BC.position;
    };
    Manifold m;
    const bool is_found =
        narrow::touch_balls(centre(pair.a, pair.collider_a), pair.radius_a, centre(pair.b, pair.collider_b),
                            pair.radius_b, {0, 1, 0}, pair.margin, m);
    if (!is_found && (is_first || old.empty())) return;
    const std::size_t first = to.points->size();
    match_points(world_->pair_keys[pair.pair], std::span(&m, is_found ? 1 : 0), old, 0.2 * pair.size,
                 *to.points, is_first ? OldPoints::OfLastStep : OldPoints::OfThisStep);
    if (is_found) add_part(p, first, 1, to);
}

// Two spheres are sooner asked than looked up. Of others, contacts are good as long as nothing beyond their
// margin can have come to touch. A pair that moves too little to need passes of its own is searched once a
// step, as far as it can come until the step ends; should it be struck meanwhile, what it may still move is
// used up sooner.
void BlockWork::find_pair(std::size_t p, double h, double left, bool is_first, Search& to) {
    PairPart& pair = pairs_[p];
    const auto old = old_points(p, is_first);
    const double size = pair.size, most = kPassWay * size,
                 way = is_first && h == world_->dt ? pair.way : way_of(pair, h);
    const auto margin = [&](double far) { return rounded_margin(size, kSlack * size + far); };
    if (pair.are_spheres) {
        pair.margin = margin(way);
        return find_spheres(p, old, is_first, to);
    }
    const auto set_way_left = [&](double found_within) {
        pair.way_left = std::min(found_within - kSlack * size, most) - way;
    };
    if (is_first)
        set_way_left(old.empty() ? 0 : old[0].found_within);
    else
        pair.way_left -= way;
    if (pair.way_left >= 0 && keep(p, old, is_first, to)) return;
    const double whole = way * (left / h);
    pair.margin = margin(whole <= most ? whole : way);
    set_way_left(pair.margin);
    impuls::find_contacts(*pair.collider_a, nodes_[pair.a].pose, *pair.collider_b, nodes_[pair.b].pose,
                          pair.margin, *pair.cache, to.manifolds);
    for (Manifold& m : to.manifolds)
        if (m.count > BlockContacts::kPoints) reduce(m, BlockContacts::kPoints, kSlop * size);
    std::size_t first = to.points->size();
    match_points(world_->pair_keys[pair.pair], to.manifolds, old, 0.2 * size, *to.points,
                 is_first ? OldPoints::OfLastStep : OldPoints::OfThisStep);
    anchor(pair, std::span(*to.points).subspan(first));
    for (const Manifold& m : to.manifolds) {
        const auto count = static_cast<std::size_t>(m.count);
        if (count > 0) add_part(p, first, count, to);
        first += count;
    }
}

// Pairs in runs, a few for each thread, the first of which writes where the results will be; one after the
// other they are the same, however many there are.
void BlockWork::find_contacts(double h, double left, bool is_first) {
    constexpr std::size_t kFewPairs = 512, kRuns = 8;
    auto& points = results_->point;
    if (!is_first) {
        if (first_ == 0)
            old_points_.swap(points);
        else
            old_points_.assign(points.begin() + static_cast<std::ptrdiff_t>(first_), points.end());
        points.resize(first_), results_->pair.resize(first_);
        next_start_.swap(old_start_);
    }
    const auto threads = static_cast<std::size_t>(executor().threads());
    const std::size_t runs = threads == 1 || pairs_.size() < kFewPairs ? 1 : kRuns * threads;
    if (searches_.size() < runs) searches_.resize(runs);
    executor().parallel_for(runs, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            Search& to = searches_[r];
            to.points = r == 0 ? &points : &to.own;
            to.own.clear(), to.parts.clear(), to.start.clear();
            for (std::size_t p = r * pairs_.size() / runs; p < (r + 1) * pairs_.size() / runs; ++p) {
                if (p + kAhead < pairs_.size() && !pairs_[p + kAhead].are_spheres)
                    __builtin_prefetch(pairs_[p + kAhead].cache);
                to.start.push_back(static_cast<std::uint32_t>(to.points->size()));
                find_pair(p, h, left, is_first, to);
            }
        }
    });
    join_searches(runs);
}

// One after the other: each thread moves what it found to where it belongs. What the first run found is there
// already.
void BlockWork::join_searches(std::size_t runs) {
    auto& points = results_->point;
    std::size_t point_count = points.size(), part_count = 0;
    for (std::size_t r = 0; r < runs; ++r) {
        Search& found = searches_[r];
        found.first_point = r == 0 ? 0 : point_count, found.first_part = part_count;
        found.end_point = point_count += found.own.size();
        part_count += found.parts.size();
    }
    parts_.swap(searches_[0].parts);
    points.resize(point_count), results_->pair.resize(point_count), parts_.resize(part_count);
    next_start_.resize(pairs_.size() + 1);
    next_start_.back() = static_cast<std::uint32_t>(point_count - first_);
    executor().parallel_for(runs, 1, [&](std::size_t r, std::size_t) {
        const Search& found = searches_[r];
        if (r > 0) {
            std::copy(found.own.begin(), found.own.end(), points.data() + found.first_point);
            for (std::size_t k = 0; k < found.parts.size(); ++k) {
                Part& part = parts_[found.first_part + k] = found.parts[k];
                part.first += static_cast<std::uint32_t>(found.first_point);
            }
        }
        const std::size_t first_pair = r * pairs_.size() / runs;
        for (std::size_t k = 0; k < found.start.size(); ++k) {
            const std::size_t begin = found.first_point + found.start[k],
                              end = k + 1 < found.start.size() ? found.first_point + found.start[k + 1]
                                                               : found.end_point;
            next_start_[first_pair + k] = static_cast<std::uint32_t>(begin - first_);
            std::fill(results_->pair.data() + begin, results_->pair.data() + end,
                      pairs_[first_pair + k].pair);
        }
    });
}

}  // namespace impuls
