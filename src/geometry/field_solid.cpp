// Field, samples and tree of a mesh, with the sampling distance of the text: thr = max(user, cell diagonal).
// Called when bodies are built.
#include "geometry/field_solid.h"

#include <algorithm>
#include <cmath>

#include "geometry/closed_mesh.h"

namespace impuls {

std::shared_ptr<const FieldSolid> make_field_solid(const TriangleMesh& mesh, const FieldSolidOptions& options,
                                                   DistanceFieldReport& report, Executor* executor) {
    auto solid = std::make_shared<FieldSolid>();
    solid->field = DistanceField::build(mesh, options.field, report, executor);
    if (!report.error.empty()) return nullptr;
    const double cell = solid->field.cell();
    solid->threshold = std::max(options.threshold, std::sqrt(3.0) * cell);
    const TriangleSurface surface = make_surface(close_mesh(mesh).mesh);
    solid->samples = sample_surface(surface, {solid->threshold, cell * cell, options.regions});
    solid->tree.build(solid->samples.points);
    const Aabb& box = solid->field.surface_box();
    const Vec3 half = 0.5 * (box.max - box.min);
    solid->center = 0.5 * (box.max + box.min);
    solid->size = std::min({half.x, half.y, half.z});
    for (const Vec3& v : surface.vertices) solid->radius = std::max(solid->radius, length(v));
    return solid;
}

}  // namespace impuls
