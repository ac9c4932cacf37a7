// Drag: draws the point p_b of b to the point p_a of a with a limited force (Bender 2014, 3.2.3). The
// coordinates x of p_b in a's frame have slide rates; wanted is the velocity with which the gap closes in
// this substep, but no faster than what half of the force can still stop at p_a (as for servos, axis.cpp).
// The text clips the impulse alone: then whatever is far away arrives at full speed and swings about its
// goal.
#include "dynamics/joint.h"

namespace impuls {

JointFrames joint_frames(const DragJoint& desc) {
    return {{desc.anchor_a, {}}, {desc.anchor_b, {}}};
}

void add_rows(const DragJoint& desc, const JointGeometry& g, JointRows& out) {
    const std::array<Rate, 3> rates{slide_rate(out, g, {1, 0, 0}), slide_rate(out, g, {0, 1, 0}),
                                    slide_rate(out, g, {0, 0, 1})};
    const Vec3 gap = g.X_WJa.position - g.X_WJb.position, way = normalized(gap);
    const double yields = out.nodes ? velocity_per_impulse(slide_rate(out, g, way), *out.nodes) : 0;
    const double speed = arrival_speed(length(gap), out.h, desc.max_force, yields);
    // What the next substep closes is no reason to be fast now.
    const bool is_there = out.phase == Phase::Velocity && speed * out.h >= length(gap);
    add_capped_rows(out, rates, way * (is_there ? 0 : speed), desc.max_force);
}

}  // namespace impuls
