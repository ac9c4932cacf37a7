// Exact distances and depths (exact_reference.h).
#include "exact/exact_reference.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Exact_rational.h>
#include <CGAL/Gmpzf.h>
#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace impuls::exact {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Distance = CGAL::Polytope_distance_d<CGAL::Polytope_distance_d_traits_3<Kernel, CGAL::Gmpzf, double>>;
using Rational = CGAL::Exact_rational;
using Rational3 = std::array<Rational, 3>;

Rational3 lift(const Point& p) {
    return {Rational(p.x()), Rational(p.y()), Rational(p.z())};
}
Rational3 minus(const Rational3& a, const Rational3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational3 times(const Rational3& a, const Rational3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Rational inner(const Rational3& a, const Rational3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Distance of the origin behind the plane through three points, counter-clockwise from outside.
double behind(const Point& p, const Point& q, const Point& r) {
    const Rational3 a = lift(p), n = times(minus(lift(q), a), minus(lift(r), a));
    const Rational height = inner(n, a), squared = height * height / inner(n, n);
    const double h = std::sqrt(CGAL::to_double(squared));
    return height < 0 ? -h : h;
}

}  // namespace

double distance(std::span<const Vec3> a, std::span<const Vec3> b) {
    std::vector<Point> pa, pb;
    for (const Vec3& v : a) pa.emplace_back(v.x, v.y, v.z);
    for (const Vec3& v : b) pb.emplace_back(v.x, v.y, v.z);
    const Distance found(pa.begin(), pa.end(), pb.begin(), pb.end());
    const auto num = found.squared_distance_numerator(), den = found.squared_distance_denominator();
    return std::sqrt(CGAL::to_double(CGAL::Quotient<CGAL::Gmpzf>(num, den)));
}

double depth(std::span<const Vec3> a, std::span<const Vec3> b) {
    std::vector<Point> difference;
    for (const Vec3& v : a)
        for (const Vec3& w : b) difference.emplace_back(v.x - w.x, v.y - w.y, v.z - w.z);
    CGAL::Surface_mesh<Point> hull;
    CGAL::convex_hull_3(difference.begin(), difference.end(), hull);
    double best = std::numeric_limits<double>::infinity();
    for (const auto f : hull.faces()) {
        std::array<Point, 3> p;
        std::size_t k = 0;
        for (const auto v : hull.vertices_around_face(hull.halfedge(f)))
            if (k < 3) p[k++] = hull.point(v);
        best = std::min(best, behind(p[0], p[1], p[2]));
    }
    return best;
}

}  // namespace impuls::exact
