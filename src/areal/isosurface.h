// Generator S (spec: areal-contact 2.5, 2.13): the surface on which both layers have the same pressure. With
// signed distances f < 0 inside, and s the share of the depth by which the base yields,
//     g = (1 - s) f_base - s f_target = 0,   depth u = -(f_base + f_target) > 0,
// found by marching tetrahedra: boxes of a grid in the base's axes are halved down to its spacing where both
// bodies and g = 0 can be; each of the last has six tetrahedra around a diagonal, in each of which f and g
// are linear. The corners move with the pose, which changes no topology but where areas are zero; roles may
// be exchanged. Called by ArealPair (contact.h).
#pragma once

#include <vector>

#include "areal/clip.h"
#include "areal/surface.h"

namespace impuls::areal {

// A tetrahedron that the surface passes through; f at its corners, of base and target.
struct IsoCell {
    std::array<Vec3, 4> corner{};
    std::array<double, 4> base{}, target{};
    std::array<Vec3, 4> slope{};  // of the target's distance, in the base's axes
    std::uint64_t box = 0;        // of the grid: 21 bits a direction
};

struct IsoScratch {
    std::vector<IsoCell> cells{};
    std::vector<std::array<std::int64_t, 4>> stack{};
};

// Cells for boxes of this spacing (m).
void find_cells(const Surface& base, const Surface& target, const Pose& X_BT, double share, double spacing,
                IsoScratch& scratch);

template <class T>
struct IsoPiece {
    Polygon<T> polygon{};
    std::array<T, 8> depth{};
};
// The part of the surface in a cell where u > 0; normals out of the base. With derivatives when T has them.
template <class T>
IsoPiece<T> iso_piece(const IsoCell& cell, double share, const Vec3& target_origin);
template <class T>
void press(const ArealLaw& law, const IsoPiece<T>& piece, const Motion6<T>& motion, Pressed<T>& sum);

}  // namespace impuls::areal
