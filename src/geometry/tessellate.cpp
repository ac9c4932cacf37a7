// Triangles of every shape. Round shapes are surfaces of revolution about y: a profile of (radius, height)
// from the bottom pole to the top one, turned in `segments` steps. All vertices lie on the surface.
#include "geometry/tessellate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/hull.h"
#include "geometry/particle_net.h"
#include "geometry/revolved.h"

namespace impuls {
namespace {

using std::numbers::pi;

struct Detail {
    std::uint32_t segments;
    double plane_size;
};

struct ProfilePoint {
    double radius, height;
};
using Profile = std::vector<ProfilePoint>;

// `around` the axis: one vertex for each pole (first and last point, of radius 0), a ring for each other
// point.
TriangleMesh revolve(const Profile& profile, std::uint32_t around) {
    TriangleMesh out;
    const auto rings = static_cast<std::uint32_t>(profile.size() - 2);
    out.vertices.push_back({0, profile.front().height, 0});
    for (std::uint32_t ring = 1; ring <= rings; ++ring) {
        for (std::uint32_t i = 0; i < around; ++i) {
            const double angle = 2 * pi * i / around;
            const auto [radius, height] = profile[ring];
            out.vertices.push_back({radius * std::cos(angle), height, radius * std::sin(angle)});
        }
    }
    out.vertices.push_back({0, profile.back().height, 0});

    const std::uint32_t top = rings * around + 1;
    const auto at = [&](std::uint32_t ring, std::uint32_t i) { return 1 + ring * around + i % around; };
    for (std::uint32_t i = 0; i < around; ++i) {
        out.triangles.push_back({0, at(0, i), at(0, i + 1)});
        for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
            out.triangles.push_back({at(ring, i), at(ring + 1, i), at(ring, i + 1)});
            out.triangles.push_back({at(ring, i + 1), at(ring + 1, i), at(ring + 1, i + 1)});
        }
        out.triangles.push_back({at(rings - 1, i), top, at(rings - 1, i + 1)});
    }
    return out;
}

// Points of a circular arc of latitudes from..to (in quarter turns), both ends included.
void append_arc(Profile& profile, double radius, double center, double from, double to, std::uint32_t steps) {
    for (std::uint32_t i = 0; i <= steps; ++i) {
        const double latitude = pi / 2 * (from + (to - from) * i / steps);
        profile.push_back({radius * std::cos(latitude), center + radius * std::sin(latitude)});
    }
}

TriangleMesh mesh_of(const Sphere& s, const Detail& detail) {
    Profile profile;
    append_arc(profile, s.radius, 0, -1, 1, std::max(2u, detail.segments / 2));
    return revolve(profile, detail.segments);
}

TriangleMesh mesh_of(const Ellipsoid& e, const Detail& detail) {
    TriangleMesh out = mesh_of(Sphere{1}, detail);
    for (Vec3& v : out.vertices) v = scale(v, e.radii);
    return out;
}

TriangleMesh mesh_of(const Capsule& c, const Detail& detail) {
    Profile profile;
    const std::uint32_t steps = std::max(1u, detail.segments / 4);
    append_arc(profile, c.radius, -c.length / 2, -1, 0, steps);
    append_arc(profile, c.radius, c.length / 2, 0, 1, steps);
    return revolve(profile, detail.segments);
}

TriangleMesh mesh_of(const Cylinder& c, const Detail& detail) {
    const double h = c.height / 2;
    return revolve({{0, -h}, {c.radius, -h}, {c.radius, h}, {0, h}}, detail.segments);
}

TriangleMesh mesh_of(const Cone& c, const Detail& detail) {
    const double h = c.height / 2;
    return revolve({{0, -h}, {c.radius, -h}, {0, h}}, detail.segments);
}

// Corner i has +x, +y, +z where bits 0, 1, 2 of i are set.
TriangleMesh mesh_of(const Box& b, const Detail&) {
    TriangleMesh out;
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign{i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
        out.vertices.push_back(scale(b.size, sign));
    }
    out.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return out;
}

TriangleMesh mesh_of(const Convex& c, const Detail&) {
    return to_triangles(convex_hull(c.points).hull);
}

TriangleMesh mesh_of(const Mesh& m, const Detail&) {
    return to_triangles(m);
}

TriangleMesh mesh_of(const Plane&, const Detail& detail) {
    const double h = detail.plane_size / 2;
    return {{{-h, 0, -h}, {-h, 0, h}, {h, 0, h}, {h, 0, -h}}, {{0, 1, 2}, {0, 2, 3}}};
}

TriangleMesh mesh_of(const HeightField& field, const Detail&) {
    TriangleMesh out;
    if (field.columns < 2) return out;
    const auto columns = static_cast<std::size_t>(field.columns);
    const std::size_t rows = field.heights.size() / columns;
    if (rows < 2) return out;
    const double x0 = -0.5 * field.spacing * static_cast<double>(columns - 1);
    const double z0 = -0.5 * field.spacing * static_cast<double>(rows - 1);
    for (std::size_t i = 0; i < rows * columns; ++i) {
        out.vertices.push_back({x0 + field.spacing * static_cast<double>(i % columns), field.heights[i],
                                z0 + field.spacing * static_cast<double>(i / columns)});
    }
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        for (std::size_t column = 0; column + 1 < columns; ++column) {
            const auto a = static_cast<std::uint32_t>(row * columns + column);
            const auto below = a + static_cast<std::uint32_t>(columns);
            out.triangles.push_back({a, below, below + 1});
            out.triangles.push_back({a, below + 1, a + 1});
        }
    }
    return out;
}

