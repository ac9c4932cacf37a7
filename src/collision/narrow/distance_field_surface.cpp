// A solid with a distance field on a mesh or height field: samples of the solid against the nearest triangle,
// and the surface's vertices and edges that stick out against the field. Samples deeper behind the surface
// than the solid is large do not count: open meshes have no inside. Called through the dispatch table.
#include <algorithm>
#include <cmath>

#include "collision/narrow/distance_field_pairs.h"
#include "collision/narrow/field_contacts.h"
#include "collision/narrow/field_points.h"
#include "collision/narrow/surface_distance.h"
#include "geometry/field_solid.h"

namespace impuls::narrow {

namespace {

void add_samples(const Collider& a, const Pose& X_WA, const ContactSurface& surface, const Pose& X_WB,
                 double margin, FieldContacts& out) {
    const FieldSolid& solid = *a.field;
    const Pose X_BS = inverse(X_WB) * X_WA;
    const Mat3 R = to_matrix(X_BS.orientation);
    const Aabb& box = solid.field.surface_box();
    const double deepest = 0.5 * length(box.max - box.min), tiny = kZero * a.size;
    const double first = margin + solid.threshold;
    const auto keep = [&](const Vec3& c, double radius) {
        const PointOnSurface d = surface_distance(surface, X_BS.position + R * c, first,
                                                  radius * (1 + 1e-9) + std::max(margin, deepest), tiny);
        return d.found && (d.beside ? std::abs(d.distance) : d.distance) <= radius * (1 + 1e-9) + margin;
    };
    solid.tree.visit(keep, [&](const Vec3& point, std::uint32_t number) {
        const Vec3 p = X_BS.position + R * point;
        const PointOnSurface d = surface_distance(surface, p, first, std::max(margin, deepest), tiny);
        if (!d.found || d.distance > margin || (d.beside && d.distance < 0)) return;
        if (!faces(R * solid.samples.normals[number], d.normal)) return;
        out.add(X_WB * p, -rotate(X_WB.orientation, d.normal), 1, d.distance, number);
    });
}

Aabb box_in(const Aabb& box, const Pose& X, double grow) {
    const Mat3 R = to_matrix(X.orientation);
    const Vec3 half = (box.max - box.min) * 0.5, center = X * ((box.max + box.min) * 0.5);
    Vec3 reach{grow, grow, grow};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) reach[i] += std::abs(R[k][i]) * half[k];
    return {center - reach, center + reach};
}

// Each edge and vertex once: the triangle with the lowest number that has it speaks for it. An edge near the
// solid has all its triangles near it.
void add_surface(const ContactSurface& surface, const Pose& X_FB, double margin, FieldProbe& probe) {
    const Aabb box = box_in(probe.solid().field.surface_box(), inverse(X_FB), margin);
    surface.for_each_in(box, [&](std::uint32_t t) {
        if (!surface.has_sharp_edge(t)) return;
        const auto& corners = surface.corners(t);
        for (int k = 0; k < 3; ++k) {
            if (!surface.sticks_out(t, k) || surface.neighbour(t, k) < t) continue;
            const std::uint32_t v = corners[static_cast<std::size_t>(k)],
                                w = corners[static_cast<std::size_t>((k + 1) % 3)];
            const Vec3 p = X_FB * surface.vertex(std::min(v, w)), q = X_FB * surface.vertex(std::max(v, w));
            const std::uint32_t name = (t * 3 + static_cast<std::uint32_t>(k)) % 0x3fffffu;
            probe.edge(p, q, {}, (name << 8) % kSampleOfB);
            probe.point(p, {}, (std::min(v, w) << 4 | 1u) % kSampleOfB);
            probe.point(q, {}, (std::max(v, w) << 4 | 1u) % kSampleOfB);
        }
    });
}

}  // namespace

bool field_surface(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   std::vector<Manifold>& out) {
    FieldContacts& contacts = FieldContacts::fresh();
    add_samples(a, X_WA, *b.surface, X_WB, margin, contacts);
    FieldProbe probe(*a.field, X_WA, margin, contacts);
    add_surface(*b.surface, inverse(X_WA) * X_WB, margin, probe);
    return contacts.emit(kPrefer * a.size, out);
}

}  // namespace impuls::narrow
