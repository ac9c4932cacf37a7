// Closed meshes for tests and benchmarks: those of shapes, subdivided cube, torus, bumpy sphere, prism over
// an L or a U.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "geometry/tessellate.h"

namespace impuls::meshes {

inline Mesh as_mesh(const TriangleMesh& triangles) {
    Mesh mesh;
    mesh.vertices = triangles.vertices;
    for (const auto& t : triangles.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    return mesh;
}
inline Mesh mesh_of(const Shape& shape, int segments) {
    return as_mesh(tessellate(shape, segments));
}

inline void add_quad(TriangleMesh& m, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    m.triangles.push_back({a, b, c});
    m.triangles.push_back({a, c, d});
}

// A box of edge lengths `side` about the origin, n x n quads on each face, vertices shared.
inline TriangleMesh box(const Vec3& side, int n) {
    TriangleMesh m;
    std::map<std::tuple<int, int, int>, std::uint32_t> number;
    const auto vertex = [&](const int(&k)[3]) {
        const auto [at, is_new] =
            number.try_emplace({k[0], k[1], k[2]}, static_cast<std::uint32_t>(m.vertices.size()));
        if (is_new)
            m.vertices.push_back({side.x * (double(k[0]) / n - 0.5), side.y * (double(k[1]) / n - 0.5),
                                  side.z * (double(k[2]) / n - 0.5)});
        return at->second;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (int end = 0; end < 2; ++end)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    std::uint32_t v[4];
                    for (int c = 0; c < 4; ++c) {
                        int k[3];
                        k[axis] = end * n;
                        k[(axis + 1) % 3] = i + (c == 1 || c == 2);
                        k[(axis + 2) % 3] = j + (c >= 2);
                        v[c] = vertex(k);
                    }
                    if (end)
                        add_quad(m, v[0], v[1], v[2], v[3]);
                    else
                        add_quad(m, v[0], v[3], v[2], v[1]);
                }
    return m;
}
inline TriangleMesh cube(double side, int n) {
    return box({side, side, side}, n);
}

// Ring of radius R and tube radius r about the y axis.
inline TriangleMesh torus(double R, double r, int around, int tube) {
    TriangleMesh m;
    const double turn = 6.283185307179586;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < tube; ++j) {
            const double u = turn * i / around, v = turn * j / tube, d = R + r * std::cos(v);
            m.vertices.push_back({d * std::cos(u), r * std::sin(v), d * std::sin(u)});
        }
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i % around * tube + j % tube); };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < tube; ++j) add_quad(m, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    return m;
}

// |x| = radius (1 + height sin-waves of the direction): not convex.
inline TriangleMesh bumpy_sphere(double radius, double height, int segments) {
    TriangleMesh m = tessellate(Sphere{radius}, segments);
    for (Vec3& p : m.vertices) {
        const Vec3 d = p / radius;
        p = p * (1 + height * std::sin(5 * d.x) * std::sin(4 * d.y + 1) * std::sin(6 * d.z + 2));
    }
    return m;
}

// Prism over cells (i, j) of a grid of squares with edge `cell` in the xy-plane, thickness in z: cells that
// share an edge are joined. Without inner walls.
inline TriangleMesh from_cells(const std::vector<std::pair<int, int>>& cells, double cell, double thickness) {
    TriangleMesh m;
    const auto filled = [&](int i, int j) {
        for (const auto& [a, b] : cells)
            if (a == i && b == j) return true;
        return false;
    };
    std::map<std::tuple<int, int, int>, std::uint32_t> number;
    const auto vertex = [&](int i, int j, int k) {
        const auto [at, is_new] =
            number.try_emplace({i, j, k}, static_cast<std::uint32_t>(m.vertices.size()));
        if (is_new) m.vertices.push_back({cell * i, cell * j, thickness * (k - 0.5)});
        return at->second;
    };
    for (const auto& [i, j] : cells) {
        add_quad(m, vertex(i, j, 1), vertex(i + 1, j, 1), vertex(i + 1, j + 1, 1), vertex(i, j + 1, 1));
        add_quad(m, vertex(i, j, 0), vertex(i, j + 1, 0), vertex(i + 1, j + 1, 0), vertex(i + 1, j, 0));
        const int side[4][6] = {
            {1, 0, 1, 0, 1, 1}, {0, 1, 1, 1, 0, 1}, {-1, 0, 0, 1, 0, 0}, {0, -1, 0, 0, 1, 0}};
        for (const auto& [di, dj, ai, aj, bi, bj] : side) {
            if (filled(i + di, j + dj)) continue;
            add_quad(m, vertex(i + ai, j + aj, 0), vertex(i + bi, j + bj, 0), vertex(i + bi, j + bj, 1),
                     vertex(i + ai, j + aj, 1));
        }
    }
    return m;
}
inline TriangleMesh l_shape(double cell, double thickness) {
    return from_cells({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {0, 2}}, cell, thickness);
}
inline TriangleMesh u_shape(double cell, double thickness) {
    return from_cells({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {2, 2}}, cell, thickness);
}

inline TriangleMesh scaled(TriangleMesh m, double factor) {
    for (Vec3& p : m.vertices) p *= factor;
    return m;
}
inline TriangleMesh moved(TriangleMesh m, const Vec3& by) {
    for (Vec3& p : m.vertices) p += by;
    return m;
}
inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
    const auto n = static_cast<std::uint32_t>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles) a.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    return a;
}

}  // namespace impuls::meshes
