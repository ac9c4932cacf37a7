// Solids with distance fields against each other and against simple shapes. Sphere trees prune conservatively
// (DistanceField::may_reach; exact distances are 1-Lipschitz), so looking every sample up gives the same
// result. Called through the dispatch table.
#include "collision/narrow/distance_field_pairs.h"

#include <algorithm>

#include "collision/narrow/field_contacts.h"
#include "collision/narrow/field_points.h"
#include "collision/narrow/point_distance.h"
#include "geometry/field_solid.h"

namespace impuls::narrow {

namespace {

// Samples of one solid in the field of the other. `towards` is +1 when the samples are a's.
void add_samples(const FieldSolid& samples, const Pose& X_WS, const FieldSolid& solid, const Pose& X_WF,
                 double margin, double towards, bool by_force, FieldContacts& out) {
    const Pose X_FS = inverse(X_WF) * X_WS;
    const Mat3 R = to_matrix(X_FS.orientation);
    const auto keep = [&](const Vec3& c, double radius) {
        return by_force || solid.field.may_reach(X_FS.position + R * c, radius, margin);
    };
    samples.tree.visit(keep, [&](const Vec3& point, std::uint32_t number) {
        const Vec3 p = X_FS.position + R * point;
        const FieldSample s = solid.field.value_and_gradient(p);
        if (!(s.value <= margin)) return;
        const Vec3 gradient = field_normal(solid, s, p);
        if (!faces(R * samples.samples.normals[number], gradient)) return;
        const Vec3 outward = rotate(X_WF.orientation, gradient);
        out.add(X_WF * p, outward * -towards, towards, s.value, towards > 0 ? number : number | kSampleOfB);
    });
}

bool both_ways(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
               bool by_force, std::vector<Manifold>& out) {
    FieldContacts& contacts = FieldContacts::fresh();
    add_samples(*a.field, X_WA, *b.field, X_WB, margin, 1, by_force, contacts);
    add_samples(*b.field, X_WB, *a.field, X_WA, margin, -1, by_force, contacts);
    return contacts.emit(kPrefer * std::min(a.size, b.size), out);
}

// Samples of the solid against the exact distance of b.
void add_samples(const FieldSolid& samples, const Pose& X_WS, const Collider& b, const Pose& X_WB,
                 double margin, FieldContacts& out) {
    const Pose X_BS = inverse(X_WB) * X_WS;
    const Mat3 R = to_matrix(X_BS.orientation);
    const auto keep = [&](const Vec3& c, double radius) {
        return distance_bound(b, X_BS.position + R * c) <= radius * (1 + 1e-9) + margin;
    };
    samples.tree.visit(keep, [&](const Vec3& point, std::uint32_t number) {
        const Vec3 p = X_BS.position + R * point;
        const PointDistance d = point_distance(b, p);
        if (!(d.distance <= margin) || !faces(R * samples.samples.normals[number], d.normal)) return;
        out.add(X_WB * p, -rotate(X_WB.orientation, d.normal), 1, d.distance, number);
    });
}

}  // namespace

bool field_field(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                 std::vector<Manifold>& out) {
    return both_ways(a, X_WA, b, X_WB, margin, false, out);
}

bool field_field_by_force(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                          double margin, std::vector<Manifold>& out) {
    return both_ways(a, X_WA, b, X_WB, margin, true, out);
}

bool field_plane(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                 std::vector<Manifold>& out) {
    FieldContacts& contacts = FieldContacts::fresh();
    add_samples(*a.field, X_WA, b, X_WB, margin, contacts);
    return contacts.emit(kPrefer * a.size, out);
}

bool field_convex(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                  std::vector<Manifold>& out) {
    FieldContacts& contacts = FieldContacts::fresh();
    add_samples(*a.field, X_WA, b, X_WB, margin, contacts);
    FieldProbe probe(*a.field, X_WA, margin, contacts);
    probe_points(b, inverse(X_WA) * X_WB, probe);
    return contacts.emit(kPrefer * std::min(a.size, b.size), out);
}

}  // namespace impuls::narrow
