// Closed forms of pressed layers (spec: areal-contact 3.4), and what tests of areal contact share: meshes,
// measured orders of convergence.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "areal/contact.h"

namespace impuls::areal {

inline constexpr double kPi = std::numbers::pi;

// Of the upper surface on the lower one: force and moment about its own origin, in axes of the lower.
struct Reaction {
    Vec3 force{}, moment{};
    double energy = 0;
};
inline Reaction reaction(ArealPair& pair, const Pose& X_lower_upper) {
    const bool lower_is_base = pair.a_is_base();
    const Pose X = lower_is_base ? X_lower_upper : inverse(X_lower_upper);
    const Pressed<double>& p = pair.press(X, {});
    Vec3 force = plain(p.force), moment = plain(p.torque);
    if (!lower_is_base) {  // on the upper one already
        force = rotate(X_lower_upper.orientation, force);
        return {force, rotate(X_lower_upper.orientation, moment), p.energy};
    }
    return {-force, cross(X_lower_upper.position, force) - moment, p.energy};
}

inline TriangleMesh box_mesh(const Vec3& size) {
    return tessellate(Box{size});
}
// A sheet in the plane y = 0, n x n cells, with corners moved by `bend`.
inline TriangleMesh sheet(double size, int n, const std::function<Vec3(const Vec3&)>& bend) {
    TriangleMesh mesh;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            mesh.vertices.push_back(bend({size * (i - 0.5 * n) / n, 0, size * (j - 0.5 * n) / n}));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const auto at = [&](int a, int b) { return static_cast<std::uint32_t>(a * (n + 1) + b); };
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    return mesh;
}
// Two shallow bumpy bowls, upside down on each other: many triangles, of which few meet. X: of the upper one.
inline ArealPair bowls(int n) {
    const auto bumps = [](const Vec3& x) {
        return x +
               Vec3{0, 0.05 * (x.x * x.x + x.z * x.z) + 1e-4 * std::sin(60 * x.x) * std::sin(50 * x.z), 0};
    };
    const Surface lower = mesh_surface(sheet(1, n, [&](const Vec3& x) {
        Vec3 p = bumps(x);
        p.y = -p.y;
        return p;
    }));
    TriangleMesh above = sheet(1, n, bumps);
    for (auto& t : above.triangles) std::swap(t[1], t[2]);
    ArealPair pair;
    ArealLaw law;
    law.stiffness = 1e8;
    pair.bind(lower, mesh_surface(above), law);
    return pair;
}
inline Pose pressed_bowl(const ArealPair& pair, double aside) {
    const Pose X{{aside, -2e-4, 0}, {}};
    return pair.a_is_base() ? X : inverse(X);
}

// A body of revolution about y, from (radius, height) upwards, outside seen from outside.
inline TriangleMesh lathe(const std::vector<std::pair<double, double>>& profile, int around) {
    TriangleMesh mesh;
    for (const auto& [r, h] : profile)
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * kPi * i / around;
            mesh.vertices.push_back({r * std::cos(angle), h, r * std::sin(angle)});
        }
    for (std::size_t k = 0; k + 1 < profile.size(); ++k)
        for (int i = 0; i < around; ++i) {
            const auto at = [&](std::size_t ring, int j) {
                return static_cast<std::uint32_t>(ring * static_cast<std::size_t>(around) +
                                                  static_cast<std::size_t>(j % around));
            };
            mesh.triangles.push_back({at(k, i), at(k + 1, i), at(k, i + 1)});
            mesh.triangles.push_back({at(k, i + 1), at(k + 1, i), at(k + 1, i + 1)});
        }
    return mesh;
}

// Simpson's rule.
inline double integral(double from, double to, const std::function<double(double)>& f, int n = 2000) {
    double sum = f(from) + f(to);
    for (int k = 1; k < n; ++k) sum += f(from + (to - from) * k / n) * (k % 2 ? 4 : 2);
    return sum * (to - from) / n / 3;
}

// Least-squares slope of log(error) over log(size).
inline double order_of(const std::vector<double>& size, const std::vector<double>& error) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(size.size());
    for (std::size_t k = 0; k < size.size(); ++k) {
        const double a = std::log(size[k]), b = std::log(error[k]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace impuls::areal
