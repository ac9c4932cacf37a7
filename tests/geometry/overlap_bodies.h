// Convex bodies for overlap tests and benches: regular ones and grains with points on a bumpy ellipsoid.
#pragma once

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "geometry/polyhedron.h"

namespace impuls::overlap_bodies {

inline Polyhedron from_points(const std::vector<Vec3>& points) {
    return make_polyhedron(convex_hull(points).hull);
}

inline Polyhedron box(const Vec3& h) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
    return from_points(points);
}

inline Polyhedron tetrahedron() {
    return from_points({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
}

inline Polyhedron icosahedron() {
    const double g = 0.5 * (1 + std::sqrt(5.0));
    std::vector<Vec3> points;
    for (const double s : {-1.0, 1.0})
        for (const double t : {-g, g}) points.insert(points.end(), {{0, s, t}, {s, t, 0}, {t, 0, s}});
    return from_points(points);
}

// n points spread over an ellipsoid (golden spiral), each direction jittered so that no symmetry is left.
inline Polyhedron grain(int n, std::uint64_t seed) {
    Rng rng(seed, 1);
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
        const double z = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - z * z), phi = i * 2.399963229728653;
        const Vec3 jitter{rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)};
        points.push_back(
            scale(normalized(Vec3{r * std::cos(phi), r * std::sin(phi), z} + jitter), {1, 0.8, 0.7}));
    }
    return from_points(points);
}

}  // namespace impuls::overlap_bodies
