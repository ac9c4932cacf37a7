// Cells of a regular grid over a body (cell_mesh.h). Nodes are numbered along the grid, x fastest, so that
// equal input gives equal numbers; mirrored input gives mirrored cells, because sample points lie
// symmetrically. Building only; called by Solid's builders.
#include "deformable/solid/cell_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/index.h"
#include "geometry/triangle_tree.h"
#include "geometry/winding_number.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

struct CellGrid {
    Vec3 low{}, size{};
    std::array<int, 3> count{};
    std::vector<char> is_inside{};
    std::size_t at(int i, int j, int k) const { return idx((k * count[1] + j) * count[0] + i); }
    bool inside(int i, int j, int k) const {
        return i >= 0 && j >= 0 && k >= 0 && i < count[0] && j < count[1] && k < count[2] &&
               is_inside[at(i, j, k)];
    }
};

CellMesh make_cells(const CellGrid& grid) {
    const auto& n = grid.count;
    std::vector<std::uint32_t> number(idx((n[0] + 1) * (n[1] + 1) * (n[2] + 1)), 0xffffffffu);
    const auto place = [&](int i, int j, int k) { return idx((k * (n[1] + 1) + j) * (n[0] + 1) + i); };
    CellMesh mesh;
    mesh.size = grid.size;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                if (grid.inside(i, j, k))
                    for (int c = 0; c < 8; ++c)
                        number[place(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] = 0;
    for (int k = 0; k <= n[2]; ++k)
        for (int j = 0; j <= n[1]; ++j)
            for (int i = 0; i <= n[0]; ++i) {
                if (number[place(i, j, k)] != 0) continue;
                number[place(i, j, k)] = static_cast<std::uint32_t>(mesh.nodes.size());
                mesh.nodes.push_back(grid.low + Vec3{i * grid.size.x, j * grid.size.y, k * grid.size.z});
            }
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                if (!grid.inside(i, j, k)) continue;
                Cell cell;
                for (int c = 0; c < 8; ++c)
                    cell[idx(c)] = number[place(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
                mesh.cells.push_back(cell);
                mesh.is_odd.push_back(static_cast<std::uint8_t>((i + j + k) & 1));
            }
    return mesh;
}

// Corners of the six faces of a cell, counter-clockwise from outside.
constexpr std::array<std::array<std::size_t, 4>, 6> kFaces{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

}  // namespace

CellMesh box_cells(const Vec3& low, const Vec3& size, const std::array<int, 3>& count) {
    if (std::min({count[0], count[1], count[2]}) < 1 || !(std::min({size.x, size.y, size.z}) > 0))
        throw InputError("a box of cells needs a positive size and at least one cell along each axis");
    CellGrid grid{low, {size.x / count[0], size.y / count[1], size.z / count[2]}, count, {}};
    grid.is_inside.assign(idx(count[0] * count[1] * count[2]), 1);
    return make_cells(grid);
}

CellMesh surface_cells(const TriangleMesh& surface, int count, double share) {
    if (count < 1) throw InputError("a solid needs at least one cell along its longest side");
    if (surface.triangles.empty()) throw InputError("the surface of a solid has no triangles");
    std::vector<TriangleCorners> triangles;
    for (const auto& t : surface.triangles) triangles.push_back({t[0], t[1], t[2]});
    TriangleTree tree;
    tree.build(surface.vertices, triangles);
    const WindingNumber winding(tree);
    const Aabb box = tree.bounds();
    const Vec3 extent = box.max - box.min;
    const double edge = std::max({extent.x, extent.y, extent.z}) / count;
    CellGrid grid;
    for (int axis = 0; axis < 3; ++axis)
        grid.count[idx(axis)] = std::max(1, static_cast<int>(std::ceil(extent[axis] / edge - 1e-9)));
    const Vec3 whole{edge * grid.count[0], edge * grid.count[1], edge * grid.count[2]};
    grid.size = {edge, edge, edge};
    grid.low = (box.min + box.max) * 0.5 - whole * 0.5;  // centred, so that symmetry is kept
    grid.is_inside.assign(idx(grid.count[0] * grid.count[1] * grid.count[2]), 0);
    constexpr int kSamples = 3;  // along each axis of a cell
    for (int k = 0; k < grid.count[2]; ++k)
        for (int j = 0; j < grid.count[1]; ++j)
            for (int i = 0; i < grid.count[0]; ++i) {
                const Vec3 center = grid.low + Vec3{(i + 0.5) * edge, (j + 0.5) * edge, (k + 0.5) * edge};
                if (tree.closest(center, 0.75 * edge * edge).triangle ==
                    kNoTriangle) {  // the surface passes by
                    grid.is_inside[grid.at(i, j, k)] = winding.at(center) > 0.5;
                    continue;
                }
                int hits = 0;
                for (int s = 0; s < kSamples * kSamples * kSamples; ++s) {
                    const Vec3 in{(s % kSamples + 0.5) / kSamples, (s / kSamples % kSamples + 0.5) / kSamples,
                                  (s / (kSamples * kSamples) + 0.5) / kSamples};
                    hits += winding.at(grid.low +
                                       Vec3{(i + in.x) * edge, (j + in.y) * edge, (k + in.z) * edge}) > 0.5;
                }
                grid.is_inside[grid.at(i, j, k)] = hits >= share * kSamples * kSamples * kSamples && hits > 0;
            }
    for (bool changed = true; changed;) {
        changed = false;
        const CellGrid before = grid;
        for (int k = 0; k < grid.count[2]; ++k)
            for (int j = 0; j < grid.count[1]; ++j)
                for (int i = 0; i < grid.count[0]; ++i) {
                    const int beside = before.inside(i - 1, j, k) + before.inside(i + 1, j, k) +
                                       before.inside(i, j - 1, k) + before.inside(i, j + 1, k) +
                                       before.inside(i, j, k - 1) + before.inside(i, j, k + 1);
                    if (before.inside(i, j, k) || beside <= 3) continue;
                    grid.is_inside[grid.at(i, j, k)] = 1;
                    changed = true;
                }
    }
    CellMesh mesh = make_cells(grid);
    if (mesh.cells.empty())
        throw InputError(
            "no cell lies inside the surface of the solid: it needs more cells, or is inside out");
    return mesh;
}

std::vector<std::array<std::uint32_t, 3>> outer_triangles(const CellMesh& mesh) {
    std::map<std::array<std::uint32_t, 4>, int> count;
    const auto key = [](const Cell& cell, const std::array<std::size_t, 4>& face) {
        std::array<std::uint32_t, 4> k{cell[face[0]], cell[face[1]], cell[face[2]], cell[face[3]]};
        std::sort(k.begin(), k.end());
        return k;
    };
    for (const Cell& cell : mesh.cells)
        for (const auto& face : kFaces) ++count[key(cell, face)];
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const Cell& cell : mesh.cells)
        for (const auto& f : kFaces) {
            if (count[key(cell, f)] != 1) continue;
            triangles.push_back({cell[f[0]], cell[f[1]], cell[f[2]]});
            triangles.push_back({cell[f[0]], cell[f[2]], cell[f[3]]});
        }
    return triangles;
}

std::array<Tetrahedron, 5> split_cell(const Cell& c, bool is_odd) {
    if (!is_odd)
        return {{{c[0], c[3], c[6], c[5]},
                 {c[1], c[3], c[0], c[5]},
                 {c[2], c[0], c[3], c[6]},
                 {c[4], c[5], c[0], c[6]},
                 {c[7], c[3], c[5], c[6]}}};
    return {{{c[1], c[2], c[4], c[7]},
             {c[0], c[1], c[2], c[4]},
             {c[3], c[2], c[1], c[7]},
             {c[5], c[1], c[4], c[7]},
             {c[6], c[4], c[2], c[7]}}};
}

std::vector<Embedded> embed(const CellMesh& mesh, const std::vector<Vec3>& points) {
    std::vector<Embedded> result;
    for (const Vec3& p : points) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
            const Vec3 low = mesh.nodes[mesh.cells[c][0]];
            double squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double in = std::clamp(p[axis], low[axis], low[axis] + mesh.size[axis]);
                squared += (p[axis] - in) * (p[axis] - in);
            }
            if (squared < least) least = squared, best = c;
        }
        const Vec3 d = p - mesh.nodes[mesh.cells[best][0]];
        const Vec3 t{d.x / mesh.size.x, d.y / mesh.size.y, d.z / mesh.size.z};
        Embedded e{mesh.cells[best], {}};
        for (int i = 0; i < 8; ++i)
            e.weight[idx(i)] = (i & 1 ? t.x : 1 - t.x) * (i & 2 ? t.y : 1 - t.y) * (i & 4 ? t.z : 1 - t.z);
        result.push_back(e);
    }
    return result;
}

}  // namespace impuls::deformable
