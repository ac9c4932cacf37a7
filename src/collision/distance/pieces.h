// A collider as convex pieces in a tree of boxes: a convex shape is one piece, a surface one for each
// triangle. A mesh brings its tree; a height field is halved into rectangles of cells, whose boxes have all
// its heights down to the single cell. Called by the search over pairs of pieces (piece_search.h).
#pragma once

#include <array>

#include "collision/collider.h"
#include "collision/convex/support.h"

namespace impuls {

// True for shapes made of triangles: meshes, height fields, distance fields.
bool is_surface(const Collider& collider);

class Pieces {
  public:
    explicit Pieces(const Collider& collider);  // bounded and convex, or a surface; must outlive this

    struct Part {
        Aabb box{};  // in the collider's frame
        bool is_leaf = true;
        std::uint32_t node = 0;                                      // of a mesh's tree
        std::uint32_t column0 = 0, column1 = 0, row0 = 0, row1 = 0;  // cells of a height field
    };
    Part whole() const;  // its box is empty when there is no piece
    std::array<Part, 2> halves(const Part& part) const;

    // Calls f(core, X, box) for each piece of a leaf: X places the core in the frame that X_F places the
    // collider in, and `box` is there too.
    template <class F>
    void for_each(const Part& leaf, const Pose& X_F, F&& f) const;

  private:
    struct Triangle {
        std::array<Vec3, 3> corners{};
        ConvexCore core{};
        Aabb box{};

        Triangle(const ContactSurface& s, std::uint32_t t, const Pose& X_F);
        Triangle(const Triangle&) = delete;
        Triangle& operator=(const Triangle&) = delete;
    };
    Part of_tree(std::uint32_t node) const;
    Part of_cells(std::uint32_t column0, std::uint32_t column1, std::uint32_t row0, std::uint32_t row1) const;

    const ContactSurface* surface_ = nullptr;
    ConvexCore core_{};
    Aabb box_{};
};

template <class F>
void Pieces::for_each(const Part& leaf, const Pose& X_F, F&& f) const {
    if (!surface_) return f(core_, X_F, turned_box(box_, X_F));
    const auto triangle = [&](std::uint32_t t) {
        const Triangle placed(*surface_, t, X_F);
        f(placed.core, Pose{}, placed.box);
    };
    if (surface_->columns() > 0) {
        const std::uint32_t cell = leaf.row0 * surface_->columns() + leaf.column0;
        triangle(2 * cell), triangle(2 * cell + 1);
        return;
    }
    const TriangleTree::Node& node = surface_->tree().nodes()[leaf.node];
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
        triangle(surface_->tree().order()[i]);
}

}  // namespace impuls
