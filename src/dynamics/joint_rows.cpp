// Rates, equations, frames and angles of joints (joint_rows.h).
#include "dynamics/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/arc_tangent.h"
#include "math/functions.h"

namespace impuls {

Rate& Rate::add(const Rate& other, double s) {
    for (std::uint32_t k = 0; k < other.count; ++k) {
        const RowPart& part = other.parts[k];
        std::uint32_t m = 0;
        while (m < count && parts[m].node != part.node) ++m;
        if (m == count) add(part.node, {}, {});
        parts[m].linear += part.linear * s;
        parts[m].angular += part.angular * s;
    }
    return *this;
}

Rate Rate::operator-() const {
    Rate rate = *this;
    for (RowPart& part : rate.parts) {
        part.linear = -part.linear;
        part.angular = -part.angular;
    }
    return rate;
}

// The impulse acts in the middle between the two points, so that momentum is kept even while they are apart.
Rate point_rate(const JointRows& out, const JointGeometry& g, const Vec3& direction) {
    const Vec3 half = (g.X_WJb.position - g.X_WJa.position) * 0.5;
    return Rate{}
        .add(out.a, -direction, -cross(g.ra + half, direction))
        .add(out.b, direction, cross(g.rb - half, direction));
}

Rate slide_rate(const JointRows& out, const JointGeometry& g, const Vec3& direction) {
    const Vec3 arm = g.ra + (g.X_WJb.position - g.X_WJa.position);
    return Rate{}
        .add(out.a, -direction, -cross(arm, direction))
        .add(out.b, direction, cross(g.rb, direction));
}

Rate turn_rate(const JointRows& out, const Vec3& axis) {
    return Rate{}.add(out.a, {}, -axis).add(out.b, {}, axis);
}

double velocity_of(const Rate& rate, const Nodes& nodes) {
    double sum = 0;
    for (std::uint32_t k = 0; k < rate.count; ++k) {
        IMPULS_ASSERT_INDEX(rate.parts[k].node, nodes.size());
        sum += velocity_of(nodes, rate.parts[k]);
    }
    return sum;
}

Vec3 slide_velocity(const JointRows& out, const JointGeometry& g) {
    if (!out.nodes) return {};
    return {velocity_of(slide_rate(out, g, {1, 0, 0}), *out.nodes),
            velocity_of(slide_rate(out, g, {0, 1, 0}), *out.nodes),
            velocity_of(slide_rate(out, g, {0, 0, 1}), *out.nodes)};
}

// While displacing, part of the error is to be gone at the end of the substep.
void add_equation(JointRows& out, const Rate& rate, double error) {
    Row& row = out.rows.add();
    row.error = error;
    row.bias = out.phase == Phase::Displacement ? out.recovery * error / out.h : 0;
    for (std::uint32_t k = 0; k < rate.count; ++k)
        out.rows.add_part(rate.parts[k].node, rate.parts[k].linear, rate.parts[k].angular);
    if (out.log) out.log->row_axis.push_back(0);
}

void add_point_row(JointRows& out, const JointGeometry& g, const Vec3& direction) {
    add_equation(out, point_rate(out, g, direction), dot(direction, g.X_WJb.position - g.X_WJa.position));
}

void add_point_rows(JointRows& out, const JointGeometry& g) {
    add_point_row(out, g, {1, 0, 0});
    add_point_row(out, g, {0, 1, 0});
    add_point_row(out, g, {0, 0, 1});
}

void add_line_rows(JointRows& out, const JointGeometry& g) {
    for (const Vec3& d : {y_of(g.X_WJa), z_of(g.X_WJa)})
        add_equation(out, slide_rate(out, g, d), dot(d, g.X_WJb.position - g.X_WJa.position));
}

void add_angular_row(JointRows& out, const Vec3& axis, double error) {
    add_equation(out, turn_rate(out, axis), error);
}

// The shortest turn from s_a to s_b as vector: along s_a x s_b, by the angle between them (of any size, so
// that axes find together from everywhere).
void add_axis_rows(JointRows& out, const JointGeometry& g) {
    const Vec3 s_a = x_of(g.X_WJa), s_b = x_of(g.X_WJb), y = y_of(g.X_WJa), across = cross(s_a, s_b);
    const double sine = length(across), cosine = dot(s_a, s_b);
    const Vec3 turn =
        sine > 0 ? across * (arc_tangent(sine, cosine) / sine) : y * (cosine < 0 ? 2 * kHalfPi : 0);
    for (const Vec3& t : {y, z_of(g.X_WJa)}) add_angular_row(out, t, dot(t, turn));
}

// The rotation from a's frame to b's as vector: that of q_b q_a*, with positive scalar part.
void add_orientation_rows(JointRows& out, const JointGeometry& g) {
    const Quat q = g.X_WJb.orientation * conjugate(g.X_WJa.orientation);
    const Vec3 v = Vec3{q.x, q.y, q.z} * (q.w < 0 ? -1.0 : 1.0);
    const double sine = length(v);
    const Vec3 turn = sine > 0 ? v * (2 * arc_tangent(sine, std::abs(q.w)) / sine) : v;
    add_angular_row(out, {1, 0, 0}, turn.x);
    add_angular_row(out, {0, 1, 0}, turn.y);
    add_angular_row(out, {0, 0, 1}, turn.z);
}

// The copy of the angle that is nearest to where the joint must be by now. After a drift that is h rate
// farther than when last seen, so that turns are counted at any speed.
double with_turns(JointRows& out, double angle, const Rate& rate, std::optional<double> near) {
    const std::size_t k = out.angle_count++;
    if (k >= out.angles.size()) return angle;
    double expected = near ? *near : out.angles[k];
    if (!near && out.phase == Phase::Velocity && out.nodes) expected += out.h * velocity_of(rate, *out.nodes);
    const double result = angle + kTwoPi * std::floor((expected - angle) / kTwoPi + 0.5);
    if (out.keeps_angles) out.angles[k] = result;
    return result;
}

// q.w^2 + q.x^2 = cos^2(swing / 2) below which there is no twist to speak of: a swing of 2.6 rad.
static constexpr double kLeastCosine = 0.25, kLeastCosine2 = kLeastCosine * kLeastCosine;

// From q' = w q / 2: angle' = 2 (q.x' q.w - q.x q.w') / (q.w^2 + q.x^2). When the swing nears half a turn
// the gradient would grow beyond bounds: it is cut.
Twist twist_of(const Quat& q) {
    const double n = std::max(kLeastCosine2, q.w * q.w + q.x * q.x);
    const double sign = q.w < 0 ? -1 : 1;  // q and -q are the same rotation: the angle is in [-pi, pi]
    return {2 * arc_tangent(sign * q.x, sign * q.w),
            {1, (q.z * q.w + q.x * q.y) / n, (q.x * q.z - q.y * q.w) / n}};
}

namespace {

Turn turn_of(JointRows& out, std::uint32_t from, std::uint32_t to, const Quat& q_from, const Quat& q_to,
             std::optional<double> near = {}) {
    const Twist twist = twist_of(conjugate(q_from) * q_to);
    const Vec3 axis = rotate(q_from, twist.gradient);
    const Rate rate = Rate{}.add(from, {}, -axis).add(to, {}, axis);
    return {with_turns(out, twist.angle, rate, near), rate};
}

// 2 (q.x cos(u/2) - q.w sin(u/2)) = 2 cos(swing / 2) sin((angle - u) / 2), with its gradient from q' = w q/2,
// both such that they go on as angle - u does. Rotations beyond u by up to half a turn have it positive.
Gap beyond_limit(const JointRows& out, const Quat& q_from, const Quat& q, double u) {
    const auto [s, c] = functions::sin_cos(0.5 * u);
    const Vec3 gradient{c * q.w + s * q.x, c * q.z + s * q.y, s * q.z - c * q.y};
    const Vec3 axis = rotate(q_from, gradient) * (1 / kLeastCosine);
    return {2 * (q.x * c - q.w * s) / kLeastCosine, Rate{}.add(out.a, {}, -axis).add(out.b, {}, axis)};
}

}  // namespace

std::optional<double> middle_of(const AxisDesc& axis) {
    if (!axis.lower || !axis.upper || *axis.upper - *axis.lower >= kTwoPi) return {};
    return 0.5 * (*axis.lower + *axis.upper);
}

// Of q and -q, which are the same rotation, the one whose angle is nearest to the middle of the limits, or to
// the angle with its turns where there is no such middle. Limits half a turn or more away do nothing.
std::optional<Gaps> twist_gaps(const JointRows& out, const JointGeometry& g, const AxisDesc& twist,
                               double angle) {
    if (!twist.lower && !twist.upper) return {};
    Quat q = conjugate(g.X_WJa.orientation) * g.X_WJb.orientation;
    if (q.w * q.w + q.x * q.x >= kLeastCosine2) return {};
    const double near = middle_of(twist).value_or(angle);
    const functions::SinCos half = functions::sin_cos(0.5 * near);
    if (q.w * half.cos + q.x * half.sin < 0) q = {-q.w, -q.x, -q.y, -q.z};
    const Quat& from = g.X_WJa.orientation;
    const Gap lower =
        beyond_limit(out, from, q, std::max(twist.lower.value_or(near - kHalfPi), near - 2 * kHalfPi));
    const Gap upper =
        beyond_limit(out, from, q, std::min(twist.upper.value_or(near + kHalfPi), near + 2 * kHalfPi));
    return Gaps{lower, {-upper.size, -upper.rate}};
}

Turn turn_about_x(JointRows& out, const JointGeometry& g, std::optional<double> near) {
    return turn_of(out, out.a, out.b, g.X_WJa.orientation, g.X_WJb.orientation, near);
}

Turn turn_in_frame(JointRows& out, std::uint32_t node, const Pose& X_WC, const Pose& X_WJ) {
    return turn_of(out, out.c, node, X_WC.orientation, X_WJ.orientation);
}

// The shortest rotation from x; for directions behind, a half turn about z first.
Quat along_x(const Vec3& direction) {
    const Vec3 u = normalized(direction);
    if (u.x >= 0) return normalized(Quat{1 + u.x, 0, -u.z, u.y});
    return normalized(Quat{1 - u.x, 0, u.z, -u.y}) * Quat{0, 0, 0, 1};
}

// Then about the new x; half angles by (cos, sin)(t/2) ~ (1 + cos t, sin t) ~ (sin t, 1 - cos t).
Quat along_xy(const Vec3& x, const Vec3& y) {
    const Quat q = along_x(x);
    const Vec3 side = rotate_inverse(q, y);
    const double n = std::sqrt(side.y * side.y + side.z * side.z);
    if (n == 0) return q;
    const double c = side.y / n, s = side.z / n;
    return q * normalized(c >= 0 ? Quat{1 + c, s, 0, 0} : Quat{s, 1 - c, 0, 0});
}

}  // namespace impuls
