// Stiffness of a box-shaped cell of eight nodes (node i at (i & 1, i & 2, i & 4)), E and nu, 24 x 24 by rows.
//   QM6    trilinear with three incompatible modes 1 - xi^2 a component (Wilson and Taylor; on boxes they
//   pass the
//          patch test as they are), condensed: bends without locking
//   BBar   the dilatation is that of the cell's mean (Hughes 1980): for nearly incompressible material
// Building only. Called by Solid, bench and tests.
#pragma once

#include <array>

#include "impuls/vec.h"

namespace impuls::deformable {

using CellStiffness = std::array<double, 24 * 24>;
enum class CellKind { QM6, BBar };

CellStiffness cell_stiffness(const Vec3& size, double young, double poisson, CellKind kind);

// Of a tetrahedron with constant strain, 12 x 12 by rows; corners as they are at rest.
std::array<double, 12 * 12> tetrahedron_stiffness(const std::array<Vec3, 4>& corners, double young,
                                                  double poisson);

// Largest eigenvalue of a symmetric matrix, by power iteration from a fixed start; a little too small at
// most.
double largest_eigenvalue(const double* matrix, int n);

}  // namespace impuls::deformable
