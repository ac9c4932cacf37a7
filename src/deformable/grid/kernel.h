// Inner loops of sheets on grids, four lanes of doubles, compiled for every processor and for AVX2 with the
// same bits. Node (r, c) is r * pitch + c; rows and pitch are padded to multiples of four with nodes of k =
// 0.
//
// A row along a strip of particles 0..n has the constraint C_e = (|d_e|^2 - l^2) / 2 with the previewed
// d_e = p_{e+1} - p_e, and compliance l^2 / s for an edge of stiffness s (N/m). One Newton step for all rows
// of a strip is a tridiagonal system, solved by Thomas' algorithm:
//     A_ee = (k_e + k_{e+1}) |d_e|^2 + alpha,  A_{e,e+1} = -k_{e+1} d_e . d_{e+1},  alpha = l^2 / (s h^2),
//     A lambda = -C,  p_{e+1} += k_{e+1} (d_e lambda_e - d_{e+1} lambda_{e+1}).
// Springs of explicit steps: force s / l^2 C d, the gradient of s / (2 l^2) C^2. Called by Sheet.
#pragma once

#include <cstddef>

#include "impuls/vec.h"

namespace impuls::deformable {

inline constexpr int kLanes = 4;

struct Grid {
    int rows = 0, columns = 0;                                 // that exist
    int padded_rows = 0, pitch = 0;                            // multiples of kLanes
    const double* k = nullptr;                                 // inverse masses
    double *x = nullptr, *y = nullptr, *z = nullptr;           // places at the start of the substep
    double *vx = nullptr, *vy = nullptr, *vz = nullptr;        // velocities
    double *px = nullptr, *py = nullptr, *pz = nullptr;        // previewed places
    const double *fx = nullptr, *fy = nullptr, *fz = nullptr;  // forces; null: none
};

struct Prediction {
    double h = 0, keep = 1;  // substep; factor of velocities by drag
    Vec3 gravity{};
};

struct StripRow {
    double squared = 1;  // rest length squared
    double alpha = 0;    // compliance over h^2
};

struct SpringRow {
    double squared = 1;  // rest length squared
    double factor = 0;   // stiffness over squared length
};

// Lanes of scratch that a group of strips needs.
constexpr std::size_t strip_scratch(int nodes) {
    return static_cast<std::size_t>(nodes) * 6 * kLanes;
}

struct GridKernel {
    // Of rows [first, last), multiples of kLanes: v += h (g + k f), p = x + h v.
    void (*predict)(const Grid&, const Prediction&, int first, int last);
    // One sweep over strips along rows, rows [first, last) in lanes.
    void (*along_rows)(const Grid&, const StripRow&, int first, int last, double* scratch);
    // One sweep over strips along columns, columns [first, last) in lanes.
    void (*along_columns)(const Grid&, const StripRow&, int first, int last, double* scratch);
    // v = (p - x) / h, x = p.
    void (*take)(const Grid&, double h, int first, int last);
    // An explicit substep with springs along rows and columns: v += h (g + k f), x += h v, all rows in one
    // pass. scratch: 7 rows of the pitch.
    void (*springs)(const Grid&, const Prediction&, const SpringRow& row, const SpringRow& column,
                    double* scratch);
};

extern const GridKernel kBaselineGridKernel, kAvx2GridKernel;
const GridKernel& grid_kernel();  // the fastest that runs here
bool has_grid_avx2();

}  // namespace impuls::deformable
