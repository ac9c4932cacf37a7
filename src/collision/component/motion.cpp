// Time of impact and shared volume of public solids (impuls/collision.h).
#include "collision/component/solid.h"
#include "geometry/overlap.h"
#include "impuls/errors.h"

namespace impuls {
namespace {

void add_corners(const Collider& c, std::vector<Vec3>& out) {
    for (unsigned k = 0; k < 8; ++k)
        out.push_back(c.X_BC * Vec3{k & 1 ? c.half.x : -c.half.x, k & 2 ? c.half.y : -c.half.y,
                                    k & 4 ? c.half.z : -c.half.z});
}

// The solid as one convex polyhedron in its own frame.
Polyhedron polyhedron_of(const Solid& solid) {
    const auto& parts = solid.parts().colliders;
    std::vector<Vec3> points;
    if (parts.size() == 1 && parts[0].kind == ColliderKind::Box) add_corners(parts[0], points);
    if (parts.size() == 1 && parts[0].kind == ColliderKind::Convex)
        for (const Vec3& v : parts[0].polyhedron->hull.vertices) points.push_back(parts[0].X_BC * v);
    if (points.empty()) throw InputError("a shared volume needs two boxes or convex hulls");
    HullResult result = convex_hull(points);
    if (!result.ok()) throw InputError(result.error);
    return make_polyhedron(std::move(result.hull));
}

}  // namespace

ImpactTime time_of_impact(const Solid& a, const Sweep& sweep_a, const Solid& b, const Sweep& sweep_b,
                          double duration, double tolerance) {
    const double target = tolerance * smaller_of(a.parts().size, b.parts().size);
    if (!(target > 0))
        throw InputError("a time of impact needs a solid that has a size, and a tolerance > 0");
    return time_of_impact(group_of(a), sweep_a, group_of(b), sweep_b, duration, target);
}

SharedVolume shared_volume(const Placed& a, const Placed& b) {
    const Polyhedron pa = polyhedron_of(a.solid), pb = polyhedron_of(b.solid);
    OverlapFinder finder;
    Overlap o;
    if (!finder.find(pa.view(), pb.view(), relative_pose(a.pose, b.pose), o)) return {};
    const Quat& q = a.pose.orientation;
    return {o.volume, a.pose * o.center, rotate(q, o.area_a), rotate(q, o.moment_a), o.line_length};
}

}  // namespace impuls
