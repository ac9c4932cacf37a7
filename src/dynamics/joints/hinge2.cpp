// Wheel joint (hinge-2, Erleben 4.9.4): an axis s of a (steering) and an axis u of b (spin) meet at the
// wheel's middle and keep the angle between them:
//     C = s . u - cos(angle at the start),   dC/dt = (u x s) . (w_b - w_a)
// As printed the ball rows and the error have the wrong sign; here both follow from C. With a suspension the
// middle may move along s (line rows as in slider.cpp), else it is held (point rows).
// Steering and spin angles e, f: w_b - w_a = e' s + f' u + (what C forbids), and with c = s . u
//     e' = (s - c u) . (w_b - w_a) / (1 - c^2),   f' = (u - c s) . (w_b - w_a) / (1 - c^2)
#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {

// x along the steering axis, the spin axis in the plane of x and y.
JointFrames joint_frames(const Hinge2Joint& desc) {
    return {{desc.anchor, along_xy(desc.steer_axis, desc.spin_axis)}};
}

void add_rows(const Hinge2Joint& desc, const JointGeometry& g, JointRows& out) {
    const Vec3 s0 = normalized(desc.steer_axis), u0 = normalized(desc.spin_axis);
    const double c0 = dot(s0, u0), n0 = length(cross(s0, u0));
    const Vec3 s = x_of(g.X_WJa), u = rotate(g.X_WJb.orientation, {c0, n0, 0});
    if (desc.suspension) {
        add_line_rows(out, g);
    } else {
        add_point_rows(out, g);
    }
    add_angular_row(out, cross(u, s), dot(s, u) - c0);

    const double c = dot(s, u), n2 = 1 - c * c > 0 ? 1 - c * c : 1;
    const Rate steer = turn_rate(out, (s - c * u) / n2), spin = turn_rate(out, (u - c * s) / n2);
    // From a, u turns about s, beginning in the plane of x and y. From b, s turns backwards about u,
    // beginning at e, which is across u.
    const Vec3 e = rotate(g.X_WJb.orientation, {n0, -c0, 0}), f = cross(u, e);
    const double steer_angle = arc_tangent(dot(u, z_of(g.X_WJa)), dot(u, y_of(g.X_WJa)));
    const double spin_angle = arc_tangent(-dot(s, f), dot(s, e));
    add_axis(out, desc.steer, with_turns(out, steer_angle, steer), steer);
    add_axis(out, desc.spin, with_turns(out, spin_angle, spin), spin);
    if (desc.suspension)
        add_axis(out, *desc.suspension, dot(s, g.X_WJb.position - g.X_WJa.position), slide_rate(out, g, s));
}

}  // namespace impuls
