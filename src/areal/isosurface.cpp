// Marching tetrahedra (isosurface.h).
#include "areal/isosurface.h"

#include <algorithm>
#include <cmath>

namespace impuls::areal {
namespace {

struct Distance {
    double f = 0;
    Vec3 slope{};
};

Distance distance_to(const Surface& s, const Vec3& x) {
    if (s.is_plane()) return {x.y, {0, 1, 0}};
    const SurfaceDistance d = signed_distance(*s.triangles, x, kInfinity);
    const Vec3 way = x - d.point;
    const double size = length(way);
    return {d.distance, size > 0 ? way * (d.distance / (size * std::abs(d.distance)))
                                 : s.triangles->face_normals[d.triangle]};
}

// f of the target at a place that is fixed in the base, when the target is displaced and rotated.
double with_slope(double f, const Vec3&, const Vec3&, double) {
    return f;
}
Dual with_slope(double f, const Vec3& slope, const Vec3& arm, const Dual&) {
    Dual out(f);
    const Vec3 turn = cross(arm, slope);  // f(x) falls by slope . (d + r x arm)
    for (int k = 0; k < 3; ++k) {
        out.d[static_cast<std::size_t>(k)] = -slope[k];
        out.d[static_cast<std::size_t>(3 + k)] = -turn[k];
    }
    return out;
}

// Corners of a box by bits, and its six tetrahedra around the diagonal from 0 to 7.
constexpr int kTetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

}  // namespace

void find_cells(const Surface& base, const Surface& target, const Pose& X_BT, double share, double spacing,
                IsoScratch& scratch) {
    scratch.cells.clear();
    scratch.stack.clear();
    if (base.is_plane() && target.is_plane()) return;
    const Pose X_TB = inverse(X_BT);
    const auto of_target = [&](const Vec3& x) {
        Distance d = distance_to(target, X_TB * x);
        d.slope = rotate(X_BT.orientation, d.slope);
        return d;
    };
    // A cube about what is finite, of 2^k spacings.
    const Surface& around = base.is_plane() || target.radius < base.radius ? target : base;
    const Vec3 middle = &around == &base ? Vec3{} : X_BT.position;
    std::int64_t size = 1;
    while (static_cast<double>(size) * spacing < 2 * around.radius + 2 * spacing) size *= 2;
    const auto floor_of = [&](double x) {
        return static_cast<std::int64_t>(std::floor((x - around.radius) / spacing)) - 1;
    };
    scratch.stack.push_back({floor_of(middle.x), floor_of(middle.y), floor_of(middle.z), 2 * size});
    while (!scratch.stack.empty()) {
        const auto [i, j, k, n] = scratch.stack.back();
        scratch.stack.pop_back();
        const double edge = static_cast<double>(n) * spacing, half = 0.5 * edge * std::sqrt(3.0);
        const Vec3 low{static_cast<double>(i) * spacing, static_cast<double>(j) * spacing,
                       static_cast<double>(k) * spacing};
        const Vec3 c = low + Vec3{edge, edge, edge} * 0.5;
        const double fb = distance_to(base, c).f;
        if (fb > half) continue;
        const double ft = of_target(c).f;
        if (ft > half || std::abs((1 - share) * fb - share * ft) > half) continue;
        if (n > 1) {
            const std::int64_t h = n / 2;
            for (int bits = 7; bits >= 0; --bits)
                scratch.stack.push_back(
                    {i + (bits & 1 ? h : 0), j + (bits & 2 ? h : 0), k + (bits & 4 ? h : 0), h});
            continue;
        }
        std::array<Vec3, 8> x;
        std::array<double, 8> of_base;
        std::array<Distance, 8> other;
        for (std::size_t b = 0; b < 8; ++b) {
            x[b] = low + Vec3{b & 1 ? spacing : 0, b & 2 ? spacing : 0, b & 4 ? spacing : 0};
            of_base[b] = distance_to(base, x[b]).f;
            other[b] = of_target(x[b]);
        }
        constexpr std::int64_t kMiddle = 1 << 20, kMask = (1 << 21) - 1;
        const auto bits = [&](std::int64_t a) { return static_cast<std::uint64_t>((a + kMiddle) & kMask); };
        for (const auto& t : kTetrahedra) {
            IsoCell cell;
            int positive = 0;
            bool is_deep = false;
            for (std::size_t p = 0; p < 4; ++p) {
                const auto b = static_cast<std::size_t>(t[p]);
                cell.corner[p] = x[b], cell.base[p] = of_base[b], cell.target[p] = other[b].f;
                cell.slope[p] = other[b].slope;
                positive += (1 - share) * of_base[b] - share * other[b].f >= 0;
                is_deep |= of_base[b] + other[b].f < 0;
            }
            if (positive == 0 || positive == 4 || !is_deep) continue;
            cell.box = bits(i) << 42 | bits(j) << 21 | bits(k);
            scratch.cells.push_back(cell);
        }
    }
}

template <class T>
IsoPiece<T> iso_piece(const IsoCell& cell, double share, const Vec3& target_origin) {
    std::array<T, 4> g, u;
    for (std::size_t p = 0; p < 4; ++p) {
        const T f = with_slope(cell.target[p], cell.slope[p], cell.corner[p] - target_origin, T(0));
        g[p] = T((1 - share) * cell.base[p]) - f * share;
        u[p] = T(-cell.base[p]) - f;
    }
    IsoPiece<T> whole;
    const auto cross_edge = [&](std::size_t a, std::size_t b) {  // a is below, b not
        const T s = g[a] / (g[a] - g[b]);
        const Vec<T> x = fixed<T>(cell.corner[a]);
        const auto n = static_cast<std::size_t>(whole.polygon.count++);
        whole.polygon.corner[n] = x + (fixed<T>(cell.corner[b]) - x) * s;
        whole.depth[n] = u[a] + (u[b] - u[a]) * s;
    };
    std::array<std::size_t, 4> below{}, above{};
    std::size_t nb = 0, na = 0;
    for (std::size_t p = 0; p < 4; ++p) (value_of(g[p]) >= 0 ? above[na++] : below[nb++]) = p;
    if (nb == 1)
        for (std::size_t q = 0; q < 3; ++q) cross_edge(below[0], above[q]);
    else if (nb == 3)
        for (std::size_t q = 0; q < 3; ++q) cross_edge(below[q], above[0]);
    else if (nb == 2)
        cross_edge(below[0], above[0]), cross_edge(below[0], above[1]), cross_edge(below[1], above[1]),
            cross_edge(below[1], above[0]);
    // Keep u >= 0.
    IsoPiece<T> out;
    const int n = whole.polygon.count;
    const auto add = [&](const Vec<T>& x, const T& depth) {
        const auto at = static_cast<std::size_t>(out.polygon.count++);
        out.polygon.corner[at] = x, out.depth[at] = depth;
    };
    for (int k = 0; k < n; ++k) {
        const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>((k + 1) % n);
        const bool is_in = value_of(whole.depth[a]) >= 0, is_next = value_of(whole.depth[b]) >= 0;
        const auto &xa = whole.polygon.corner[a], &xb = whole.polygon.corner[b];
        if (is_in) add(xa, whole.depth[a]);
        if (is_in != is_next) {
            const T s = whole.depth[a] / (whole.depth[a] - whole.depth[b]);
            add(xa + (xb - xa) * s, T(0));
        }
    }
    if (out.polygon.count < 3) return {};
    // Out of the base: towards where g grows.
    Vec3 normal{};
    for (int k = 1; k + 1 < out.polygon.count; ++k) {
        const auto at = [&](int i) { return plain(out.polygon.corner[static_cast<std::size_t>(i)]); };
        normal += cross(at(k) - at(0), at(k + 1) - at(0));
    }
    if (dot(normal, cell.corner[above[0]] - cell.corner[below[0]]) < 0)
        for (int i = 0, j = out.polygon.count - 1; i < j; ++i, --j) {
            std::swap(out.polygon.corner[static_cast<std::size_t>(i)],
                      out.polygon.corner[static_cast<std::size_t>(j)]);
            std::swap(out.depth[static_cast<std::size_t>(i)], out.depth[static_cast<std::size_t>(j)]);
        }
    return out;
}

template <class T>
void press(const ArealLaw& law, const IsoPiece<T>& piece, const Motion6<T>& motion, Pressed<T>& sum) {
    for (int i = 1; i + 1 < piece.polygon.count; ++i) {
        const std::array<std::size_t, 3> at{0, static_cast<std::size_t>(i), static_cast<std::size_t>(i + 1)};
        const auto& x = piece.polygon.corner;
        // Out of the target, a third of the area.
        const Vec<T> area = cross(x[at[2]] - x[at[0]], x[at[1]] - x[at[0]]) * (0.5 / 3);
        const double size = length(plain(area));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = at[k], b = at[(k + 1) % 3];
            const T u = (piece.depth[a] + piece.depth[b]) * 0.5;
            if (value_of(u) > 0) press_part(law, (x[a] + x[b]) * 0.5, u, area, size, -1, motion, sum);
        }
    }
}

template IsoPiece<double> iso_piece<double>(const IsoCell&, double, const Vec3&);
template IsoPiece<Dual> iso_piece<Dual>(const IsoCell&, double, const Vec3&);
template void press<double>(const ArealLaw&, const IsoPiece<double>&, const Motion6<double>&,
                            Pressed<double>&);
template void press<Dual>(const ArealLaw&, const IsoPiece<Dual>&, const Motion6<Dual>&, Pressed<Dual>&);

}  // namespace impuls::areal
