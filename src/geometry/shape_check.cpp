// Checks of shapes that need geometry (see shape_check.h). Safe for any input, however hostile.
#include "geometry/shape_check.h"

#include <cmath>

#include <fmt/format.h>

#include "geometry/hull.h"
#include "geometry/machine_parts.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/particle_check.h"
#include "geometry/solid_check.h"
#include "geometry/triangles.h"

namespace impuls {
namespace {

using Problems = std::vector<ShapeProblem>;

// Sizes that are not positive are reported with their fields, not here.
template <class Primitive>
void check_primitive(const Primitive& shape, std::initializer_list<double> sizes, Problems& problems) {
    for (const double size : sizes)
        if (size <= 0) return;
    check_magnitude(mass_properties(shape, 1), "", problems);
}

void check(const Sphere& s, Problems& problems) {
    check_primitive(s, {s.radius}, problems);
}
void check(const Box& b, Problems& problems) {
    check_primitive(b, {b.size.x, b.size.y, b.size.z}, problems);
}
void check(const Capsule& c, Problems& problems) {
    check_primitive(c, {c.radius, c.length}, problems);
}
void check(const Cylinder& c, Problems& problems) {
    check_primitive(c, {c.radius, c.height}, problems);
}
void check(const Cone& c, Problems& problems) {
    check_primitive(c, {c.radius, c.height}, problems);
}
void check(const Ellipsoid& e, Problems& problems) {
    check_primitive(e, {e.radii.x, e.radii.y, e.radii.z}, problems);
}
void check(const Tube& t, Problems& problems) {
    check_primitive(t, {t.radius, t.thickness, t.height}, problems);
}
void check(const Bowl& b, Problems& problems) {
    check_primitive(b, {b.radius, b.thickness, b.opening}, problems);
}
void check(const Funnel& f, Problems& problems) {
    if (f.neck >= f.radius) problems.push_back({"/neck", "is not below radius"});
    check_primitive(f, {f.radius, f.height, f.thickness}, problems);
}
void check(const Torus& t, Problems& problems) {
    if (t.tube >= t.radius) problems.push_back({"/tube", "is not below radius"});
    check_primitive(t, {t.radius, t.tube}, problems);
}
void check(const Plane&, Problems&) {}
void check(const Point&, Problems&) {}

void check(const Convex& convex, Problems& problems) {
    for (std::size_t i = 0; i < convex.points.size(); ++i) {
        if (is_finite(convex.points[i])) continue;
        problems.push_back({fmt::format("/points/{}", i), "not a finite point"});
        return;
    }
    const HullResult result = convex_hull(convex.points);
    if (!result.ok()) {
        problems.push_back({"/points", result.error});
        return;
    }
    const std::size_t before = problems.size();
    check_volume(to_unit_size(to_triangles(result.hull)), "/points", problems);
    if (problems.size() == before) check_magnitude(mass_properties(convex, 1), "/points", problems);
}

void check(const SpurGear& gear, Problems& problems) {
    if (const std::string problem = gear_problem(gear); !problem.empty()) problems.push_back({"", problem});
}

void check(const Cam& cam, Problems& problems) {
    if (cam.radii.size() < 3)
        problems.push_back({"/radii", "a cam needs at least 3 radii"});
    else
        check_mesh(cam, problems);
}

void check(const Mesh& mesh, Problems& problems) {
    check_mesh(mesh, problems);
}

void check(const HeightField& field, Problems& problems) {
    for (std::size_t i = 0; i < field.heights.size(); ++i) {
        if (std::isfinite(field.heights[i])) continue;
        problems.push_back({fmt::format("/heights/{}", i), "not a finite number"});
        break;
    }
    if (field.columns < 2) return;  // reported with its field
    const auto columns = static_cast<std::uint64_t>(field.columns);
    if (field.heights.size() % columns != 0 || field.heights.size() / columns < 2) {
        problems.push_back({"/heights", fmt::format("{} heights are not two or more rows of {} columns",
                                                    field.heights.size(), columns)});
    }
}

void check(const Particles& p, Problems& problems) {
    check_particles(p, problems);
}
void check(const Rope& rope, Problems& problems) {
    const double way = length(rope.to - rope.from);
    if (!is_finite(rope.from) || !is_finite(rope.to) || !(way > 0))
        problems.push_back({"/to", "is where from is"});
    else if (rope.length && *rope.length < way)
        problems.push_back({"/length", "is less than the distance of the ends"});
    else
        check_particles(rope, problems);
}
void check(const Sheet& sheet, Problems& problems) {
    check_particles(sheet, problems);
}

void check(const Compound& compound, Problems& problems) {
    if (compound.parts.empty()) problems.push_back({"/parts", "a compound needs parts"});
    const std::size_t before = problems.size();
    for (std::size_t i = 0; i < compound.parts.size(); ++i) {
        const CompoundPart& part = compound.parts[i];
        const std::string path = fmt::format("/parts/{}", i);
        if (!is_finite(part.position)) problems.push_back({path + "/position", "not a finite point"});
        const double norm = length_squared(part.orientation);
        if (!std::isnormal(norm)) problems.push_back({path + "/orientation", "not a rotation"});
        Problems inner;
        std::visit([&](const auto& s) { check(s, inner); }, part.shape);
        for (ShapeProblem& p : inner) problems.push_back({path + p.path, std::move(p.message)});
    }
    if (!compound.parts.empty() && problems.size() == before)
        check_magnitude(mass_properties(compound, 1), "", problems);
}

}  // namespace

std::vector<ShapeProblem> check_shape(const Shape& shape) {
    Problems problems;
    std::visit([&](const auto& s) { check(s, problems); }, shape);
    return problems;
}

}  // namespace impuls
