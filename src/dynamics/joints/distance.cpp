// Distance of a point of a from a point of b, along d = (p_b - p_a) / |p_b - p_a|:
//     x = |p_b - p_a|,   x' = d . (velocity of p_b - velocity of p_a)
// A rod holds x at its length at the start; otherwise what `length` says acts along it.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const DistanceJoint& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_rows(const DistanceJoint& desc, const JointGeometry& g, JointRows& out) {
    const Vec3 way = g.X_WJb.position - g.X_WJa.position;
    const Rate rate = point_rate(out, g, normalized(way));
    if (desc.length) {
        add_axis(out, *desc.length, length(way), rate);
    } else {
        const Vec3 d = normalized(way), v = slide_velocity(out, g);
        out.bend = length(way) > 0 ? length(v - d * dot(d, v)) / length(way) : 0;
        add_equation(out, rate, length(way) - length(desc.anchor_b - desc.anchor_a));
    }
}

}  // namespace impuls
