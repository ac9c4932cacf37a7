// The overlap of two convex bodies in exact rational arithmetic (CGAL, lazily evaluated: intervals
// decide where they can): the oracle for
// geometry/overlap.h, by another road. Hulls come from CGAL; every triangle of each body is clipped by all
// planes of the other on its own. Planes that a triangle is clear of by a millionth of the size are decided
// in doubles.
#pragma once

#include <CGAL/Gmpq.h>
#include <CGAL/Lazy_exact_nt.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <array>
#include <span>
#include <vector>

#include "impuls/vec.h"

namespace impuls::exact {

using Number = CGAL::Lazy_exact_nt<CGAL::Gmpq>;
using Kernel = CGAL::Simple_cartesian<Number>;
using Point = Kernel::Point_3;
using Vector = Kernel::Vector_3;
using ExactPlane = Kernel::Plane_3;

struct Body {
    std::vector<Point> points{};
    std::vector<std::array<std::size_t, 3>> triangles{};
    std::vector<ExactPlane> planes{};            // of the triangles
    std::vector<std::size_t> distinct{};         // planes without repetition
    std::vector<Vec3> near_points{}, normals{};  // the same in doubles
};

// The nearest double, or the middle of an interval that is not wider than 2e-13.
inline double value(const Number& x) {
    const auto [low, high] = CGAL::to_interval(x);
    if (high - low <= 2e-13) return 0.5 * (low + high);
    return CGAL::to_double(x.exact());
}
template <class PointOrVector>
Vec3 to_vec(const PointOrVector& p) {
    return {value(p.x()), value(p.y()), value(p.z())};
}

// Planes and doubles from points and triangles.
inline void complete(Body& b) {
    b.planes.clear(), b.near_points.clear(), b.normals.clear();
    for (const Point& p : b.points) b.near_points.push_back(to_vec(p));
    for (const auto& t : b.triangles) {
        b.planes.emplace_back(b.points[t[0]], b.points[t[1]], b.points[t[2]]);
        b.normals.push_back(normalized(
            cross(b.near_points[t[1]] - b.near_points[t[0]], b.near_points[t[2]] - b.near_points[t[0]])));
    }
}

inline Body hull(std::span<const Vec3> vertices) {
    std::vector<Point> points;
    for (const Vec3& v : vertices) points.emplace_back(v.x, v.y, v.z);
    CGAL::Surface_mesh<Point> mesh;
    CGAL::convex_hull_3(points.begin(), points.end(), mesh, Kernel());
    Body b;
    for (const auto v : mesh.vertices()) b.points.push_back(mesh.point(v));
    for (const auto f : mesh.faces()) {
        std::vector<std::size_t> c;
        for (const auto v : mesh.vertices_around_face(mesh.halfedge(f)))
            c.push_back(static_cast<std::size_t>(v));
        for (std::size_t k = 2; k < c.size(); ++k) b.triangles.push_back({c[0], c[k - 1], c[k]});
    }
    complete(b);
    for (std::size_t i = 0; i < b.planes.size(); ++i) {
        bool seen = false;
        for (const auto j : b.distinct) seen = seen || b.planes[j] == b.planes[i];
        if (!seen) b.distinct.push_back(i);
    }
    return b;
}

// The rotation of a quaternion that need not have length one, exactly.
inline Body placed(const Body& body, const Pose& X) {
    const Quat& q = X.orientation;
    const Number w = q.w, x = q.x, y = q.y, z = q.z;
    const Number n = w * w + x * x + y * y + z * z;
    const Vector u(x, y, z), t(X.position.x, X.position.y, X.position.z);
    Body b = body;
    for (Point& p : b.points) {
        const Vector v(p.x(), p.y(), p.z());
        const Vector uv = CGAL::cross_product(u, v);
        const Vector r = v + (w * uv + CGAL::cross_product(u, uv)) * (Number(2) / n);
        p = Point(r.x() + t.x(), r.y() + t.y(), r.z() + t.z());
    }
    complete(b);
    return b;
}

struct Result {
    Number volume = 0;
    Vector first_moment{0, 0, 0};
    Vector area_a{0, 0, 0}, area_b{0, 0, 0};
};

inline Number height(const ExactPlane& plane, const Point& p) {
    return plane.a() * p.x() + plane.b() * p.y() + plane.c() * p.z() + plane.d();
}

inline std::vector<Point> clipped(const std::vector<Point>& polygon, const ExactPlane& plane) {
    std::vector<Point> out;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Point &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
        const Number hp = height(plane, p), hq = height(plane, q);
        if (hp <= 0) out.push_back(p);
        if (CGAL::sign(hp) * CGAL::sign(hq) < 0) out.push_back(p + (q - p) * (hp / (hp - hq)));
    }
    return out;
}

// Adds the part of a's triangles inside b. A triangle in a plane of b with the same outward side is kept
// once: by a only (`keep_coincident`).
inline void add_side(const Body& a, const Body& b, double size, bool keep_coincident, Vector& area,
                     Result& r) {
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
        const auto& t = a.triangles[i];
        std::vector<std::size_t> near;
        bool outside = false;
        for (const auto j : b.distinct) {
            const Vec3 n = b.normals[j], o = b.near_points[b.triangles[j][0]];
            int in = 0, out = 0;
            for (const auto v : t) {
                const double h = dot(n, a.near_points[v] - o);
                in += h<-1e-6 * size, out += h> 1e-6 * size;
            }
            if (out == 3) outside = true;
            if (in < 3) near.push_back(j);
        }
        if (outside) continue;
        std::vector<Point> polygon{a.points[t[0]], a.points[t[1]], a.points[t[2]]};
        for (const auto j : near) {
            bool coplanar = true;
            for (const auto v : t) coplanar = coplanar && b.planes[j].has_on(a.points[v]);
            if (coplanar && !keep_coincident &&
                a.planes[i].orthogonal_vector() * b.planes[j].orthogonal_vector() > 0)
                polygon.clear();
            polygon = clipped(polygon, b.planes[j]);
            if (polygon.size() < 3) break;
        }
        for (std::size_t k = 2; k < polygon.size(); ++k) {
            const Vector p = polygon[0] - CGAL::ORIGIN, q = polygon[k - 1] - CGAL::ORIGIN,
                         s = polygon[k] - CGAL::ORIGIN;
            const Vector double_area = CGAL::cross_product(q - p, s - p);
            const Number six_volumes = p * double_area;
            r.volume += six_volumes / 6;
            r.first_moment = r.first_moment + (p + q + s) * (six_volumes / 24);
            area = area + double_area / Number(2);
        }
    }
}

inline Result overlap(const Body& a, const Body& b, double size) {
    Result r;
    add_side(a, b, size, true, r.area_a, r);
    add_side(b, a, size, false, r.area_b, r);
    return r;
}

}  // namespace impuls::exact
