// Cells of surfaces (claim T17 of the text): volume of closed and of holed surfaces, symmetry, faces that
// fit, positive tetrahedra, and embedding. Surfaces are tessellated shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/rng.h"
#include "deformable/solid/cell_mesh.h"
#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

double volume_of(const std::array<Vec3, 4>& p) {
    return dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0])) / 6;
}

TEST(SpecDeformable, T17_cells_fill_closed_surfaces) {
    const TriangleMesh surface = tessellate(Sphere{0.5}, 16);
    double volume = 0;
    for (const auto& t : surface.triangles)
        volume += dot(surface.vertices[t[0]], cross(surface.vertices[t[1]], surface.vertices[t[2]])) / 6;
    EXPECT_NEAR(surface_cells(surface, 12).volume() / volume, 1, 0.03);
    const CellMesh box = surface_cells(tessellate(Box{{0.4, 0.2, 0.1}}), 8);
    EXPECT_EQ(box.cells.size(), 8u * 4 * 2);
    EXPECT_NEAR(box.volume(), 0.008, 1e-12);
}

TEST(SpecDeformable, T17_holes_change_the_volume_by_less_than_three_percent) {
    TriangleMesh holed = tessellate(Sphere{0.5}, 16);
    const CellMesh whole = surface_cells(holed, 12);
    Rng rng(2, 7);
    std::erase_if(holed.triangles, [&](const auto&) { return rng.uniform(0, 1) < 0.05; });
    EXPECT_NEAR(surface_cells(holed, 12).volume() / whole.volume(), 1, 0.03);
}

TEST(SpecDeformable, T17_mirrored_surfaces_have_mirrored_cells) {
    const CellMesh mesh = surface_cells(tessellate(Torus{0.4, 0.12}, 16), 14);
    std::set<std::array<long, 3>> centers;
    const auto key = [&](const Vec3& p, double sign) {
        const Vec3 c = (p + mesh.size * 0.5) / (0.5 * mesh.size.x);
        return std::array<long, 3>{std::lround(sign * c.x), std::lround(c.y), std::lround(c.z)};
    };
    for (const Cell& cell : mesh.cells) centers.insert(key(mesh.nodes[cell[0]], 1));
    for (const Cell& cell : mesh.cells) EXPECT_TRUE(centers.count(key(mesh.nodes[cell[0]], -1)));
}

TEST(SpecDeformable, T17_tetrahedra_are_positive_and_their_faces_fit) {
    const CellMesh mesh = surface_cells(tessellate(Sphere{0.5}), 6);
    std::map<std::array<std::uint32_t, 3>, int> faces;
    double sum = 0;
    for (std::size_t c = 0; c < mesh.cells.size(); ++c)
        for (const Tetrahedron& t : split_cell(mesh.cells[c], mesh.is_odd[c])) {
            const double volume =
                volume_of({mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]});
            EXPECT_GT(volume, 0);
            sum += volume;
            for (std::size_t skip = 0; skip < 4; ++skip) {
                std::array<std::uint32_t, 3> face{t[(skip + 1) % 4], t[(skip + 2) % 4], t[(skip + 3) % 4]};
                std::sort(face.begin(), face.end());
                ++faces[face];
            }
        }
    EXPECT_NEAR(sum, mesh.volume(), 1e-12);
    // Every face is shared by two or lies on the outside.
    std::size_t outer = 0;
    for (const auto& [face, count] : faces) {
        EXPECT_LE(count, 2);
        outer += count == 1;
    }
    EXPECT_EQ(outer, outer_triangles(mesh).size());
}

TEST(SpecDeformable, T17_embedded_points_move_with_their_cells) {
    const TriangleMesh surface = tessellate(Sphere{0.5});
    CellMesh mesh = surface_cells(surface, 8);
    const std::vector<Embedded> embedded = embed(mesh, surface.vertices);
    const Mat3 gradient{{1.1, 0.1, 0}, {0.2, 0.9, -0.1}, {0, 0.3, 1.2}};
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        Vec3 p{};
        double sum = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            p += (gradient * mesh.nodes[embedded[i].node[k]] + Vec3{1, 2, 3}) * embedded[i].weight[k];
            sum += embedded[i].weight[k];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_LE(length(p - (gradient * surface.vertices[i] + Vec3{1, 2, 3})), 1e-12);
    }
}

TEST(SpecDeformable, T17_surfaces_without_inside_are_refused) {
    EXPECT_THROW(surface_cells({}, 8), InputError);
    TriangleMesh flat = tessellate(Box{{1, 1, 1}});
    flat.triangles.resize(1);
    EXPECT_THROW(surface_cells(flat, 4), InputError);
    EXPECT_THROW(box_cells({}, {1, 0, 1}, {1, 1, 1}), InputError);
}

}  // namespace
}  // namespace impuls::deformable
