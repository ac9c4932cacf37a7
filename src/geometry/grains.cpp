// Grains (grains.h).
#include "geometry/grains.h"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace impuls {
namespace {

constexpr std::array kCounts{4, 6, 12, 18, 22, 42, 52, 62, 72, 82, 102, 202, 302, 462};

// Rings and points a ring, from 18 vertices on.
constexpr std::array<std::array<int, 2>, 11> kRings{
    {{4, 4}, {4, 5}, {8, 5}, {10, 5}, {6, 10}, {7, 10}, {8, 10}, {10, 10}, {20, 10}, {15, 20}, {23, 20}}};

// A ring at height z; `turn` in steps between its points.
void add_ring(double z, int points, double turn, std::vector<Vec3>& out) {
    const double r = std::sqrt(1 - z * z);
    for (int k = 0; k < points; ++k) {
        const double angle = 2 * std::numbers::pi * (k + turn) / points;
        out.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
}

std::vector<Vec3> poles_and_rings(int rings, int points) {
    std::vector<Vec3> out{{0, 0, 1}};
    for (int i = 1; i <= rings; ++i)
        add_ring(std::cos(std::numbers::pi * i / (rings + 1)), points, i % 2 ? 0 : 0.5, out);
    out.push_back({0, 0, -1});
    return out;
}

}  // namespace

std::span<const int> grain_vertex_counts() {
    return kCounts;
}

std::vector<Vec3> grain_directions(int vertices) {
    std::vector<Vec3> out{{0, 0, 1}};
    if (vertices == 4) {
        add_ring(-1.0 / 3, 3, 0, out);
        return out;
    }
    if (vertices == 6) return {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    if (vertices == 12) {
        add_ring(1 / std::sqrt(5.0), 5, 0, out);
        add_ring(-1 / std::sqrt(5.0), 5, 0.5, out);
        out.push_back({0, 0, -1});
        return out;
    }
    for (const auto& [rings, points] : kRings)
        if (2 + rings * points == vertices) return poles_and_rings(rings, points);
    throw std::invalid_argument("no grain with " + std::to_string(vertices) + " vertices");
}

Polyhedron make_grain(int vertices, const Vec3& radii) {
    auto points = grain_directions(vertices);
    for (Vec3& p : points) p = scale(radii, p);
    return make_polyhedron(convex_hull(points).hull);
}

}  // namespace impuls
