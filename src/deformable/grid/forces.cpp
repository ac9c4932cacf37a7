// Bending, shear and air of grids as sums over stencils (forces.h). Every stencil's forces add up to zero,
// and so do their moments: the force on a stencil with weights w_i (sum 0) is -c w_i B, B = sum w_i x_i, of
// moment -c (sum w_i x_i) x B = 0. A damping force is along B and keeps that. Called by Sheet.
#include "deformable/grid/forces.h"

#include <array>
#include <cmath>

namespace impuls::deformable {
namespace {

struct Nodes3 {
    const double *x, *y, *z;
    Vec3 at(int i) const { return {x[i], y[i], z[i]}; }
};

Nodes3 places(const Grid& g) {
    return {g.x, g.y, g.z};
}
Nodes3 velocities(const Grid& g) {
    return {g.vx, g.vy, g.vz};
}

// Calls visit(nodes, weights, c) for each stencil of bending, its energy being c/2 |sum w x|^2.
template <class Visit>
void for_each_bend(const Grid& g, const GridSpacing& s, double stiffness, const Visit& visit) {
    const bool is_rope = g.rows == 1;
    const std::array<double, 3> second{1, -2, 1};
    const double a = s.across, b = is_rope ? 1 : s.down;
    const double along = is_rope ? stiffness / (a * a * a) : stiffness * b / (a * a * a);
    for (int r = 0; r < g.rows; ++r) {
        const bool is_rim = !is_rope && (r == 0 || r + 1 == g.rows);
        for (int c = 1; c + 1 < g.columns; ++c) {
            const int i = r * g.pitch + c;
            visit(std::array<int, 3>{i - 1, i, i + 1}, second, is_rim ? 0.5 * along : along);
        }
    }
    if (is_rope) return;
    const double down = stiffness * a / (b * b * b);
    for (int r = 1; r + 1 < g.rows; ++r)
        for (int c = 0; c < g.columns; ++c) {
            const int i = r * g.pitch + c;
            const bool is_rim = c == 0 || c + 1 == g.columns;
            visit(std::array<int, 3>{i - g.pitch, i, i + g.pitch}, second, is_rim ? 0.5 * down : down);
        }
    const std::array<double, 4> mixed{1, -1, -1, 1};
    const double twist = 2 * stiffness / (a * b);
    for (int r = 0; r + 1 < g.rows; ++r)
        for (int c = 0; c + 1 < g.columns; ++c) {
            const int i = r * g.pitch + c;
            visit(std::array<int, 4>{i, i + 1, i + g.pitch, i + g.pitch + 1}, mixed, twist);
        }
}

template <std::size_t N>
Vec3 weighted(const Nodes3& at, const std::array<int, N>& node, const std::array<double, N>& w) {
    Vec3 sum{};
    for (std::size_t i = 0; i < N; ++i) sum += at.at(node[i]) * w[i];
    return sum;
}

// Calls visit(a, b, squared length, stiffness) for each diagonal.
template <class Visit>
void for_each_diagonal(const Grid& g, const GridSpacing& s, double stiffness, const Visit& visit) {
    const double squared = s.across * s.across + s.down * s.down;
    const double k = stiffness * squared / (2 * s.across * s.down);
    for (int r = 0; r + 1 < g.rows; ++r)
        for (int c = 0; c + 1 < g.columns; ++c) {
            const int i = r * g.pitch + c;
            visit(i, i + g.pitch + 1, squared, k);
            visit(i + 1, i + g.pitch, squared, k);
        }
}

}  // namespace

void add_bending(const Grid& grid, const GridSpacing& spacing, double stiffness, double relaxation,
                 Columns& f) {
    const Nodes3 x = places(grid), v = velocities(grid);
    for_each_bend(grid, spacing, stiffness, [&](const auto& node, const auto& w, double c) {
        Vec3 bend = weighted(x, node, w);
        const double size = dot(bend, bend);
        if (relaxation > 0 && size > 0) bend *= 1 + relaxation * dot(bend, weighted(v, node, w)) / size;
        for (std::size_t i = 0; i < node.size(); ++i)
            f.add(static_cast<std::size_t>(node[i]), bend * (-c * w[i]));
    });
}

double bending_energy(const Grid& grid, const GridSpacing& spacing, double stiffness) {
    double sum = 0;
    const Nodes3 x = places(grid);
    for_each_bend(grid, spacing, stiffness, [&](const auto& node, const auto& w, double c) {
        sum += 0.5 * c * length_squared(weighted(x, node, w));
    });
    return sum;
}

void add_shear(const Grid& grid, const GridSpacing& spacing, double stiffness, double relaxation,
               Columns& f) {
    const Nodes3 x = places(grid), v = velocities(grid);
    for_each_diagonal(grid, spacing, stiffness, [&](int a, int b, double squared, double k) {
        const Vec3 d = x.at(b) - x.at(a);
        double strain = 0.5 * (dot(d, d) - squared);
        if (relaxation > 0) strain += relaxation * dot(d, v.at(b) - v.at(a));
        const Vec3 pull = d * (k / squared * strain);
        f.add(static_cast<std::size_t>(a), pull);
        f.add(static_cast<std::size_t>(b), -pull);
    });
}

double shear_energy(const Grid& grid, const GridSpacing& spacing, double stiffness) {
    double sum = 0;
    const Nodes3 x = places(grid);
    for_each_diagonal(grid, spacing, stiffness, [&](int a, int b, double squared, double k) {
        const double strain = 0.5 * (length_squared(x.at(b) - x.at(a)) - squared);
        sum += 0.5 * k / squared * strain * strain;
    });
    return sum;
}

void add_air(const Grid& grid, const Vec3& wind, double drag, Columns& f) {
    const Nodes3 x = places(grid), v = velocities(grid);
    for (int r = 0; r + 1 < grid.rows; ++r)
        for (int c = 0; c + 1 < grid.columns; ++c) {
            const int i = r * grid.pitch + c;
            const std::array<int, 4> node{i, i + 1, i + grid.pitch, i + grid.pitch + 1};
            const Vec3 area = 0.5 * cross(x.at(node[3]) - x.at(node[0]), x.at(node[2]) - x.at(node[1]));
            const double size = length(area);
            if (!(size > 0)) continue;
            const Vec3 u = wind - 0.25 * (v.at(node[0]) + v.at(node[1]) + v.at(node[2]) + v.at(node[3]));
            const double flow = dot(u, area) / size;  // u.n
            const Vec3 force = area * (0.125 * drag * flow * std::fabs(flow));
            for (const int k : node) f.add(static_cast<std::size_t>(k), force);
        }
}

}  // namespace impuls::deformable
