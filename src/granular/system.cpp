// Making a set of grains ready (system.h).
#include "granular/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impuls::granular {

std::uint32_t add_grain(System& s, std::uint32_t kind, double size, const Vec3& x, const Quat& q,
                        std::uint32_t group) {
    Grains& g = s.grains;
    const auto number = static_cast<std::uint32_t>(g.count());
    g.for_columns([](auto& column) { column.emplace_back(); });
    g.x.back() = x, g.q.back() = q, g.listed.back() = x;
    g.size.back() = size, g.kind.back() = kind, g.group.back() = group;
    s.pairs.is_current = s.has_forces = false;
    return number;
}

void set_velocity(System& s, std::uint32_t grain, const Vec3& v, const Vec3& w) {
    Grains& g = s.grains;
    const Vec3 inertia = inertia_of(s.kinds[g.kind[grain]], g.size[grain]);
    g.v[grain] = v, g.w[grain] = w;
    g.spin[grain] = rotate(g.q[grain], scale(inertia, rotate_inverse(g.q[grain], w)));
}

double longest_substep(const System& s) {
    double modulus = 0, square = std::numeric_limits<double>::infinity();
    for (const PairLaw& law : s.laws) modulus = std::max(modulus, law.modulus);
    for (std::size_t k = 0; k < s.grains.count(); ++k) {
        const GrainKind& kind = s.kinds[s.grains.kind[k]];
        const double size = s.grains.size[k];
        square = std::min(square,
                          mass_of(kind, size) / 2 / (kHertz * modulus * std::sqrt(kind.shape.patch) * size));
    }
    return 0.2 * std::sqrt(square);
}

void replace_obstacles(System& s, std::vector<Obstacle> obstacles, std::vector<ObstacleBody> bodies,
                       const std::vector<std::uint32_t>& moved) {
    Pairs& pairs = s.pairs;
    std::vector<NearPair> kept;
    std::vector<std::uint32_t> first{0};
    for (std::size_t k = 0; k + 1 < pairs.first.size(); ++k) {
        for (std::uint32_t p = pairs.first[k]; p < pairs.first[k + 1]; ++p) {
            NearPair pair = pairs.near[p];
            if (pair.b & kObstacle) {
                const std::uint32_t now = moved[pair.b & ~kObstacle];
                if (now == kNoPatch && pair.patch != kNoPatch) pairs.unused.push_back(pair.patch);
                if (now == kNoPatch) continue;
                pair.b = kObstacle | now;
            }
            kept.push_back(pair);
        }
        first.push_back(static_cast<std::uint32_t>(kept.size()));
    }
    pairs.near = std::move(kept);
    if (!pairs.first.empty()) pairs.first = std::move(first);
    s.obstacles = std::move(obstacles), s.bodies = std::move(bodies);
    pairs.is_current = false;
}

void update_neighbours(System& s, Executor& executor) {
    if (!are_neighbours_old(s.grains, s.obstacles, s.bodies, s.pairs)) return;
    s.grains.listed = s.grains.x;
    for (ObstacleBody& b : s.bodies) b.listed = b.X_WP;
    find_neighbours(s.grains, s.kinds, s.obstacles, s.bodies, executor, s.pairs, s.scratch.search);
}

void prepare(System& s) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < s.grains.count(); ++k)
        least = std::min(least, s.kinds[s.grains.kind[k]].shape.radius * s.grains.size[k]);
    s.pairs.skin = std::isfinite(least) ? 0.1 * least : 0;
    s.pairs.is_current = s.has_forces = false;
}

}  // namespace impuls::granular
