// The search for contacts of an island by blocks (search.h).
#include "steppers/blocks/search.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "collision/narrow/pairs.h"
#include "collision/narrow/reduce.h"
#include "math/rotation.h"
#include "steppers/blocks/context.h"
#include "steppers/blocks/faces.h"
#include "steppers/blocks/rolling.h"
#include "steppers/contacts.h"

namespace impuls::blocks {
namespace {

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

OldPoints age_of_points(const Context& c) {
    return c.pass.is_first ? OldPoints::OfLastStep : OldPoints::OfThisStep;
}

// Points that pair p had: in the last step, or in the last pass.
std::span<const ContactPoint> points_before(const Context& c, std::size_t p) {
    const ContactScratch& s = c.contacts;
    if (!c.pass.is_first)
        return std::span(s.old_points).subspan(s.old_start[p], s.old_start[p + 1] - s.old_start[p]);
    const std::size_t pair = c.island.pairs[p].pair;
    const auto points = c.view.pairs.old_range(pair);
    std::size_t count = 0;
    while (count < points.size() && c.view.pairs.is_kept(pair, points[count])) ++count;
    return points.first(count);
}

// Balls, one of which may be anything that does not move.
bool is_between_balls(const Context& c, std::size_t p, const ContactPoint& point) {
    const IslandPair& pair = c.island.pairs[p];
    if (!c.bodies.nodes[pair.a].is_round || !c.bodies.nodes[pair.b].is_round) return false;
    const auto is_along = [&](const IslandNode& node) {
        const Vec3 r = point.position - node.pose.position;
        return !node.is_dynamic ||
               length_squared(cross(r, point.normal)) <= kRoundLever * kRoundLever * length_squared(r);
    };
    return c.contacts.pairs[p].are_spheres ||
           (is_along(c.island.nodes[pair.a]) && is_along(c.island.nodes[pair.b]));
}

void add_manifold(const Context& c, std::size_t p, std::size_t first, std::size_t count, SearchRun& to) {
    BlockManifold& m = to.manifolds.emplace_back(BlockManifold{});
    const IslandPair& pair = c.island.pairs[p];
    m.pair = static_cast<std::uint32_t>(p);
    m.first = static_cast<std::uint32_t>(first);
    m.count = static_cast<std::uint8_t>(count);
    m.a = pair.a;
    m.b = pair.b;
    m.law = pair.law;
    m.size = pair.size;
    const ContactPoint& point = (*to.points)[first];
    m.is_round = count == 1 && is_between_balls(c, p, point);
    m.is_of_disk =
        count > 3 && c.contacts.pairs[p].is_curved && is_of_disk(c, pair, std::span(&point, count));
    m.rise = static_cast<float>(dot(point.normal, c.up));
    double impulse = 0;
    for (std::size_t k = first; k < first + count; ++k) impulse += (*to.points)[k].previous_n;
    m.impulse = static_cast<float>(impulse);
}

// Manifolds have one normal. Fewer than three points leave a curved surface free to roll, and its point of
// contact then stays where the normal says, not with the body: kept, it would lag behind the centre, and the
// load drive what rolls.
bool can_roll(std::span<const ContactPoint> points) {
    std::size_t first = 0;
    for (std::size_t k = 1; k <= points.size(); ++k) {
        if (k < points.size() && points[k].normal_a == points[first].normal_a) continue;
        if (k - first < 3) return true;
        first = k;
    }
    return false;
}

// The old points where they are now; those of a manifold follow each other and have one normal. Those that
// are gone, and gave an impulse in this step, come last. False: they have moved too far since the last step,
// or roll, and nothing was added.
bool keep_points(const Context& c, std::size_t p, std::span<const ContactPoint> points, SearchRun& to) {
    std::size_t count = 0;
    while (count < points.size() && points[count].is_present) ++count;
    if (c.contacts.pairs[p].is_curved && can_roll(points.first(count))) return false;
    const bool is_first = c.pass.is_first;
    const IslandPair& pair = c.island.pairs[p];
    const IslandNode &a = c.island.nodes[pair.a], &b = c.island.nodes[pair.b];
    const PairPlace now(a.pose, b.pose);
    const double most = kKept * pair.size,
                 radius = std::max(c.view.bodies.radius[a.body], c.view.bodies.radius[b.body]);
    Vec3 n;
    const std::size_t begin = to.points->size(), first_manifold = to.manifolds.size();
    to.points->resize(begin + points.size());
    if (!points.empty()) std::memcpy(to.points->data() + begin, points.data(), points.size_bytes());
    const auto give_up = [&] {
        to.points->resize(begin);
        to.manifolds.resize(first_manifold);
        return false;
    };
    std::size_t first = begin;
    for (std::size_t k = 0; k < count; ++k) {
        ContactPoint& point = (*to.points)[begin + k];
        const bool is_next = k > 0 && point.normal_a == points[k - 1].normal_a;
        if (k > 0 && (!is_next || begin + k - first == BlockContacts::kPoints)) {
            add_manifold(c, p, first, begin + k - first, to);
            first = begin + k;
        }
        if (is_first && point.found_within <= 0) return give_up();
        if (!is_next) {
            n = now.turn_a * Vec3(point.normal_a);
            const Vec3 turned = n - now.turn_b * Vec3(point.normal_b);
            if (is_first && length_squared(turned) * (radius * radius) > most * most) return give_up();
        }
        const Vec3 on_a = now.on_a(point), on_b = now.on_b(point), across = on_b - on_a;
        // Relative to how it was found, where the ends were `found` apart along the normal: slid and closed.
        if (is_first && length_squared(across - n * static_cast<double>(point.found)) > most * most)
            return give_up();
        if (is_first)
            point.sum = {};
        else if (dot(point.sum, n) < 0)  // a contact that turned so far is another one
            return give_up();
        point.normal = n;
        point.separation = dot(across, n);
        point.position = (on_a + on_b) * 0.5;
    }
    if (count > 0) add_manifold(c, p, first, begin + count - first, to);
    return true;
}

// Each point in the frames of both bodies.
void anchor_points(const Context& c, const IslandPair& pair, std::span<ContactPoint> points) {
    const Pose to_a = inverse(c.island.nodes[pair.a].pose), to_b = inverse(c.island.nodes[pair.b].pose);
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
void find_sphere_contact(const Context& c, std::size_t p, std::span<const ContactPoint> old, SearchRun& to) {
    const IslandPair& pair = c.island.pairs[p];
    const BlockPair& own = c.contacts.pairs[p];
    const auto centre = [&](std::uint32_t node, const Collider* collider) {
        const Pose& pose = c.island.nodes[node].pose;
        return own.are_centred ? pose.position : pose * collider->X_BC.position;
    };
    Manifold m;
    const bool is_found =
        narrow::touch_balls(centre(pair.a, pair.collider_a), own.radius_a, centre(pair.b, pair.collider_b),
                            own.radius_b, {0, 1, 0}, pair.margin, m);
    if (!is_found && (c.pass.is_first || old.empty())) return;
    const std::size_t first = to.points->size();
    match_points(c.view.pairs.keys[pair.pair], std::span(&m, is_found ? 1 : 0), old, kMatchReach * pair.size,
                 *to.points, age_of_points(c));
    if (is_found) add_manifold(c, p, first, 1, to);
}

// Points and manifolds of a pair from what the narrow phase found.
void take_found(const Context& c, std::size_t p, std::span<const ContactPoint> old, SearchRun& to) {
    const IslandPair& pair = c.island.pairs[p];
    for (Manifold& m : to.found)
        if (m.count > BlockContacts::kPoints) reduce(m, BlockContacts::kPoints, kBlockSlop * pair.size);
    std::size_t first = to.points->size();
    match_points(c.view.pairs.keys[pair.pair], to.found, old, kMatchReach * pair.size, *to.points,
                 age_of_points(c));
    anchor_points(c, pair, std::span(*to.points).subspan(first));
    for (const Manifold& m : to.found) {
        const auto count = static_cast<std::size_t>(m.count);
        if (count > 0) add_manifold(c, p, first, count, to);
        first += count;
    }
    if (c.contacts.pairs[p].is_curved) roll(c, p, to);
}

void search_pair(const Context& c, std::size_t p, std::span<const ContactPoint> old, SearchRun& to) {
    impuls::find_contacts(c.island, c.island.pairs[p], *c.contacts.pairs[p].cache, to.found);
    take_found(c, p, old, to);
}

// Testing two spheres is cheaper than looking up what is known of them. Other pairs keep their contacts as
// long as nothing beyond their margin can have come to touch. A pair whose travel in the step fits into one
// pass is searched once, within the travel until the step ends; should it be struck meanwhile, travel_left is
// used up sooner.
void find_pair(Context& c, std::size_t p, SearchRun& to) {
    IslandPair& pair = c.island.pairs[p];
    BlockPair& own = c.contacts.pairs[p];
    const auto old = points_before(c, p);
    own.is_searched = false;
    const bool is_first = c.pass.is_first;
    const double h = c.pass.time, size = pair.size, most = c.fineness.travel * size,
                 travel = is_first && h == c.view.dt ? own.travel : travel_of(c, p, h);
    constexpr MarginPolicy kPolicy{kSlack};
    if (own.are_spheres) {
        pair.margin = kPolicy.margin(pair, travel);
        return find_sphere_contact(c, p, old, to);
    }
    const auto set_travel_left = [&](double found_within) {
        own.travel_left = std::min(found_within - kSlack * size, most) - travel;
    };
    if (is_first)
        set_travel_left(old.empty() ? 0 : old[0].found_within);
    else
        own.travel_left -= travel;
    if (own.travel_left >= 0 && keep_points(c, p, old, to)) return;
    const double until_end = travel * (c.pass.left / h);
    pair.margin = kPolicy.margin(pair, until_end <= most ? until_end : travel);
    set_travel_left(pair.margin);
    own.is_searched = true;
    search_pair(c, p, old, to);
}

// The points of the last pass are the old ones now.
void recycle_points(Context& c) {
    auto& points = c.results.point;
    ContactScratch& s = c.contacts;
    if (c.first_point == 0)
        s.old_points.swap(points);
    else
        s.old_points.assign(points.begin() + static_cast<std::ptrdiff_t>(c.first_point), points.end());
    points.resize(c.first_point);
    c.results.pair.resize(c.first_point);
    s.next_start.swap(s.old_start);
}

// Moves what run r found to its place among all; what the first run found is there already.
void join_run(Context& c, std::size_t r, std::size_t runs) {
    ContactScratch& s = c.contacts;
    const SearchRun& run = s.runs[r];
    if (r > 0) {
        std::copy(run.own.begin(), run.own.end(), c.results.point.data() + run.first_point);
        for (std::size_t k = 0; k < run.manifolds.size(); ++k) {
            BlockManifold& m = s.manifolds[run.first_manifold + k] = run.manifolds[k];
            m.first += static_cast<std::uint32_t>(run.first_point);
        }
    }
    const std::size_t first_pair = r * c.island.pairs.size() / runs;
    for (std::size_t k = 0; k < run.start.size(); ++k) {
        const std::size_t begin = run.first_point + run.start[k],
                          end = k + 1 < run.start.size() ? run.first_point + run.start[k + 1] : run.end_point;
        s.next_start[first_pair + k] = static_cast<std::uint32_t>(begin - c.first_point);
        std::fill(c.results.pair.data() + begin, c.results.pair.data() + end,
                  c.island.pairs[first_pair + k].pair);
    }
}

void join_runs(Context& c, std::size_t runs) {
    ContactScratch& s = c.contacts;
    auto& points = c.results.point;
    std::size_t point_count = points.size(), manifold_count = 0;
    s.has_rolling = false;
    for (std::size_t r = 0; r < runs; ++r) {
        SearchRun& run = s.runs[r];
        s.has_rolling = s.has_rolling || run.has_rolling;
        run.first_point = r == 0 ? 0 : point_count;
        run.first_manifold = manifold_count;
        point_count += run.own.size();
        run.end_point = point_count;
        manifold_count += run.manifolds.size();
    }
    s.manifolds.swap(s.runs[0].manifolds);
    points.resize(point_count);
    c.results.pair.resize(point_count);
    s.manifolds.resize(manifold_count);
    s.next_start.resize(c.island.pairs.size() + 1);
    s.next_start.back() = static_cast<std::uint32_t>(point_count - c.first_point);
    c.view.executor.parallel_for(runs, 1, [&](std::size_t r, std::size_t) { join_run(c, r, runs); });
}

Manifold as_found(const Context& c, const BlockManifold& from) {
    Manifold m;
    m.normal = c.results.point[from.first].normal;
    for (std::size_t k = from.first; k < from.first + from.count; ++k) {
        const ContactPoint& point = c.results.point[k];
        narrow::add_point(m, point.position, point.separation, point.feature);
    }
    return m;
}

// Pairs with contacts to be taken along another normal than their own.
void find_seams(Context& c) {
    ContactScratch& s = c.contacts;
    s.seams.clear();
    s.at_seams.pairs.clear();
    const std::size_t dynamic = c.island.dynamic_count;
    for (const BlockManifold& m : s.manifolds)
        if ((m.a < dynamic) != (m.b < dynamic)) s.seams.add(c.island, m.pair, as_found(c, m));
    if (s.seams.size() < 2) return;
    s.seams.sort(c.island);
    for (const BlockManifold& m : s.manifolds) {
        const IslandPair& pair = c.island.pairs[m.pair];
        auto& found = s.at_seams.pairs;
        if (!s.pairs[m.pair].is_searched || (!found.empty() && found.back() == m.pair) ||
            s.seams.is_far_from(c.island, m.pair))
            continue;
        if (s.seams.direction(c.island, m.pair, as_found(c, m), c.island.nodes[pair.a].pose,
                              c.island.nodes[pair.b].pose))
            found.push_back(m.pair);
    }
}

// Contacts of these pairs anew, the others in their places.
void correct_seams(Context& c) {
    ContactScratch& s = c.contacts;
    SeamSearch& at = s.at_seams;
    SearchRun& to = at.run;
    to.own.clear();
    to.manifolds.clear();
    to.points = &to.own;
    to.has_rolling = false;
    auto next = at.pairs.begin();
    std::size_t m = 0;
    for (std::uint32_t p = 0; p < c.island.pairs.size(); ++p) {
        const std::size_t begin = c.first_point + s.next_start[p], end = c.first_point + s.next_start[p + 1];
        s.next_start[p] = static_cast<std::uint32_t>(to.own.size());
        const bool is_again = next != at.pairs.end() && *next == p;
        for (; m < s.manifolds.size() && s.manifolds[m].pair == p; ++m) {
            if (is_again) continue;
            to.manifolds.push_back(s.manifolds[m]);
            to.manifolds.back().first =
                static_cast<std::uint32_t>(to.own.size() + s.manifolds[m].first - begin);
        }
        if (is_again) {
            ++next;
            impuls::find_contacts(c.island, c.island.pairs[p], *s.pairs[p].cache, to.found);
            if (s.seams.correct(c.island, p, to.found, at.corrected)) to.found.swap(at.corrected);
            take_found(c, p, points_before(c, p), to);
        } else {
            to.own.insert(to.own.end(), c.results.point.begin() + static_cast<std::ptrdiff_t>(begin),
                          c.results.point.begin() + static_cast<std::ptrdiff_t>(end));
        }
    }
    s.has_rolling = s.has_rolling || to.has_rolling;
    s.next_start.back() = static_cast<std::uint32_t>(to.own.size());
    for (BlockManifold& moved : to.manifolds) moved.first += static_cast<std::uint32_t>(c.first_point);
    s.manifolds.swap(to.manifolds);
    c.results.point.resize(c.first_point + to.own.size());
    c.results.pair.resize(c.results.point.size());
    std::copy(to.own.begin(), to.own.end(),
              c.results.point.begin() + static_cast<std::ptrdiff_t>(c.first_point));
    for (std::size_t p = 0; p < c.island.pairs.size(); ++p)
        std::fill(c.results.pair.data() + c.first_point + s.next_start[p],
                  c.results.pair.data() + c.first_point + s.next_start[p + 1], c.island.pairs[p].pair);
}

}  // namespace

// Pairs in runs, a few for each thread, the first of which writes to the results; one behind the other they
// are the same, however many there are.
void find_contacts(Context& c) {
    constexpr std::size_t kFewPairs = 512, kRunsPerThread = 8;
    if (!c.pass.is_first) recycle_points(c);
    ContactScratch& s = c.contacts;
    const std::size_t count = c.island.pairs.size();
    const auto threads = static_cast<std::size_t>(c.view.executor.threads());
    const std::size_t runs = threads == 1 || count < kFewPairs ? 1 : kRunsPerThread * threads;
    if (s.runs.size() < runs) s.runs.resize(runs);
    c.view.executor.parallel_for(runs, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            SearchRun& to = s.runs[r];
            to.points = r == 0 ? &c.results.point : &to.own;
            to.own.clear();
            to.manifolds.clear();
            to.start.clear();
            to.has_rolling = false;
            for (std::size_t p = r * count / runs; p < (r + 1) * count / runs; ++p) {
                if (p + kPrefetchDistance < count && !s.pairs[p + kPrefetchDistance].are_spheres)
                    __builtin_prefetch(s.pairs[p + kPrefetchDistance].cache);
                to.start.push_back(static_cast<std::uint32_t>(to.points->size()));
                find_pair(c, p, to);
            }
        }
    });
    join_runs(c, runs);
    find_seams(c);
    if (!s.at_seams.pairs.empty()) correct_seams(c);
}

}  // namespace impuls::blocks
