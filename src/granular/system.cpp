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

namespace {

// Surface of what is bounded, m^2.
double area_of(const Obstacle& o) {
    constexpr double kTwoPi = 6.283185307179586;
    if (o.kind == ObstacleKind::HalfSpace) return 0;
    if (o.kind == ObstacleKind::InnerSide) return kTwoPi * o.radius * (o.high - o.low);
    if (o.shape.is_sphere()) return 2 * kTwoPi * o.shape.radius * o.shape.radius;
    const PolyhedronView& view = o.shape.view;
    double area = 0;
    for (std::size_t f = 0; f < view.face_count(); ++f) {
        const auto face = view.face(f);
        Vec3 sum;
        for (std::size_t k = 2; k < face.size(); ++k)
            sum += cross(view.vertices[face[k - 1]] - view.vertices[face[0]],
                         view.vertices[face[k]] - view.vertices[face[0]]);
        area += length(sum) / 2;
    }
    return area;
}

}  // namespace

// On half of a surface A lie A / (4 r^2) grains, of which each pushes a square as wide as itself, and a few
// at its rim. A body of mass m gives way to a push at its rim three times as easily as to one at its centre.
double longest_substep_of_bodies(const System& s) {
    constexpr double kRim = 4, kLever = 3;
    double modulus = 0, stiffest = 0, least = std::numeric_limits<double>::infinity(), square = least;
    for (const PairLaw& law : s.laws) modulus = std::max(modulus, law.modulus);
    for (std::size_t k = 0; k < s.grains.count(); ++k) {
        const GrainShape& shape = s.kinds[s.grains.kind[k]].shape;
        stiffest = std::max(stiffest, kHertz * modulus * std::sqrt(shape.patch) * s.grains.size[k]);
        least = std::min(least, shape.radius * s.grains.size[k]);
    }
    std::vector<double> contacts(s.bodies.size(), kRim);
    for (const Obstacle& o : s.obstacles) contacts[o.body] += area_of(o) / (8 * least * least);
    const double most = kRim + static_cast<double>(s.grains.count());
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
        if (s.bodies[b].is_free())
            square = std::min(square,
                              1 / (kLever * std::min(contacts[b], most) * stiffest * s.bodies[b].inv_mass));
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
