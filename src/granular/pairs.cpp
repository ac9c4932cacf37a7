// The grid and the lists (pairs.h).
#include "granular/pairs.h"

#include <algorithm>
#include <cmath>

namespace impuls::granular {
namespace {

using Cell = PairSearchSpace::Cell;

std::uint32_t bucket_of(const Cell& c, std::uint32_t mask) {
    const std::uint32_t h = static_cast<std::uint32_t>(c.x) * 0x8da6b343u ^
                            static_cast<std::uint32_t>(c.y) * 0xd8163841u ^
                            static_cast<std::uint32_t>(c.z) * 0xcb1ab31fu;
    return (h ^ h >> 15) & mask;
}

double reach_of(const Grains& g, const std::vector<GrainKind>& kinds, std::size_t k) {
    return kinds[g.kind[k]].shape.radius * g.size[k];
}

std::int32_t cell_of(double x, double edge) {
    return static_cast<std::int32_t>(std::fmax(-1e9, std::fmin(1e9, std::floor(x / edge))));
}

// Grains by bucket, ascending in each.
std::uint32_t sort_into_cells(const Grains& g, double edge, PairSearchSpace& s) {
    const std::size_t n = g.count();
    std::uint32_t mask = 1;
    while (mask < n) mask = mask << 1 | 1;
    s.cells.resize(n), s.order.resize(n);
    s.start.assign(mask + 2, 0);
    for (std::size_t k = 0; k < n; ++k) {
        s.cells[k] = {cell_of(g.x[k].x, edge), cell_of(g.x[k].y, edge), cell_of(g.x[k].z, edge)};
        ++s.start[bucket_of(s.cells[k], mask) + 1];
    }
    for (std::size_t c = 1; c < s.start.size(); ++c) s.start[c] += s.start[c - 1];
    s.fill.assign(s.start.begin(), s.start.end() - 1);
    for (std::size_t k = 0; k < n; ++k)
        s.order[s.fill[bucket_of(s.cells[k], mask)]++] = static_cast<std::uint32_t>(k);
    return mask;
}

void add_grains(const Grains& g, const std::vector<GrainKind>& kinds, std::uint32_t i, std::uint32_t mask,
                double skin, const PairSearchSpace& s, std::vector<NearPair>& out) {
    const Cell at = s.cells[i];
    const double reach = reach_of(g, kinds, i) + skin;
    for (std::int32_t dz = -1; dz <= 1; ++dz)
        for (std::int32_t dy = -1; dy <= 1; ++dy)
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                const Cell c{at.x + dx, at.y + dy, at.z + dz};
                const std::uint32_t bucket = bucket_of(c, mask);
                for (std::uint32_t k = s.start[bucket]; k < s.start[bucket + 1]; ++k) {
                    const std::uint32_t j = s.order[k];
                    const Cell& other = s.cells[j];
                    if (j <= i || other.x != c.x || other.y != c.y || other.z != c.z) continue;
                    const double both = reach + reach_of(g, kinds, j);
                    if (length_squared(g.x[j] - g.x[i]) < both * both) out.push_back({j, {}, kNoPatch});
                }
            }
}

void add_obstacles(const Grains& g, const std::vector<GrainKind>& kinds, std::uint32_t i,
                   const std::vector<Obstacle>& obstacles, const std::vector<ObstacleBody>& bodies,
                   double skin, std::vector<NearPair>& out) {
    for (std::uint32_t o = 0; o < obstacles.size(); ++o) {
        const ObstacleBody& body = bodies[obstacles[o].body];
        if (!body.is_enabled) continue;
        if (gap_of(obstacles[o], body.X_WP * obstacles[o].X_BO, g.x[i], reach_of(g, kinds, i)) < skin)
            out.push_back({kObstacle | o, {}, kNoPatch});
    }
}

// What pairs that go on remember.
void carry_over(const Pairs& pairs, std::uint32_t i, std::vector<NearPair>& found, std::size_t from) {
    if (i + 1 >= pairs.first.size()) return;
    std::uint32_t k = pairs.first[i];
    for (std::size_t p = from; p < found.size(); ++p) {
        while (k < pairs.first[i + 1] && pairs.near[k].b < found[p].b) ++k;
        if (k < pairs.first[i + 1] && pairs.near[k].b == found[p].b) found[p] = pairs.near[k];
    }
}

// Patches of pairs that are near no more may be used again.
void release_lost(Pairs& pairs, PairSearchSpace& s) {
    s.kept.assign(pairs.patches.size(), 0);
    for (const NearPair& pair : s.next)
        if (pair.patch != kNoPatch) s.kept[pair.patch] = 1;
    for (const NearPair& pair : pairs.near)
        if (pair.patch != kNoPatch && !s.kept[pair.patch]) pairs.unused.push_back(pair.patch);
}

}  // namespace

