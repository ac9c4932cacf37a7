// Independent reference computations for the geometry tests.
// Moments of a polyhedron by the divergence theorem, e.g. integral xx dV = surface integral of (x^3/3) n_x
// dA, with a quadrature on triangles that is exact for cubics, in long double: no tetrahedra, no shift. Hulls
// by brute force: a triple of points is a face when all others lie on one side.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "geometry/mass_properties.h"
#include "geometry/tessellate.h"
#include "impuls/vec.h"

namespace impuls::oracle {

using Real = long double;
using Point3 = std::array<Real, 3>;
using Triangles = std::vector<std::array<Point3, 3>>;

struct Moments {
    Real volume = 0;
    Point3 center{};
    Real inertia[3][3] = {};
};

inline Point3 lift(const Vec3& v) {
    return {v.x, v.y, v.z};
}
inline Point3 minus(const Point3& a, const Point3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point3 times(const Point3& a, const Point3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Real inner(const Point3& a, const Point3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Adds the flux of x/3, of x^2/2 e_i, of x_i^3/3 e_i and of x_i^2 x_j/2 e_i through one triangle.
inline void add_flux(const std::array<Point3, 3>& t, Real& volume, Real first[3], Real second[3][3]) {
    const Point3 area = times(minus(t[1], t[0]), minus(t[2], t[0]));  // twice the area vector
    const Real nodes[4][4] = {{1.0L / 3, 1.0L / 3, 1.0L / 3, -27.0L / 48},
                              {0.6L, 0.2L, 0.2L, 25.0L / 48},
                              {0.2L, 0.6L, 0.2L, 25.0L / 48},
                              {0.2L, 0.2L, 0.6L, 25.0L / 48}};
    for (const auto& node : nodes) {
        Point3 x{};
        for (int i = 0; i < 3; ++i) x[i] = node[0] * t[0][i] + node[1] * t[1][i] + node[2] * t[2][i];
        const Real w = node[3] / 2;
        volume += w * inner(x, area) / 3;
        for (int i = 0; i < 3; ++i) {
            first[i] += w * x[i] * x[i] / 2 * area[i];
            second[i][i] += w * x[i] * x[i] * x[i] / 3 * area[i];
            const int j = (i + 1) % 3;
            second[i][j] += w * x[i] * x[i] * x[j] / 2 * area[i];
        }
    }
}

inline Moments moments(const Triangles& triangles) {
    Moments out;
    Real first[3] = {}, second[3][3] = {};
    for (const auto& t : triangles) add_flux(t, out.volume, first, second);
    for (int i = 0; i < 3; ++i) out.center[i] = first[i] / out.volume;
    Real c[3][3];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        c[i][i] = second[i][i] - out.volume * out.center[i] * out.center[i];
        c[i][j] = c[j][i] = second[i][j] - out.volume * out.center[i] * out.center[j];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out.inertia[i][j] = (i == j ? c[0][0] + c[1][1] + c[2][2] : Real(0)) - c[i][j];
    return out;
}

inline Moments moments(const TriangleMesh& mesh) {
    Triangles triangles;
    for (const auto& [a, b, c] : mesh.triangles)
        triangles.push_back({lift(mesh.vertices[a]), lift(mesh.vertices[b]), lift(mesh.vertices[c])});
    return moments(triangles);
}

// For points in general position.
inline Triangles brute_hull(const std::vector<Vec3>& points) {
    Triangles out;
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
            for (std::size_t k = j + 1; k < n; ++k) {
                const Point3 a = lift(points[i]), b = lift(points[j]), c = lift(points[k]);
                const Point3 normal = times(minus(b, a), minus(c, a));
                int above = 0, below = 0;
                for (std::size_t l = 0; l < n && !(above && below); ++l) {
                    if (l == i || l == j || l == k) continue;
                    (inner(normal, minus(lift(points[l]), a)) > 0 ? above : below)++;
                }
                if (!above) out.push_back({a, b, c});
                if (!below) out.push_back({a, c, b});
            }
    return out;
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
    }
    Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
    Vec3 direction() {
        for (;;) {
            const Vec3 v = vector(1);
            const double l = length(v);
            if (l > 0.1 && l < 1) return v / l;
        }
    }
    Quat rotation() {
        for (;;) {
            const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double l = length_squared(q);
            if (l > 0.01 && l < 1) return normalized(q);
        }
    }

  private:
    std::mt19937_64 engine_;
};

// Relative error of volume, distance of the centres over the size, error of the inertia over its largest
// entry.
struct Errors {
    double volume = 0, center = 0, inertia = 0;
};
inline Errors errors(const MassProperties& m, const Moments& exact, double size) {
    Errors e;
    e.volume = static_cast<double>(std::abs(m.mass - exact.volume) / exact.volume);
    Real largest = 0;
    for (int i = 0; i < 3; ++i) {
        e.center = std::max(e.center, static_cast<double>(std::abs(m.center[i] - exact.center[i]) / size));
        for (int j = 0; j < 3; ++j) {
            largest = std::max(largest, std::abs(exact.inertia[i][j]));
            e.inertia =
                std::max(e.inertia, static_cast<double>(std::abs(m.inertia[j][i] - exact.inertia[i][j])));
        }
    }
    e.inertia /= static_cast<double>(largest);
    return e;
}

}  // namespace impuls::oracle
