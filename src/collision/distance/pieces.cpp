// Trees of convex pieces (pieces.h).
#include "collision/distance/pieces.h"

#include <algorithm>

namespace impuls {
namespace {

Aabb joined(const Aabb& a, const Aabb& b) {
    Aabb box;
    for (int i = 0; i < 3; ++i)
        box.min[i] = std::min(a.min[i], b.min[i]), box.max[i] = std::max(a.max[i], b.max[i]);
    return box;
}

}  // namespace

bool is_surface(const Collider& c) {
    return c.kind == ColliderKind::Mesh || c.kind == ColliderKind::HeightField ||
           c.kind == ColliderKind::DistanceField;
}

Pieces::Pieces(const Collider& c) {
    if (is_surface(c))
        surface_ = c.surface.get();
    else
        core_ = convex_core(c), box_ = bounds_at(c, {});
}

Pieces::Part Pieces::whole() const {
    if (!surface_) return {box_};
    if (surface_->size() == 0) return {};
    return surface_->columns() > 0 ? of_cells(0, surface_->columns(), 0, surface_->rows()) : of_tree(0);
}

std::array<Pieces::Part, 2> Pieces::halves(const Part& p) const {
    if (surface_->columns() == 0)
        return {of_tree(p.node + 1), of_tree(surface_->tree().nodes()[p.node].right)};
    if (p.column1 - p.column0 >= p.row1 - p.row0) {
        const std::uint32_t middle = (p.column0 + p.column1) / 2;
        return {of_cells(p.column0, middle, p.row0, p.row1), of_cells(middle, p.column1, p.row0, p.row1)};
    }
    const std::uint32_t middle = (p.row0 + p.row1) / 2;
    return {of_cells(p.column0, p.column1, p.row0, middle), of_cells(p.column0, p.column1, middle, p.row1)};
}

Pieces::Part Pieces::of_tree(std::uint32_t n) const {
    const TriangleTree::Node& node = surface_->tree().nodes()[n];
    return {node.box, node.count > 0, n};
}

Pieces::Part Pieces::of_cells(std::uint32_t column0, std::uint32_t column1, std::uint32_t row0,
                              std::uint32_t row1) const {
    const std::uint32_t first = row0 * surface_->columns() + column0,
                        last = (row1 - 1) * surface_->columns() + column1 - 1;
    Part part{{}, first == last, 0, column0, column1, row0, row1};
    if (part.is_leaf) {
        part.box = joined(surface_->box_of(2 * first), surface_->box_of(2 * first + 1));
    } else {
        // The corners of least and of largest x and z, see tessellate().
        const Vec3 &low = surface_->vertex(surface_->corners(2 * first)[0]),
                   &high = surface_->vertex(surface_->corners(2 * last)[2]);
        part.box = {{low.x, surface_->box().min.y, low.z}, {high.x, surface_->box().max.y, high.z}};
    }
    return part;
}

Pieces::Triangle::Triangle(const ContactSurface& s, std::uint32_t t, const Pose& X_F) {
    for (std::size_t k = 0; k < 3; ++k) {
        corners[k] = X_F * s.vertex(s.corners(t)[k]);
        box = joined(box, {corners[k], corners[k]});
    }
    core.kind = ColliderKind::Convex;
    core.view.vertices = corners;
    core.center = core.view.center = (corners[0] + corners[1] + corners[2]) / 3;
    for (const Vec3& v : corners) core.reach = std::max(core.reach, length(v - core.center));
}

}  // namespace impuls
