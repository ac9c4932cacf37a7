// Rack and pinion: the pinion a turns against the frame c by the angle e (with turns), the rack b slides
// along s, fixed in c, from the point p_c of c:
//     C = s . (p_b - p_c) - radius e = 0
//     dC/dt = s . (v_b + w_b x r_b) - s . (v_c + w_c x (p_b - x_c)) - radius e'
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const RackAndPinionJoint& desc) {
    return {{desc.anchor, along_x(desc.axis)}, {desc.anchor, along_x(desc.direction)}};
}

void add_rows(const RackAndPinionJoint& desc, const JointGeometry& g, JointRows& out) {
    const Turn pinion = turn_in_frame(out, out.a, g.X_WCa, g.X_WJa);
    const Vec3 s = x_of(g.X_WCb), way = g.X_WJb.position - g.X_WCb.position;
    Rate rate;
    rate.add(out.c, -s, -cross(g.rcb + way, s)).add(out.b, s, cross(g.rb, s));
    add_equation(out, rate.add(pinion.rate, -desc.radius), dot(s, way) - desc.radius * pinion.angle);
}

}  // namespace impuls
