// Shapes of grains (shape.h).
#include "geometry/grain_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/rng.h"
#include "geometry/grains.h"
#include "geometry/mass_properties.h"
#include "impuls/shapes.h"

namespace impuls::granular {
namespace {

double face_area(const Hull& hull, std::size_t f) {
    const auto face = hull.face(f);
    Vec3 area;
    for (std::size_t k = 2; k < face.size(); ++k)
        area += cross(hull.vertices[face[k - 1]] - hull.vertices[face[0]],
                      hull.vertices[face[k]] - hull.vertices[face[0]]);
    return length(area) / 2;
}

std::vector<Vec3> platonic_points(int faces) {
    const double golden = std::numbers::phi;
    std::vector<Vec3> points;
    const auto add_signs = [&](const Vec3& p) {
        for (int k = 0; k < 8; ++k) {
            const Vec3 q{k & 1 ? -p.x : p.x, k & 2 ? -p.y : p.y, k & 4 ? -p.z : p.z};
            if (std::find(points.begin(), points.end(), q) == points.end()) points.push_back(q);
        }
    };
    if (faces == 4) points = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    if (faces == 6 || faces == 12) add_signs({1, 1, 1});
    if (faces == 8) add_signs({1, 0, 0}), add_signs({0, 1, 0}), add_signs({0, 0, 1});
    if (faces == 12)
        add_signs({0, 1 / golden, golden}), add_signs({1 / golden, golden, 0}),
            add_signs({golden, 0, 1 / golden});
    if (faces == 20) add_signs({0, 1, golden}), add_signs({1, golden, 0}), add_signs({golden, 0, 1});
    if (points.empty()) throw std::invalid_argument("a Platonic solid has 4, 6, 8, 12 or 20 faces");
    for (Vec3& p : points) p = normalized(p);
    return points;
}

}  // namespace

// Of spheres the patch at a depth of 1 % of the diameter: pi r depth.
constexpr double kRoundPatch = 0.02 * std::numbers::pi;

GrainShape sphere_shape(double radius) {
    GrainShape shape;
    shape.radius = radius;
    shape.volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
    shape.inertia = Vec3{1, 1, 1} * (0.4 * shape.volume * radius * radius);
    shape.patch = kRoundPatch * radius * radius;
    return shape;
}

GrainShape hull_shape(std::span<const Vec3> points) {
    const MassProperties given = mass_properties(Convex{{points.begin(), points.end()}}, 1);
    if (!(given.mass > 0)) throw std::invalid_argument("the points of a grain have no hull");
    const PrincipalAxes axes = principal_axes(given.inertia);
    std::vector<Vec3> own;
    for (const Vec3& p : points) own.push_back(rotate_inverse(axes.rotation, p - given.center));
    GrainShape shape;
    shape.polyhedron = std::make_shared<const Polyhedron>(make_polyhedron(convex_hull(own).hull));
    shape.view = shape.polyhedron->view();
    shape.volume = given.mass, shape.inertia = axes.moments, shape.from_given = axes.rotation;
    shape.radius = 0;
    const Hull& hull = shape.polyhedron->hull;
    for (const Vec3& v : hull.vertices) shape.radius = std::max(shape.radius, length(v));
    shape.patch = kRoundPatch * shape.radius * shape.radius;
    for (std::size_t f = 0; f < hull.face_count(); ++f)
        shape.patch = std::max(shape.patch, face_area(hull, f));
    return shape;
}

GrainShape ellipsoid_shape(int vertices, const Vec3& semi_axes, double jitter, std::uint64_t seed) {
    std::vector<Vec3> points = grain_directions(vertices);
    Rng draw(seed, static_cast<std::uint64_t>(vertices));
    const double distance = std::sqrt(4 * std::numbers::pi / vertices);
    for (Vec3& p : points) {
        const Vec3 shift{draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)};
        p = normalized(p + (shift - p * dot(shift, p)) * (jitter * distance));
        p = scale(p, semi_axes);
    }
    return hull_shape(points);
}

GrainShape platonic_shape(int faces, double radius) {
    std::vector<Vec3> points = platonic_points(faces);
    for (Vec3& p : points) p *= radius;
    return hull_shape(points);
}

std::string convexity_problem(std::span<const Vec3> points) {
    const HullResult result = convex_hull(points);
    if (!result.ok()) return result.error;
    if (result.hull.vertices.size() == points.size()) return "";
    for (std::size_t k = 0; k < points.size(); ++k)
        if (!std::binary_search(result.hull.source.begin(), result.hull.source.end(),
                                static_cast<std::uint32_t>(k)))
            return "point " + std::to_string(k) +
                   " is no corner of a convex body: it lies inside the others' hull";
    return "";
}

}  // namespace impuls::granular
