// Meshes of equal box-shaped cells: of boxes, and of any triangle surface, closed or with holes (Bender
// 2014, 4.4.1.1, with winding numbers in place of voted rays). A cell belongs to the body when at least
// `share` of its sample points are inside; outer cells with more than three neighbours inside are added.
// Cells are kept whole: hexahedra are more accurate than the tetrahedra that the text cuts them into;
// split_cell is for those who need tetrahedra. Building only. Called by Solid's builders and tests.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/tessellate.h"
#include "impuls/vec.h"

namespace impuls::deformable {

using Cell = std::array<std::uint32_t, 8>;  // node i at (i & 1, i & 2, i & 4) of the cell

struct CellMesh {
    Vec3 size{1, 1, 1};  // of a cell
    std::vector<Vec3> nodes{};
    std::vector<Cell> cells{};
    std::vector<std::uint8_t> is_odd{};  // by cell: parity of its place, for split_cell
    double volume() const { return size.x * size.y * size.z * static_cast<double>(cells.size()); }
};

// A box from `low`, with so many cells along each axis.
CellMesh box_cells(const Vec3& low, const Vec3& size, const std::array<int, 3>& count);
// Cubes, `count` of them along the longest side of the surface. Throws InputError when nothing is inside.
CellMesh surface_cells(const TriangleMesh& surface, int count, double share = 0.5);

// Outer faces of all cells, two triangles each, seen counter-clockwise from outside.
std::vector<std::array<std::uint32_t, 3>> outer_triangles(const CellMesh& mesh);

// Five tetrahedra; mirrored in odd cells, so that faces match.
using Tetrahedron = std::array<std::uint32_t, 4>;
std::array<Tetrahedron, 5> split_cell(const Cell& cell, bool is_odd);

// Where a point moves with a mesh: the nearest cell, trilinear weights (beyond [0, 1] outside).
struct Embedded {
    std::array<std::uint32_t, 8> node{};
    std::array<double, 8> weight{};
};
std::vector<Embedded> embed(const CellMesh& mesh, const std::vector<Vec3>& points);

}  // namespace impuls::deformable
