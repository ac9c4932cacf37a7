// Nearest point of a simplex (simplex.h).
#include "collision/convex/simplex.h"

#include <limits>

#include "math/cross.h"

namespace impuls {
namespace {

constexpr double kFlat = 1e-28;  // squared sine below which a triangle counts as a segment
constexpr double kNear = 1e-6;   // squared distance over squared length of the points

struct Candidate {
    int count = 0;
    std::array<int, 4> index{};
    std::array<double, 4> weight{};
    Vec3 v{};
    double vv = std::numeric_limits<double>::infinity();

    void offer(const Candidate& c) {
        if (c.vv < vv) *this = c;
    }
};

void try_vertex(const Simplex& s, int i, Candidate& best) {
    const Vec3& w = s.points[static_cast<std::size_t>(i)].w;
    best.offer({1, {i}, {1}, w, dot(w, w)});
}

void try_edge(const Simplex& s, int i, int j, Candidate& best) {
    const Vec3& a = s.points[static_cast<std::size_t>(i)].w;
    const Vec3 e = s.points[static_cast<std::size_t>(j)].w - a;
    const double ee = dot(e, e), num = -dot(a, e);
    if (!(num > 0 && num < ee)) return;
    const double t = num / ee;
    const Vec3 v = a + e * t;
    best.offer({2, {i, j}, {1 - t, t}, v, dot(v, v)});
}

// Weights from the corner a, so that they stay right for small triangles far from the origin; the point along
// the normal when the triangle is near compared with its size, where the sum of corners would cancel.
void try_triangle(const Simplex& s, int i, int j, int k, Candidate& best) {
    const Vec3& a = s.points[static_cast<std::size_t>(i)].w;
    const Vec3 e = s.points[static_cast<std::size_t>(j)].w - a;
    const Vec3 f = s.points[static_cast<std::size_t>(k)].w - a;
    const Vec3 n = accurate_cross(e, f);
    const double nn = dot(n, n), ee = dot(e, e);
    if (!(nn > kFlat * ee * dot(f, f))) return;
    const double wj = dot(n, accurate_cross(f, a)), wk = dot(n, accurate_cross(a, e)), wi = nn - wj - wk;
    if (!(wi > 0 && wj > 0 && wk > 0)) return;
    const double na = dot(n, a);
    const Vec3 v = na * na < ee * nn ? n * (na / nn) : a + e * (wj / nn) + f * (wk / nn);
    best.offer({3, {i, j, k}, {wi / nn, wj / nn, wk / nn}, v, dot(v, v)});
}

// The origin is on the same side of each face as the corner opposite.
bool holds_origin(const Simplex& s) {
    const auto same_side = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t opposite) {
        const Vec3& a = s.points[i].w;
        const Vec3 e = s.points[j].w - a, f = s.points[k].w - a, g = s.points[opposite].w - a;
        const Vec3 n = cross(e, f);
        const double height = dot(n, g), origin = -dot(n, a);
        const double flat = kFlat * dot(e, e) * dot(f, f) * dot(g, g);
        return height * height > flat && (height > 0 ? origin >= 0 : origin <= 0);
    };
    return same_side(0, 1, 2, 3) && same_side(0, 1, 3, 2) && same_side(0, 2, 3, 1) && same_side(1, 2, 3, 0);
}

// Sum of weight * coordinate with the error of one rounding, for weights that add up to one exactly: the
// first is 1 minus the others, kept as a sum.
double affine(const Simplex& s, int axis) {
    DoubleSum first = exact_sum(1, -s.weight[1]);
    if (s.count == 3) {
        const DoubleSum next = exact_sum(first.high, -s.weight[2]);
        first = {next.high, next.low + first.low};
    }
    DoubleSum total = exact_product(first.high, s.points[0].w[axis]);
    total.low += first.low * s.points[0].w[axis];
    for (std::size_t i = 1; i < static_cast<std::size_t>(s.count); ++i) {
        const DoubleSum p = exact_product(s.weight[i], s.points[i].w[axis]);
        const DoubleSum next = exact_sum(total.high, p.high);
        total = {next.high, next.low + total.low + p.low};
    }
    return total.high + total.low;
}

// Bodies about to touch: v is small against the points, and its direction would be rounding. The sum is
// formed anew without cancellation, and what is left along the simplex taken away.
void sharpen(Simplex& s) {
    s.v = {affine(s, 0), affine(s, 1), affine(s, 2)};
    const Vec3 e = s.points[1].w - s.points[0].w;
    const double ee = dot(e, e);
    s.v -= e * (dot(s.v, e) / ee);
    if (s.count < 3) return;
    const Vec3 f = s.points[2].w - s.points[0].w;
    const Vec3 g = f - e * (dot(f, e) / ee);
    s.v -= g * (dot(s.v, g) / dot(g, g));
}

void keep(Simplex& s, const Candidate& c) {
    const auto old = s.points;
    s.count = c.count;
    s.v = c.v;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.count); ++i) {
        s.points[i] = old[static_cast<std::size_t>(c.index[i])];
        s.weight[i] = c.weight[i];
    }
    if (s.count > 1 && c.vv < kNear * dot(s.points[0].w, s.points[0].w)) sharpen(s);
}

}  // namespace

bool Simplex::holds(const Vec3& w) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        if (points[i].w == w) return true;
    return false;
}

Vec3 Simplex::point_a() const {
    Vec3 p;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) p += points[i].a * weight[i];
    return p;
}

Vec3 Simplex::point_b() const {
    Vec3 p;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) p += points[i].p_B * weight[i];
    return p;
}

bool reduce(Simplex& s, bool newest_only) {
    if (s.count == 4 && holds_origin(s)) return true;
    const int last = s.count - 1;
    Candidate best;
    for (int i = 0; i <= last; ++i) {
        if (!newest_only || i == last) try_vertex(s, i, best);
        for (int j = i + 1; j <= last; ++j) {
            if (!newest_only || j == last) try_edge(s, i, j, best);
            for (int k = j + 1; k <= last; ++k)
                if (!newest_only || k == last) try_triangle(s, i, j, k, best);
        }
    }
    keep(s, best);
    return false;
}

}  // namespace impuls
