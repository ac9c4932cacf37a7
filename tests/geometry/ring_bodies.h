// The bodies of granular spec 4.2 and 4.3 with vertices on the unit sphere: tetrahedron, octahedron,
// icosahedron, and two poles with staggered rings.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/polyhedron.h"

namespace impuls {

inline std::vector<Vec3> ring_sphere(int rings, int points) {
    std::vector<Vec3> v{{0, 0, 1}, {0, 0, -1}};
    for (int r = 1; r <= rings; ++r)
        for (int k = 0; k < points; ++k) {
            const double t = std::numbers::pi * r / (rings + 1);
            const double f = 2 * std::numbers::pi * (k + 0.5 * (r % 2)) / points;
            v.push_back({std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)});
        }
    return v;
}

inline std::vector<Vec3> unit_body(int vertices) {
    const double third = 1.0 / 3, s = std::sqrt(8.0) / 3, c = std::sqrt(0.75);
    switch (vertices) {
        case 4:
            return {{0, 0, 1}, {s, 0, -third}, {-0.5 * s, c * s, -third}, {-0.5 * s, -c * s, -third}};
        case 6:
            return {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        case 12: {
            std::vector<Vec3> v{{0, 0, 1}, {0, 0, -1}};
            for (int k = 0; k < 10; ++k) {
                const double f = std::numbers::pi * k / 5, z = (k % 2 ? -1 : 1) / std::sqrt(5.0);
                v.push_back({2 / std::sqrt(5.0) * std::cos(f), 2 / std::sqrt(5.0) * std::sin(f), z});
            }
            return v;
        }
        default:
            break;
    }
    for (const auto& [r, m] : {std::pair{4, 4},
                               {4, 5},
                               {8, 5},
                               {10, 5},
                               {6, 10},
                               {7, 10},
                               {8, 10},
                               {10, 10},
                               {20, 10},
                               {15, 20},
                               {23, 20}})
        if (2 + r * m == vertices) return ring_sphere(r, m);
    return {};
}

}  // namespace impuls
