// A point of b on a torus fixed in a: at the distance r from the circle of radius R about the axis x of J.
// With the part z of the point along the axis and its distance p from it,
//     C = sqrt((p - R)^2 + z^2) - r = 0,   dC/dt by its gradient n, the normal of the surface
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PointOnTorusJoint& desc) {
    const Quat q = along_x(desc.axis);
    return {{desc.center, q}, {desc.anchor, q}};
}

void add_rows(const PointOnTorusJoint& desc, const JointGeometry& g, JointRows& out) {
    const Quat& q = g.X_WJa.orientation;
    const Vec3 x = rotate_inverse(q, g.X_WJb.position - g.X_WJa.position), radial{0, x.y, x.z};
    // On the axis all points of the circle are equally near; on the circle all directions out are equal.
    const Vec3 outward = radial != Vec3{} ? normalized(radial) : Vec3{0, 1, 0};
    const Vec3 away = x - outward * desc.radius;
    const Vec3 n = away != Vec3{} ? normalized(away) : outward;
    const Vec3 v = rotate_inverse(q, slide_velocity(out, g));
    const Vec3 around{0, v.y, v.z}, side = around - outward * dot(outward, around);
    const double r = length(radial), d = length(away);
    const Vec3 change = v - side * (r > 0 ? desc.radius / r : 0);  // of `away`
    out.bend = d > 0 ? length(change - n * dot(n, change)) / d : 0;
    add_equation(out, slide_rate(out, g, rotate(q, n)), length(away) - desc.tube);
}

}  // namespace impuls
