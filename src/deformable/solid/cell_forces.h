// Inner functions of cells: pure functions on plain values. Corners are those of Cell, places relative to the
// first keep their digits far from the origin. Called by solid.cpp and implicit.cpp.
#pragma once

#include <array>
#include <cstddef>

#include "deformable/solid/hexahedron.h"
#include "deformable/solid/polar.h"

namespace impuls::deformable {

using Corners = std::array<Vec3, 8>;

// Mean deformation gradient of a cell: sum of x_i times the gradient of its shape function at the centre.
inline Mat3 mean_gradient(const Corners& x, const Vec3& size) {
    Mat3 f{{}, {}, {}};
    for (std::size_t i = 0; i < 8; ++i) {
        f.c0 += x[i] * (i & 1 ? 1.0 : -1.0);
        f.c1 += x[i] * (i & 2 ? 1.0 : -1.0);
        f.c2 += x[i] * (i & 4 ? 1.0 : -1.0);
    }
    return {f.c0 * (0.25 / size.x), f.c1 * (0.25 / size.y), f.c2 * (0.25 / size.z)};
}

// -R K R^T d for displacements d of the corners, and -R K u for u in the cell's frame.
inline void cell_force(const CellStiffness& k, const Corners& u, const Mat3& R, Vec3* force) {
    double in[24], out[24];
    for (std::size_t i = 0; i < 8; ++i) {
        in[3 * i] = u[i].x;
        in[3 * i + 1] = u[i].y;
        in[3 * i + 2] = u[i].z;
    }
    for (double& value : out) value = 0;
    for (std::size_t j = 0; j < 24; ++j)  // K is symmetric: along its rows, so that lanes are outputs
        for (std::size_t i = 0; i < 24; ++i) out[i] += k[j * 24 + i] * in[j];
    for (std::size_t i = 0; i < 8; ++i) force[i] = R * Vec3{-out[3 * i], -out[3 * i + 1], -out[3 * i + 2]};
}

}  // namespace impuls::deformable
