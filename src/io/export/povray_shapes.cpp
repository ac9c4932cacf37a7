// POV-Ray primitives where it has them, triangles (mesh2) for hulls, meshes and height fields.
// Called by the POV-Ray exporter.
#include "io/export/povray_shapes.h"

#include <fmt/format.h>

#include <iterator>
#include <variant>

#include "geometry/revolved.h"
#include "geometry/tessellate.h"

namespace impuls {

namespace {

std::string object(const Sphere& s) {
    return fmt::format("sphere {{ 0, {}", s.radius);
}

std::string object(const Box& b) {
    return fmt::format("box {{ {}, {}", povray_vector(-0.5 * b.size), povray_vector(0.5 * b.size));
}

std::string object(const Capsule& c) {
    const double y = 0.5 * c.length;
    return fmt::format(
        "merge {{ sphere {{ <0, {0}, 0>, {1} }} sphere {{ <0, -{0}, 0>, {1} }} "
        "cylinder {{ <0, -{0}, 0>, <0, {0}, 0>, {1} }}",
        y, c.radius);
}

std::string object(const Cylinder& c) {
    return fmt::format("cylinder {{ <0, -{0}, 0>, <0, {0}, 0>, {1}", 0.5 * c.height, c.radius);
}

std::string object(const Cone& c) {
    return fmt::format("cone {{ <0, -{0}, 0>, {1}, <0, {0}, 0>, 0", 0.5 * c.height, c.radius);
}

std::string object(const Ellipsoid& e) {
    return fmt::format("sphere {{ 0, 1 scale {}", povray_vector(e.radii));
}

std::string object(const Plane&) {
    return {};
}

std::string triangles(const Shape& shape) {
    const TriangleMesh mesh = tessellate(shape);
    if (mesh.triangles.empty()) return {};
    std::string out = fmt::format("mesh2 {{ vertex_vectors {{ {}", mesh.vertices.size());
    for (const Vec3& v : mesh.vertices) out += ", " + povray_vector(v);
    fmt::format_to(std::back_inserter(out), " }} face_indices {{ {}", mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        fmt::format_to(std::back_inserter(out), ", <{},{},{}>", t[0], t[1], t[2]);
    return out + " }";
}

std::string object(const Convex& c) {
    return triangles(c);
}
std::string object(const Mesh& m) {
    return triangles(m);
}
std::string object(const HeightField& h) {
    return triangles(h);
}

std::string object(const Particles& p) {
    return triangles(p);
}

template <RevolvedShape S>
std::string object(const S& s) {
    return triangles(s);
}

std::string object(const Compound& compound) {
    std::string out = "union {";
    for (const CompoundPart& part : compound.parts) {
        const std::string inner = std::visit([](const auto& shape) { return object(shape); }, part.shape);
        if (inner.empty()) continue;
        out += fmt::format(" {} {} }}", inner, povray_matrix({part.position, part.orientation}));
    }
    return out;
}

}  // namespace

std::string povray_object(const Shape& shape, double point_radius) {
    if (std::holds_alternative<Point>(shape)) return object(Sphere{point_radius});
    return std::visit(
        [](const auto& s) -> std::string {
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Point>) {
                return {};
            } else {
                return object(s);
            }
        },
        shape);
}

std::string povray_vector(const Vec3& v) {
    return fmt::format("<{}, {}, {}>", v.x, v.y, v.z);
}

std::string povray_matrix(const Pose& X_WB) {
    const Mat3 R = to_matrix(X_WB.orientation);
    const Vec3& p = X_WB.position;
    return fmt::format("matrix <{},{},{}, {},{},{}, {},{},{}, {},{},{}>", R.c0.x, R.c0.y, R.c0.z, R.c1.x,
                       R.c1.y, R.c1.z, R.c2.x, R.c2.y, R.c2.z, p.x, p.y, p.z);
}

}  // namespace impuls
