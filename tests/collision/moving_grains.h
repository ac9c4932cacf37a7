// Boxes that move by themselves around places on a lattice, for broad phases with memory.
#pragma once

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "geometry/aabb.h"

namespace impuls {

struct MovingGrains {
    std::vector<Vec3> home{}, offset{}, velocity{}, half{};
    std::vector<Aabb> boxes{};
    std::vector<std::uint64_t> ids{};
    double speed = 1;  // scales all velocities

    MovingGrains() = default;
    // n unit cubes, nx x ny x ... places at distance 1; velocities up to v a step.
    MovingGrains(int n, int nx, int ny, double v, std::uint64_t seed) {
        Rng rng(seed, 0);
        const auto vector = [&](double r) {
            return Vec3{rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
        };
        for (int k = 0; k < n; ++k) {
            const Vec3 from = vector(0.5), way = vector(v);
            add({double(k % nx), double(k / nx % ny), double(k / nx / ny)}, from, way, {0.5, 0.5, 0.5});
        }
        step();
    }
    void add(const Vec3& at, const Vec3& from, const Vec3& way, const Vec3& half_edges) {
        home.push_back(at), offset.push_back(from), velocity.push_back(way), half.push_back(half_edges);
        ids.push_back(ids.size()), boxes.emplace_back();
    }
    void step() {
        for (std::size_t i = 0; i < home.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                offset[i][k] += speed * velocity[i][k];
                if (offset[i][k] * velocity[i][k] > 0 && std::abs(offset[i][k]) > 0.5) velocity[i][k] *= -1;
            }
            const Vec3 c = home[i] + offset[i];
            boxes[i] = {c - half[i], c + half[i]};
        }
    }
};

// Slope of log y against log x by least squares.
inline double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double a = std::log(x[k]), b = std::log(y[k]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    const double n = double(x.size());
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace impuls
