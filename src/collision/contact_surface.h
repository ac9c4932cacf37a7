// A triangle surface to collide with: mesh or height field, with neighbours across edges and around vertices,
// which edges stick out, and a fast answer to "which triangles are near this box". Triangles face outwards;
// a mesh's vertices at the same place are one. Immutable; shared by all bodies of equal shape.
// Called by the colliders of static and kinematic meshes and height fields.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/aabb.h"
#include "geometry/tessellate.h"
#include "geometry/triangle_tree.h"

namespace impuls {

class ContactSurface {
  public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    explicit ContactSurface(const Mesh& mesh);
    explicit ContactSurface(TriangleMesh mesh);
    explicit ContactSurface(const HeightField& field);

    std::size_t size() const { return triangles_.size(); }
    const Aabb& box() const { return box_; }
    double radius() const { return radius_; }  // of a sphere about the origin that holds all vertices
    double spacing() const { return spacing_; }
    // True when it has an inside: a mesh without borders, or a height field (all that is below).
    bool is_solid() const { return is_solid_; }
    // Where a point inside leaves it: through the nearest point of a mesh, through the triangle straight
    // above in a height field. Nothing when the point is not inside.
    struct Exit {
        Vec3 point{}, normal{};  // on the surface; unit, outwards
    };
    std::optional<Exit> exit_of(const Vec3& p) const;
    const std::array<std::uint32_t, 3>& corners(std::uint32_t t) const { return triangles_[t]; }
    const Vec3& vertex(std::uint32_t v) const { return vertices_[v]; }
    const std::vector<Vec3>& vertices() const { return vertices_; }
    const Vec3& normal(std::uint32_t t) const { return normals_[t]; }
    // Triangle across the edge from corner k to the next; kNone at a border.
    std::uint32_t neighbour(std::uint32_t t, int k) const {
        return neighbours_[t][static_cast<std::size_t>(k)];
    }
    // True when the surface turns away at that edge by more than rounding, or ends there.
    bool sticks_out(std::uint32_t t, int k) const { return sharp_[t] >> k & 1; }
    bool has_sharp_edge(std::uint32_t t) const { return sharp_[t] != 0; }
    // Vertices at the other ends of all edges at v.
    std::span<const std::uint32_t> around(std::uint32_t v) const {
        return {ring_.data() + first_ring_[v], ring_.data() + first_ring_[v + 1]};
    }

    // One vertex of every connected piece.
    const std::vector<std::uint32_t>& pieces() const { return pieces_; }
    const TriangleTree& tree() const { return tree_; }  // of a mesh
    // Of a height field, 0 otherwise: cell (column, row) has triangles 2 (row columns + column) and the next.
    std::uint32_t columns() const { return columns_; }
    std::uint32_t rows() const { return rows_; }

    // Calls f(t) for every triangle whose bounding box meets `box`, in an order that does not depend on the
    // box.
    template <class F>
    void for_each_in(const Aabb& box, F&& f) const {
        if (columns_ > 0) {
            for_each_cell(box, f);
            return;
        }
        tree_.visit(box, f);
    }
    Aabb box_of(std::uint32_t t) const;

  private:
    template <class F>
    void for_each_cell(const Aabb& box, F&& f) const;
    struct Cells {
        std::uint32_t column0, column1, row0, row1;
    };
    Cells cells_in(const Aabb& box) const;
    std::uint32_t triangle_above(const Vec3& p) const;
    void take(TriangleMesh mesh);
    void find_normals();
    void find_neighbours();
    void find_rings();
    void find_pieces();

    std::vector<Vec3> vertices_{};
    std::vector<std::array<std::uint32_t, 3>> triangles_{}, neighbours_{};
    std::vector<Vec3> normals_{};
    std::vector<std::uint8_t> sharp_{};
    std::vector<std::uint32_t> ring_{}, first_ring_{}, pieces_{};
    TriangleTree tree_{};                   // of a mesh
    std::uint32_t columns_ = 0, rows_ = 0;  // of a height field's cells
    double spacing_ = 0;
    Aabb box_{};
    double radius_ = 0;
    bool is_solid_ = false;
};

template <class F>
void ContactSurface::for_each_cell(const Aabb& box, F&& f) const {
    if (!overlaps(box, box_)) return;
    const Cells cells = cells_in(box);
    for (std::uint32_t row = cells.row0; row <= cells.row1; ++row)
        for (std::uint32_t column = cells.column0; column <= cells.column1; ++column)
            for (std::uint32_t half = 0; half < 2; ++half) {
                const std::uint32_t t = 2 * (row * columns_ + column) + half;
                if (overlaps(box_of(t), box)) f(t);
            }
}

}  // namespace impuls