TriangleMesh mesh_of(const Point&, const Detail&) {
    return {};
}

// A surface shows both of its sides; without triangles links are prisms and particles balls.
void append_surface(const ParticleNet& net, TriangleMesh& out) {
    for (const bool is_back : {false, true}) {
        const auto base = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.insert(out.vertices.end(), net.points.begin(), net.points.end());
        for (auto [a, b, c] : net.triangles) {
            if (is_back) std::swap(b, c);
            out.triangles.push_back({base + a, base + b, base + c});
        }
    }
}

void append_prism(const Vec3& from, const Vec3& to, double radius, std::uint32_t sides, TriangleMesh& out) {
    const Vec3 along = to - from;
    if (!(length_squared(along) > 0)) return;
    const Vec3 n = normalized(along);
    const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(n, axis)), v = cross(n, u);
    const auto base = static_cast<std::uint32_t>(out.vertices.size());
    for (std::uint32_t k = 0; k < sides; ++k) {
        const double angle = 2 * std::numbers::pi * k / sides;
        const Vec3 r = (u * std::cos(angle) + v * std::sin(angle)) * radius;
        out.vertices.push_back(from + r);
        out.vertices.push_back(to + r);
        const std::uint32_t next = (k + 1) % sides;
        out.triangles.push_back({base + 2 * k, base + 2 * next, base + 2 * k + 1});
        out.triangles.push_back({base + 2 * next, base + 2 * next + 1, base + 2 * k + 1});
    }
}

TriangleMesh mesh_of(const Particles& shape, const Detail& detail) {
    const ParticleNet net = make_net(shape, 1);
    TriangleMesh out;
    append_surface(net, out);
    if (!net.triangles.empty()) return out;
    const std::uint32_t sides = std::min(detail.segments, 12u);
    for (const ParticleLink& link : net.links)
        append_prism(net.points[link.a], net.points[link.b], net.radius, sides, out);
    const TriangleMesh ball = mesh_of(Sphere{net.radius}, Detail{sides, 0});
    for (const Vec3& p : net.points) {
        const auto base = static_cast<std::uint32_t>(out.vertices.size());
        for (const Vec3& corner : ball.vertices) out.vertices.push_back(p + corner);
        for (const auto& [a, b, c] : ball.triangles) out.triangles.push_back({base + a, base + b, base + c});
    }
    return out;
}

template <RevolvedShape S>
TriangleMesh mesh_of(const S& s, const Detail& detail) {
    return RevolvedProfile(s).mesh(detail.segments);
}

TriangleMesh mesh_of(const Compound& compound, const Detail& detail) {
    TriangleMesh out;
    for (const CompoundPart& part : compound.parts) {
        const TriangleMesh mesh = std::visit([&](const auto& s) { return mesh_of(s, detail); }, part.shape);
        const Pose X_BP{part.position, normalized(part.orientation)};
        const auto base = static_cast<std::uint32_t>(out.vertices.size());
        for (const Vec3& v : mesh.vertices) out.vertices.push_back(X_BP * v);
        for (const auto& [a, b, c] : mesh.triangles) out.triangles.push_back({base + a, base + b, base + c});
    }
    return out;
}

}  // namespace

TriangleMesh tessellate(const Shape& shape, int segments, double plane_size) {
    const Detail detail{static_cast<std::uint32_t>(std::clamp(segments, 3, 4096)), plane_size};
    return std::visit([&](const auto& s) { return mesh_of(s, detail); }, shape);
}

}  // namespace impuls