void find_neighbours(const Grains& grains, const std::vector<GrainKind>& kinds,
                     const std::vector<Obstacle>& obstacles, const std::vector<ObstacleBody>& bodies,
                     Executor& executor, Pairs& pairs, PairSearchSpace& s) {
    const std::size_t n = grains.count();
    double largest = 0;
    for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, reach_of(grains, kinds, k));
    const std::uint32_t mask = sort_into_cells(grains, 2 * largest + pairs.skin, s);
    const std::size_t chunks = (n + kGrainChunk - 1) / kGrainChunk;
    if (s.found.size() < chunks) s.found.resize(chunks);
    s.first.resize(n + 1);
    executor.parallel_for(n, kGrainChunk, [&](std::size_t begin, std::size_t end) {
        std::vector<NearPair>& found = s.found[begin / kGrainChunk];
        found.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t from = found.size();
            const auto number = static_cast<std::uint32_t>(i);
            add_grains(grains, kinds, number, mask, pairs.skin, s, found);
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(from), found.end(),
                      [](const NearPair& a, const NearPair& b) { return a.b < b.b; });
            add_obstacles(grains, kinds, number, obstacles, bodies, pairs.skin, found);
            carry_over(pairs, number, found, from);
            s.first[i] = static_cast<std::uint32_t>(found.size() - from);
        }
    });
    s.next.clear();
    for (std::size_t c = 0; c < chunks; ++c)
        s.next.insert(s.next.end(), s.found[c].begin(), s.found[c].end());
    release_lost(pairs, s);
    pairs.near.swap(s.next);
    pairs.first.resize(n + 1);
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < n; ++k) pairs.first[k] = sum, sum += s.first[k];
    pairs.first[n] = sum;
    pairs.is_current = true;
}

bool are_neighbours_old(const Grains& grains, const std::vector<Obstacle>& obstacles,
                        const std::vector<ObstacleBody>& bodies, const Pairs& pairs) {
    if (!pairs.is_current) return true;
    const double limit = pairs.skin * pairs.skin / 4;
    for (std::size_t k = 0; k < grains.count(); ++k)
        if (length_squared(grains.x[k] - grains.listed[k]) > limit) return true;
    for (const Obstacle& o : obstacles) {
        const ObstacleBody& body = bodies[o.body];
        if (body.X_WP == body.listed) continue;
        double reach = o.kind == ObstacleKind::Solid ? o.shape.radius : o.radius + o.high - o.low;
        if (o.kind == ObstacleKind::HalfSpace && body.X_WP.orientation != body.listed.orientation)
            for (const Vec3& x : grains.x)  // a plane that rotates moves fast far away
                reach = std::max(reach, length(x - body.X_WP.position));
        const Pose now = body.X_WP * o.X_BO, then = body.listed * o.X_BO;
        const Quat turn = now.orientation * conjugate(then.orientation);
        // A round inner side that spins about its own axis is where it was: only the axis counts.
        const Vec3 axis = rotate(now.orientation, {0, 1, 0}) - rotate(then.orientation, {0, 1, 0});
        const double rotated =
            o.kind == ObstacleKind::InnerSide ? length(axis) : 2 * length(Vec3{turn.x, turn.y, turn.z});
        const double moved = length(now.position - then.position) + rotated * reach;
        if (moved * moved > limit) return true;
    }
    return false;
}

}  // namespace impuls::granular
