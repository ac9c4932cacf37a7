// The loops of kernel.h, included once per instruction set, in an unnamed namespace so that each has its own.
// No step of them is contracted or reordered, and lanes never meet but in transposing: the bits are those of
// chains.cpp, which does the same one strip after the other (tests/deformable).
#pragma once

#include "deformable/grid/kernel.h"

#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from elsewhere

#define IMPULS_GRID_INLINE inline __attribute__((always_inline))

namespace impuls::deformable {
namespace {

using Lane [[gnu::vector_size(8 * kLanes)]] = double;
using LaneBits [[gnu::vector_size(8 * kLanes)]] = long long;

struct Lane3 {
    Lane x, y, z;
};

IMPULS_GRID_INLINE Lane get(const double* p) {
    Lane r;
    __builtin_memcpy(&r, p, sizeof r);
    return r;
}
IMPULS_GRID_INLINE void put(double* p, const Lane& a) {
    __builtin_memcpy(p, &a, sizeof a);
}
IMPULS_GRID_INLINE Lane every(double a) {
    return Lane{a, a, a, a};
}
IMPULS_GRID_INLINE Lane dot_of(const Lane3& a, const Lane3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#if defined(__clang__)
#define IMPULS_GRID_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define IMPULS_GRID_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, LaneBits{__VA_ARGS__})
#endif

IMPULS_GRID_INLINE void transpose4(Lane r[4]) {
    const Lane lo_ab = IMPULS_GRID_SHUFFLE(r[0], r[1], 0, 4, 2, 6),
               hi_ab = IMPULS_GRID_SHUFFLE(r[0], r[1], 1, 5, 3, 7);
    const Lane lo_cd = IMPULS_GRID_SHUFFLE(r[2], r[3], 0, 4, 2, 6),
               hi_cd = IMPULS_GRID_SHUFFLE(r[2], r[3], 1, 5, 3, 7);
    r[0] = IMPULS_GRID_SHUFFLE(lo_ab, lo_cd, 0, 1, 4, 5);
    r[1] = IMPULS_GRID_SHUFFLE(hi_ab, hi_cd, 0, 1, 4, 5);
    r[2] = IMPULS_GRID_SHUFFLE(lo_ab, lo_cd, 2, 3, 6, 7);
    r[3] = IMPULS_GRID_SHUFFLE(hi_ab, hi_cd, 2, 3, 6, 7);
}

// Forward elimination: what the row before left behind.
struct Elimination {
    Lane3 d{};
    Lane inverse{}, g{};
};

// Row e between nodes a and b; the first of a strip has no coupling. Gives c_{e-1} and g_e.
IMPULS_GRID_INLINE void eliminate(const Lane3& a, const Lane3& b, const Lane& ka, const Lane& kb,
                                  const Lane& squared, const Lane& alpha, bool is_first, Elimination& e,
                                  Lane& c_before, Lane& g) {
    const Lane3 d{b.x - a.x, b.y - a.y, b.z - a.z};
    const Lane dd = dot_of(d, d);
    Lane diagonal = (ka + kb) * dd + alpha;
    Lane right = 0.5 * (squared - dd);
    if (!is_first) {
        const Lane off = -(ka * dot_of(e.d, d));
        c_before = off * e.inverse;
        diagonal -= c_before * off;
        right -= off * e.g;
    }
    e.d = d;
    e.inverse = 1.0 / diagonal;
    e.g = right * e.inverse;
    g = e.g;
}

void predict_rows(const Grid& grid, const Prediction& by, int first, int last) {
    const Lane h = every(by.h), keep = every(by.keep);
    const double* f[3] = {grid.fx, grid.fy, grid.fz};
    double* v[3] = {grid.vx, grid.vy, grid.vz};
    double* p[3] = {grid.px, grid.py, grid.pz};
    const double* x[3] = {grid.x, grid.y, grid.z};
    for (int axis = 0; axis < 3; ++axis) {
        const Lane gravity = every(by.gravity[axis]);
        for (int i = first * grid.pitch; i < last * grid.pitch; i += kLanes) {
            const Lane k = get(grid.k + i);
            Lane a = gravity;
            if (f[axis]) a += k * get(f[axis] + i);
            const Lane moved = (get(v[axis] + i) + h * a) * keep;
            const Lane velocity = k > 0.0 ? moved : get(v[axis] + i);
            put(v[axis] + i, velocity);
            put(p[axis] + i, get(x[axis] + i) + h * velocity);
        }
    }
}

// Backward substitution for the node after row e: lambda_e from g, c and the lambda of the row after.
IMPULS_GRID_INLINE void substitute(Lane3& p, const Lane& k, const Lane3& d, const Lane3& d_after,
                                   const Lane& lambda, const Lane& lambda_after) {
    p.x += k * (d.x * lambda - d_after.x * lambda_after);
    p.y += k * (d.y * lambda - d_after.y * lambda_after);
    p.z += k * (d.z * lambda - d_after.z * lambda_after);
}

// A strip of n nodes in lanes: node(i) and store(i, p) reach its places, mass(i) its inverse masses; g and c
// hold n rows.
template <class Node, class Mass, class Store>
IMPULS_GRID_INLINE void solve_strip(int n, const StripRow& row, const Node& node, const Mass& mass,
                                    const Store& store, double* g, double* c) {
    const Lane squared = every(row.squared), alpha = every(row.alpha);
    Elimination e;
    Lane3 a = node(0);
    Lane ka = mass(0);
    for (int i = 0; i + 1 < n; ++i) {
        const Lane3 b = node(i + 1);
        const Lane kb = mass(i + 1);
        Lane c_before{}, g_now;
        eliminate(a, b, ka, kb, squared, alpha, i == 0, e, c_before, g_now);
        if (i > 0) put(c + (i - 1) * kLanes, c_before);
        put(g + i * kLanes, g_now);
        a = b;
        ka = kb;
    }
    Lane lambda_after{};
    Lane3 d_after{};
    Lane3 b = node(n - 1);
    for (int i = n - 2; i >= 0; --i) {
        const Lane3 before = node(i);
        const Lane3 d{b.x - before.x, b.y - before.y, b.z - before.z};
        Lane lambda = get(g + i * kLanes);
        if (i + 2 < n) lambda -= get(c + i * kLanes) * lambda_after;
        substitute(b, mass(i + 1), d, d_after, lambda, lambda_after);
        store(i + 1, b);
        b = before;
        d_after = d;
        lambda_after = lambda;
    }
    const Lane none{};
    substitute(b, mass(0), d_after, d_after, none, lambda_after);
    store(0, b);
}

void solve_columns(const Grid& grid, const StripRow& row, int first, int last, double* scratch) {
    const int n = grid.rows, pitch = grid.pitch;
    double *g = scratch, *c = scratch + static_cast<std::size_t>(n) * kLanes;
    for (int column = first; column < last; column += kLanes) {
        double *px = grid.px + column, *py = grid.py + column, *pz = grid.pz + column;
        const double* k = grid.k + column;
        solve_strip(
            n, row,
            [=](int i) {
                return Lane3{get(px + i * pitch), get(py + i * pitch), get(pz + i * pitch)};
            },
            [=](int i) { return get(k + i * pitch); },
            [=](int i, const Lane3& p) {
                put(px + i * pitch, p.x);
                put(py + i * pitch, p.y);
                put(pz + i * pitch, p.z);
            },
            g, c);
    }
}

// Four rows of an array into lanes of four columns each, and back.
IMPULS_GRID_INLINE void gather_rows(const double* from, int pitch, double* to, int stride) {
    for (int column = 0; column < pitch; column += kLanes) {
        Lane r[4] = {get(from + column), get(from + pitch + column), get(from + 2 * pitch + column),
                     get(from + 3 * pitch + column)};
        transpose4(r);
        for (int j = 0; j < 4; ++j) put(to + (column + j) * stride, r[j]);
    }
}
IMPULS_GRID_INLINE void scatter_rows(const double* from, int stride, double* to, int pitch) {
    for (int column = 0; column < pitch; column += kLanes) {
        Lane r[4];
        for (int j = 0; j < 4; ++j) r[j] = get(from + (column + j) * stride);
        transpose4(r);
        for (int j = 0; j < 4; ++j) put(to + j * pitch + column, r[j]);
    }
}

void solve_rows(const Grid& grid, const StripRow& row, int first, int last, double* scratch) {
    const int n = grid.columns, pitch = grid.pitch;
    constexpr int kStride = 4 * kLanes;  // x, y, z, k of a node
    double *node = scratch, *g = scratch + pitch * kStride, *c = g + pitch * kLanes;
    for (int r = first; r < last; r += kLanes) {
        const int at = r * pitch;
        gather_rows(grid.px + at, pitch, node, kStride);
        gather_rows(grid.py + at, pitch, node + kLanes, kStride);
        gather_rows(grid.pz + at, pitch, node + 2 * kLanes, kStride);
        gather_rows(grid.k + at, pitch, node + 3 * kLanes, kStride);
        solve_strip(
            n, row,
            [=](int i) {
                const double* p = node + i * kStride;
                return Lane3{get(p), get(p + kLanes), get(p + 2 * kLanes)};
            },
            [=](int i) { return get(node + i * kStride + 3 * kLanes); },
            [=](int i, const Lane3& p) {
                double* to = node + i * kStride;
                put(to, p.x);
                put(to + kLanes, p.y);
                put(to + 2 * kLanes, p.z);
            },
            g, c);
        scatter_rows(node, kStride, grid.px + at, pitch);
        scatter_rows(node + kLanes, kStride, grid.py + at, pitch);
        scatter_rows(node + 2 * kLanes, kStride, grid.pz + at, pitch);
    }
}

void take_rows(const Grid& grid, double h, int first, int last) {
    const Lane rate = every(1.0 / h);
    double* v[3] = {grid.vx, grid.vy, grid.vz};
    const double* p[3] = {grid.px, grid.py, grid.pz};
    double* x[3] = {grid.x, grid.y, grid.z};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = first * grid.pitch; i < last * grid.pitch; i += kLanes) {
            const Lane now = get(p[axis] + i);
            put(v[axis] + i, (now - get(x[axis] + i)) * rate);
            put(x[axis] + i, now);
        }
}

// Pull of a spring from a to b, on a.
IMPULS_GRID_INLINE Lane3 spring(const Lane3& a, const Lane3& b, const Lane& squared, const Lane& factor) {
    const Lane3 d{b.x - a.x, b.y - a.y, b.z - a.z};
    const Lane s = factor * (0.5 * (dot_of(d, d) - squared));
    return {s * d.x, s * d.y, s * d.z};
}

void spring_pass(const Grid& grid, const Prediction& by, const SpringRow& row, const SpringRow& column,
                 double* scratch) {
    const int pitch = grid.pitch;
    const std::size_t width = static_cast<std::size_t>(pitch) + kLanes;
    double *ux = scratch, *uy = ux + width,
           *uz = uy + width;  // pulls of the column springs of the row before
    double *hx = uz + width, *hy = hx + width,
           *hz = hy + width;  // pulls within the row, from place kLanes on
    for (std::size_t i = 0; i < 6 * width; ++i) scratch[i] = 0;
    const Lane h = every(by.h), keep = every(by.keep);
    for (int r = 0; r < grid.rows; ++r) {
        double *x = grid.x + r * pitch, *y = grid.y + r * pitch, *z = grid.z + r * pitch;
        // The last edge of a row would lead into padding: its factor is 0.
        for (int c = 0; c < pitch; c += kLanes) {
            Lane factor = every(row.factor);
            const LaneBits number{c, c + 1, c + 2, c + 3};
            factor = number + 1 < grid.columns ? factor : Lane{};
            const Lane3 f =
                spring({get(x + c), get(y + c), get(z + c)}, {get(x + c + 1), get(y + c + 1), get(z + c + 1)},
                       every(row.squared), factor);
            put(hx + kLanes + c, f.x);
            put(hy + kLanes + c, f.y);
            put(hz + kLanes + c, f.z);
        }
        const Lane down = every(r + 1 < grid.rows ? column.factor : 0);
        for (int c = 0; c < pitch; c += kLanes) {
            const Lane3 here{get(x + c), get(y + c), get(z + c)};
            Lane3 f{};
            if (r + 1 < grid.rows)
                f = spring(here, {get(x + pitch + c), get(y + pitch + c), get(z + pitch + c)},
                           every(column.squared), down);
            const Lane k = get(grid.k + r * pitch + c);
            const double* before[3] = {ux + c, uy + c, uz + c};
            const double* along[3] = {hx + kLanes + c, hy + kLanes + c, hz + kLanes + c};
            const Lane pull[3] = {f.x, f.y, f.z};
            double* places[3] = {x + c, y + c, z + c};
            double* velocities[3] = {grid.vx + r * pitch + c, grid.vy + r * pitch + c,
                                     grid.vz + r * pitch + c};
            const double* given[3] = {grid.fx, grid.fy, grid.fz};
            for (int axis = 0; axis < 3; ++axis) {
                Lane force = pull[axis] - get(before[axis]) + (get(along[axis]) - get(along[axis] - 1));
                if (given[axis]) force += get(given[axis] + r * pitch + c);
                const Lane old = get(velocities[axis]);
                const Lane moved = (old + h * (every(by.gravity[axis]) + k * force)) * keep;
                const Lane velocity = k > 0.0 ? moved : old;
                put(velocities[axis], velocity);
                put(places[axis], get(places[axis]) + h * velocity);
            }
            put(ux + c, f.x);
            put(uy + c, f.y);
            put(uz + c, f.z);
        }
    }
}

GridKernel make_grid_kernel() {
    return {predict_rows, solve_rows, solve_columns, take_rows, spring_pass};
}

}  // namespace
}  // namespace impuls::deformable
