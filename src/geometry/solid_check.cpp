// Checks of volumes (see solid_check.h). A body is flat when its volume is below 1e-10 of surface times
// extent, which is about its smallest relative thickness: masses would then keep fewer than six digits.
#include "geometry/solid_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/polyhedron_mass.h"

namespace impuls {
namespace {

constexpr double kMinThickness = 1e-10;

// Largest edge of the box around the corners of all triangles.
double extent(const TriangleMesh& mesh) {
    Vec3 low = mesh.vertices[mesh.triangles[0][0]], high = low;
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t v : triangle) {
            for (int i = 0; i < 3; ++i) {
                low[i] = std::min(low[i], mesh.vertices[v][i]);
                high[i] = std::max(high[i], mesh.vertices[v][i]);
            }
        }
    }
    const Vec3 size = high - low;
    return std::max({size.x, size.y, size.z});
}

}  // namespace

void check_magnitude(const MassProperties& unit_density, const std::string& path,
                     std::vector<ShapeProblem>& problems) {
    const auto [volume, center, inertia] = unit_density;
    const auto report = [&](const char* what, double value) {
        const bool usable = std::isnormal(value) && value > 0;
        if (!usable) {
            const char* how = std::isfinite(value) ? "small" : "large";
            problems.push_back({path, fmt::format("the shape is too {}: its {} is {}", how, what, value)});
        }
        return !usable;
    };
    if (report("volume", volume)) return;
    for (int i = 0; i < 3; ++i)
        if (report("moment of inertia at density 1", inertia[i][i])) return;
}

TriangleMesh to_unit_size(const TriangleMesh& mesh) {
    TriangleMesh out;
    if (mesh.triangles.empty()) return out;
    const double size = extent(mesh);
    if (!(size > 0) || !std::isfinite(size)) return out;
    int exponent = 0;
    std::frexp(size, &exponent);
    out = mesh;
    for (Vec3& v : out.vertices)
        v = {std::ldexp(v.x, -exponent), std::ldexp(v.y, -exponent), std::ldexp(v.z, -exponent)};
    return out;
}

void check_volume(const TriangleMesh& unit_mesh, const std::string& path,
                  std::vector<ShapeProblem>& problems) {
    const SolidMoments solid = solid_moments(unit_mesh);
    if (!(std::abs(solid.volume) > kMinThickness * solid.area))
        problems.push_back({path, "the body is flat: it has no volume within rounding accuracy"});
    else if (solid.volume < 0)
        problems.push_back({path,
                            "the mesh is inside out: its triangles run clockwise seen from outside; swap two "
                            "corners of each "
                            "(in Blender: Mesh, Normals, Flip)"});
}

}  // namespace impuls
