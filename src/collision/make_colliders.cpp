// Colliders from shape descriptions (make_colliders.h): a few lines per kind.
#include "collision/make_colliders.h"

#include <algorithm>
#include <span>
#include <variant>

#include "collision/compound_faces.h"
#include "geometry/field_solid.h"
#include "geometry/revolved.h"

namespace impuls {
namespace {

struct ColliderBuilder {
    bool is_dynamic;
    ShapeCache& cache;
    std::vector<Collider>& out;

    void round(ColliderKind kind, double radius, double half_length, const Pose& X) {
        out.push_back({kind, {radius, half_length, radius}, radius, std::min(radius, half_length), X});
    }
    void operator()(const Sphere& s, const Pose& X) {
        out.push_back({ColliderKind::Sphere, {s.radius, s.radius, s.radius}, s.radius, s.radius, X});
    }
    void operator()(const Box& s, const Pose& X) {
        const Vec3 half = s.size * 0.5;
        out.push_back({ColliderKind::Box, half, 0, std::min({half.x, half.y, half.z}), X});
    }
    void operator()(const Capsule& s, const Pose& X) {
        out.push_back({ColliderKind::Capsule, {s.radius, 0.5 * s.length, s.radius}, s.radius, s.radius, X});
    }
    void operator()(const Plane&, const Pose& X) { out.push_back({ColliderKind::Plane, {}, 0, 0, X}); }
    void operator()(const Cylinder& s, const Pose& X) {
        round(ColliderKind::Cylinder, s.radius, 0.5 * s.height, X);
    }
    void operator()(const Cone& s, const Pose& X) { round(ColliderKind::Cone, s.radius, 0.5 * s.height, X); }
    void operator()(const Ellipsoid& s, const Pose& X) {
        const Vec3& r = s.radii;
        out.push_back({ColliderKind::Ellipsoid, r, 0, std::min({r.x, r.y, r.z}), X});
    }
    void operator()(const Convex& s, const Pose& X) {
        auto polyhedron = cache.polyhedron(s);
        out.push_back({ColliderKind::Convex, {}, 0, polyhedron->in_radius, X, polyhedron});
    }
    // A surface has no thickness: the other body's size is what tolerances are relative to.
    void operator()(const Mesh& s, const Pose& X) {
        if (is_dynamic) {
            auto field = cache.field(s);
            out.push_back(
                {ColliderKind::DistanceField, {}, 0, field->size, X, {}, cache.closed_surface(s), field});
            return;
        }
        out.push_back({ColliderKind::Mesh, {}, 0, 0, X, {}, cache.surface(s)});
    }
    void operator()(const HeightField& s, const Pose& X) {
        out.push_back({ColliderKind::HeightField, {}, 0, 0, X, {}, cache.surface(s)});
    }
    // Its triangles for everything but balls.
    template <RevolvedShape S>
    void operator()(const S& s, const Pose& X) {
        constexpr std::uint32_t kAround = 96;
        const auto profile = std::make_shared<const RevolvedProfile>(s);
        Mesh mesh;
        const TriangleMesh triangles = profile->mesh(kAround);
        mesh.vertices = triangles.vertices;
        for (const auto& corners : triangles.triangles)
            for (const std::uint32_t corner : corners) mesh.triangles.push_back(corner);
        (*this)(mesh, X);
        out.back().profile = profile;
        out.back().size = profile->narrow();
    }
    // Each where the world says: bodies of particles have no other places than theirs.
    void operator()(const Particles& s, const Pose&) {
        const double r = s.radius;
        out.insert(out.end(), s.points.size(), {ColliderKind::Sphere, {r, r, r}, r, r, {}});
    }
    void operator()(const Point&, const Pose&) {}
    void operator()(const Compound& compound, const Pose& X) {
        const std::size_t first = out.size();
        for (const CompoundPart& part : compound.parts) {
            const Pose X_part = X * Pose{part.position, part.orientation};
            std::visit([&](const auto& shape) { (*this)(shape, X_part); }, part.shape);
        }
        mark_covered_faces(std::span(out).subspan(first));
    }
};

}  // namespace

bool can_collide(const Shape& shape) {
    return !std::holds_alternative<Point>(shape);
}

void make_colliders(const Shape& shape, const Pose& X_BS, bool is_dynamic, ShapeCache& cache,
                    std::vector<Collider>& out) {
    ColliderBuilder build{is_dynamic, cache, out};
    std::visit([&](const auto& s) { build(s, X_BS); }, shape);
}

}  // namespace impuls
