// A solid of any shape for collision: its distance field, the points that stand for its surface, and a tree
// over them (Erleben 2004, 6.2). The mesh itself is not kept.
// Held by colliders; searched by the narrow phase.
#pragma once

#include <memory>

#include "geometry/distance_field.h"
#include "geometry/sphere_tree.h"
#include "geometry/surface_samples.h"

namespace impuls {

struct FieldSolidOptions {
    DistanceFieldOptions field{};
    double threshold = 0;  // distance of samples along edges; at least the diagonal of a cell
    bool regions = true;   // one sample for every large flat region
};

struct FieldSolid {
    DistanceField field{};
    SurfaceSamples samples{};
    SphereTree tree{};
    Vec3 center{};         // of the box
    double size = 0;       // smallest half extent
    double radius = 0;     // no point is farther from the origin
    double threshold = 0;  // distance of samples along edges
    std::size_t bytes() const {
        return field.bytes() + tree.bytes() + 2 * samples.points.size() * sizeof(Vec3);
    }
};

// Null when report.error is set.
std::shared_ptr<const FieldSolid> make_field_solid(const TriangleMesh& mesh, const FieldSolidOptions& options,
                                                   DistanceFieldReport& report, Executor* executor = nullptr);

}  // namespace impuls
