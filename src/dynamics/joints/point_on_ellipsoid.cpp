// A point of b on an ellipsoid fixed in a, or with a radius left out on a cylinder (Bender 2014, 3.2.2:
// surfaces with a normal everywhere). With the coordinates x of the point in a's frame and the radii r
//     f = sqrt(sum (x_i / r_i)^2),   C = (f - 1) / |grad f| = 0,   dC/dt = n . (v_b ... ),  n = grad f /
//     |grad f|
// where C is the distance to first order, and the distance itself for spheres and round cylinders.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PointOnEllipsoidJoint& desc) {
    const Quat q = along_xy(desc.x_axis, desc.y_axis);
    return {{desc.center, q}, {desc.anchor, q}};
}

void add_rows(const PointOnEllipsoidJoint& desc, const JointGeometry& g, JointRows& out) {
    const Quat& q = g.X_WJa.orientation;
    const Vec3 x = rotate_inverse(q, g.X_WJb.position - g.X_WJa.position);
    const auto inverse = [](const std::optional<double>& radius) { return radius ? 1 / *radius : 0; };
    const Vec3 w{inverse(desc.radius_x), inverse(desc.radius_y), inverse(desc.radius_z)};
    const Vec3 u = scale(w, x), up = scale(w, u);  // f^2 = u . u, grad f = up / f
    const double f = length(u), steep = length(up);
    // In the middle every direction leads out equally well: along the shortest axis.
    const Vec3 shortest = w.x >= w.y && w.x >= w.z ? Vec3{1, 0, 0}
                          : w.y >= w.z             ? Vec3{0, 1, 0}
                                                   : Vec3{0, 0, 1};
    const Vec3 n = steep > 0 ? up / steep : shortest;
    const double error = steep > 0 ? (f - 1) * (f / steep) : -1 / dot(w, shortest);
    const Vec3 change = scale(w, scale(w, rotate_inverse(q, slide_velocity(out, g))));
    out.bend = steep > 0 ? length(change - n * dot(n, change)) / steep : 0;
    add_equation(out, slide_rate(out, g, rotate(q, n)), error);
}

}  // namespace impuls
