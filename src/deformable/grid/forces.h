// Forces of sheets beside stretch, as columns of forces on nodes; explicit, for they are soft.
//   bending   E = D/2 integral (k_xx^2 + k_yy^2 + 2 k_xy^2) dA with second differences of places: quadratic
//   in places
//             and so isometric (Wardetzky et al., Discrete quadratic curvature energies, 2007, on a grid);
//             rows and columns at the rim count half. A plate with nu = 0: D laplace^2 w = q.
//   shear     springs along both diagonals of a cell, of stiffness G t l^2 / (2 a b), in Green's strain.
//   air       rho/2 c A |u.n| (u.n) n on each cell, u the velocity of the wind relative to it.
// Damping is proportional to the rates of the same differences, along them: rigid motion feels nothing.
// Called by Sheet.
#pragma once

#include "deformable/columns.h"
#include "deformable/grid/kernel.h"

namespace impuls::deformable {

struct GridSpacing {
    double across = 1;  // between neighbours in a row
    double down = 1;    // between rows; of ropes unused
};

// stiffness: D (N m) of sheets, EI (N m^2) of ropes (grids of one row). relaxation: damping over stiffness,
// s.
void add_bending(const Grid& grid, const GridSpacing& spacing, double stiffness, double relaxation,
                 Columns& f);
double bending_energy(const Grid& grid, const GridSpacing& spacing, double stiffness);

// stiffness: shear modulus times thickness, N/m.
void add_shear(const Grid& grid, const GridSpacing& spacing, double stiffness, double relaxation, Columns& f);
double shear_energy(const Grid& grid, const GridSpacing& spacing, double stiffness);

// drag: density of the air times coefficient, kg/m^3.
void add_air(const Grid& grid, const Vec3& wind, double drag, Columns& f);

}  // namespace impuls::deformable
