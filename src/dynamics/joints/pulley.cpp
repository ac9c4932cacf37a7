// Pulley: a rope runs from a point of a over two wheels of the frame c, at the points q_a and q_b, to a point
// of b, where it is laid `ratio` times:
//     x = |p_a - q_a| + ratio |p_b - q_b|,   x' by the distances' rates
// Taut (x as at the start) or, with `length`, what that says: an upper limit makes a rope that can go slack.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const PulleyJoint& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}, {desc.wheel_a, {}}, {desc.wheel_b, {}}};
}

void add_rows(const PulleyJoint& desc, const JointGeometry& g, JointRows& out) {
    const Vec3 way_a = g.X_WJa.position - g.X_WCa.position, way_b = g.X_WJb.position - g.X_WCb.position;
    const Vec3 a = normalized(way_a), b = normalized(way_b) * desc.ratio;
    Rate rate;
    rate.add(out.a, a, cross(g.ra, a)).add(out.b, b, cross(g.rb, b));
    rate.add(out.c, -a - b, -cross(g.rca, a) - cross(g.rcb, b));
    const double x = length(way_a) + desc.ratio * length(way_b);
    if (desc.length) {
        add_axis(out, *desc.length, x, rate);
    } else {
        add_equation(
            out, rate,
            x - length(desc.anchor_a - desc.wheel_a) - desc.ratio * length(desc.anchor_b - desc.wheel_b));
    }
}

}  // namespace impuls
