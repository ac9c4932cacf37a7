// Grains for drawing (grains.h).
#include "render/grains.h"

#include <algorithm>

#include "geometry/tessellate.h"

namespace impuls {

const std::vector<DrawnGrainKind>& GrainMeshes::of(const std::shared_ptr<const Scene>& structure,
                                                   int segments) {
    if (structure == structure_ && segments == segments_) return kinds_;
    structure_ = structure, segments_ = segments;
    kinds_.clear();
    for (const GrainKinds::Kind& kind : make_grain_kinds(structure->grains).kinds) {
        const GrainsDesc& set = structure->grains[kind.set];
        DrawnGrainKind& out = kinds_.emplace_back();
        out.color = MaterialDesc{}.color;
        for (const MaterialDesc& m : structure->materials)
            if (m.name == set.material) out.color = m.color;
        out.color = set.color.value_or(out.color);
        out.radius = kind.shape.radius;
        const Shape shape = kind.shape.is_sphere() ? Shape(Sphere{kind.shape.radius})
                                                   : Shape(Convex{kind.shape.polyhedron->hull.vertices});
        out.mesh = tessellate(shape, segments);
    }
    return kinds_;
}

void for_each_grain(const Frame& frame, const std::function<void(const GrainPlaceNow&)>& visit) {
    for (const ColumnGroup& group : frame.groups) {
        if (group.desc().name != "grains" || group.desc().columns.size() < 7) continue;
        const auto x = group.column(std::size_t{0}), q = group.column(1), size = group.column(4),
                   kind = group.column(5);
        for (std::size_t k = 0; k < group.count(); ++k) {
            const GrainPlaceNow now{{{x[3 * k], x[3 * k + 1], x[3 * k + 2]},
                                     {q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]}},
                                    size[k],
                                    static_cast<std::uint32_t>(kind[k])};
            if (is_finite(now.pose.position) && is_finite(now.pose.orientation) && now.size > 0) visit(now);
        }
    }
}

}  // namespace impuls
