// Rail: the point p_b of b runs on a curve c fixed in a (Bender 2014, 3.2.2: rails with a tangent
// everywhere). With the foot f of p_b on the curve and the unit tangent s there,
//     C = t . (p_b - f) = 0,   dC/dt = t . (v_b + w_b x r_b) - t . (v_a + w_a x (p_b - x_a))
// for two directions t across s; on the curve the motion of f, along s, adds nothing. The distance x along
// the curve has the same rate with s for t. The foot is looked for around the one last seen, which is kept as
// the distance among the joint's angles: a bead does not change branches where the curve crosses itself.
#include <cmath>

#include "dynamics/joint.h"
#include "math/spline.h"

namespace impuls {

// In the frame of a, whose origin is the first point.
JointFrames joint_frames(const RailJoint& desc) {
    return {{desc.points.front(), {}}, {desc.anchor, {}}};
}

Spline curve_of(const RailJoint& desc) {
    std::vector<Vec3> points = desc.points;
    for (Vec3& p : points) p -= desc.points.front();
    return {points, desc.closed, desc.anchor - desc.points.front()};
}

void add_rows(const RailJoint& desc, const JointGeometry& g, JointRows& out) {
    const Spline& curve = *g.curve;
    const Quat& q = g.X_WJa.orientation;
    const std::size_t slot = out.angle_count++;
    const bool is_seen = slot < out.angles.size();

    // After a drift it is h times the speed along the curve farther than when last seen.
    const double last = curve.parameter_at(is_seen ? out.angles[slot] : 0);
    const Vec3 run = curve.at(last).first;
    const double speed =
        dot(rotate(q, run), slide_velocity(out, g)) / length_squared(run);  // of the parameter
    const double ahead = out.phase == Phase::Velocity ? out.h * speed : 0;
    const double t = curve.foot(rotate_inverse(q, g.X_WJb.position - g.X_WJa.position), last + ahead);

    const Spline::Point foot = curve.at(t);
    const Vec3 s = normalized(foot.first);
    const Vec3 normal = curve.normal(last), across = normal - s * dot(normal, s);
    const Vec3 t1 = length_squared(across) > 0.01 ? normalized(across) : rotate(along_x(s), {0, 1, 0});
    const Vec3 away = g.X_WJb.position - g.X_WJa * foot.position;
    for (const Vec3& d : {rotate(q, t1), rotate(q, cross(s, t1))})
        add_equation(out, slide_rate(out, g, d), dot(d, away));
    if (!desc.turns) add_orientation_rows(out, g);
    out.bend = std::abs(speed) * length(cross(foot.first, foot.second)) / length_squared(foot.first);
    const double way = curve.length_at(t);
    if (out.keeps_angles && is_seen) out.angles[slot] = way;
    add_axis(out, desc.slide, way, slide_rate(out, g, rotate(q, s)));
}

}  // namespace impuls
