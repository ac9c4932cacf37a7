// What a joint's file works with: where its frames are, and rows made from rates. A rate is one linear
// function J v of the velocities of up to three bodies; an equation asks for J v = 0 with an error C, and an
// axis lets limits, motors, friction and springs act along a coordinate x with x' = J v (axis.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/assert.h"
#include "constraints/problem.h"
#include "impuls/joint_axis.h"
#include "impuls/vec.h"

namespace impuls {

class Spline;

// Where a joint's frames are at the start, in world coordinates: one fixed in a, one in b, and for joints
// with a frame c one in it for each. Most joints hold one frame J as carried by a to J as carried by b.
struct JointFrames {
    Pose a, b, ca, cb;
    JointFrames(const Pose& X_WJ) : a(X_WJ), b(X_WJ), ca(X_WJ), cb(X_WJ) {}
    JointFrames(const Pose& X_WA, const Pose& X_WB) : a(X_WA), b(X_WB), ca(X_WA), cb(X_WB) {}
    JointFrames(const Pose& X_WA, const Pose& X_WB, const Pose& X_WCa, const Pose& X_WCb)
        : a(X_WA), b(X_WB), ca(X_WCa), cb(X_WCb) {}
};

// The same frames where they are now, and from the bodies' centres of mass to their origins.
struct JointGeometry {
    Pose X_WJa, X_WJb;
    Vec3 ra, rb;
    Pose X_WCa, X_WCb;
    Vec3 rca, rcb;
    const Spline* curve = nullptr;  // of a rail, in a's frame
};

// Which of a substep's two solves rows are made for (steppers/impulse/step.cpp).
enum class Phase { Displacement, Velocity };

// One linear function of velocities: linear . v + angular . w, summed over its parts.
struct Rate {
    std::array<RowPart, 3> parts{};
    std::uint32_t count = 0;

    Rate& add(std::uint32_t node, const Vec3& linear, const Vec3& angular) {
        IMPULS_ASSERT_INDEX(count, parts.size());
        parts[count++] = {node, linear, angular};
        return *this;
    }
    // The sum of this and s times another, body by body.
    Rate& add(const Rate& other, double s);
    Rate operator-() const;
};

// What a node does at the start of a substep, for rebounds and brakes.
struct NodeStart {
    Vec3 v, w;
    Vec3 acceleration, angular_acceleration;  // by external forces
};

// Output of axes on request: their coordinates, and which axis each row belongs to.
struct AxisLog {
    struct Axis {
        double position = 0;
        Rate rate{};
    };
    std::vector<Axis> axes{};
    std::vector<std::int32_t> row_axis{};  // of every row: 0 none, else +-(1 + number of the axis)
};

// What earlier solves did along the rows of a joint, by row.
struct RowHistory {
    std::span<const double> carried{};   // while solving velocities: impulses of the displacement
    std::span<const double> previous{};  // impulses of the last substep, and the share of them that
    double previous_share = 0;           // a solve like this one gave
    std::span<double> approach{};        // speeds of impact on limits; 0: none
};

// Times of the world at which what changes with time is asked for: in the middle of the substep, at its end;
// and the share of the substep over which forces act in this solve.
struct RowTimes {
    double middle = 0, end = 0;  // s
    double share = 0.5;
};

// Where a joint puts its rows. The equations come first, in one block; what acts along free axes follows,
// each row in a block of its own. Number and order of the rows do not depend on where the bodies are.
struct JointRows {
    Rows& rows;
    std::uint32_t a = 0, b = 0, c = 0;  // nodes
    Phase phase = Phase::Velocity;
    double h = 0;         // s, of the substep
    double recovery = 1;  // share of the error that a displacement removes
    double size = 1;      // m that a radian counts as (Row::length)
    RowTimes when{};
    RowHistory history{};
    const Nodes* nodes = nullptr;  // velocities and masses now
    std::span<const NodeStart> start{};
    std::span<double> angles{};  // the joint's angles when last seen, with turns
    bool keeps_angles = false;   // they become those of these poses
    AxisLog* log = nullptr;

    std::uint32_t angle_count = 0, first_block = 0;
    bool is_unnamed = false;
    // Curved joints return how fast the directions of their rows turn against a, with the velocities of
    // `nodes`, rad/s: substeps are so short that this, too, is little. Negative: the joint is not curved.
    double bend = -1;
    double spring_energy = 0;  // J, of the springs along its axes, at these poses
};

// d . (velocity of b's point - velocity of a's point), each moving with its body.
Rate point_rate(const JointRows& out, const JointGeometry& g, const Vec3& direction);
// The same for a direction that turns with a: a's point is where b's point is now.
Rate slide_rate(const JointRows& out, const JointGeometry& g, const Vec3& direction);
// axis . (w_b - w_a)
Rate turn_rate(const JointRows& out, const Vec3& axis);
double velocity_of(const Rate& rate, const Nodes& nodes);
// Velocity of b's point as seen from a, in world coordinates; 0 without nodes.
Vec3 slide_velocity(const JointRows& out, const JointGeometry& g);
// How fast the rate changes with an impulse along it, if nothing else holds its bodies.
double velocity_per_impulse(const Rate& rate, const Nodes& nodes);

// Equations: the rate is 0, and the error is to vanish.
void add_equation(JointRows& out, const Rate& rate, double error);
void add_point_row(JointRows& out, const JointGeometry& g, const Vec3& direction);
void add_point_rows(JointRows& out, const JointGeometry& g);  // along each world axis: the points coincide
// Two rows: b's point stays on the line through a's point along x of a's frame.
void add_line_rows(JointRows& out, const JointGeometry& g);
void add_angular_row(JointRows& out, const Vec3& axis, double error);
// Two rows: the x-axes of the two frames agree.
void add_axis_rows(JointRows& out, const JointGeometry& g);
// Three rows: the two frames have the same orientation.
void add_orientation_rows(JointRows& out, const JointGeometry& g);

// What is left until a limit, negative beyond it, and its rate.
struct Gap {
    double size;
    Rate rate;
};
struct Gaps {
    Gap lower, upper;
};

// What acts along a free axis with the coordinate x and its rate. Called after all equations. Limits act on
// these gaps where x says nothing of them.
void add_axis(JointRows& out, const AxisDesc& axis, double x, const Rate& rate, const Gaps* gaps = nullptr);
// The same for one that is not told of: no field of the description is it.
void add_unnamed_axis(JointRows& out, const AxisDesc& axis, double x, const Rate& rate);

// Motors along three directions that share one force (capped_rows.cpp): their rates become the wanted ones as
// far as a force, or torque, of this length can do it.
void add_capped_rows(JointRows& out, const std::array<Rate, 3>& rates, const Vec3& wanted, double max_force);
// How fast a servo may go to arrive at a goal: not past it in this substep, and so slow that half of its
// force can still stop it there. `yields` is velocity per impulse; 0: not known.
double arrival_speed(double way, double h, double max_force, double yields);

// An angle in (-pi, pi] with the turns that the joint has made; to be called for every angle in the same
// order. Where `near` is given it is the copy nearest to that, whatever turns were made.
double with_turns(JointRows& out, double angle, const Rate& rate, std::optional<double> near = {});

// The turn about x in the rotation q (of b's frame seen from a's), and the gradient of that angle: its rate
// is gradient . (w_b - w_a), all seen from a. For a rotation about x alone the gradient is x.
//     q = swing * twist,  angle = 2 atan2(q.x, q.w)
struct Twist {
    double angle;
    Vec3 gradient;
};
Twist twist_of(const Quat& q);

// The turn of b against a about x of their frames, with its rate.
struct Turn {
    double angle;
    Rate rate;
};
Turn turn_about_x(JointRows& out, const JointGeometry& g, std::optional<double> near = {});
// The same for a body against the frame c.
Turn turn_in_frame(JointRows& out, std::uint32_t node, const Pose& X_WC, const Pose& X_WJ);

// Limits of the twist of bodies that also swing. Near a swing of half a turn the twist is undefined and its
// gradient grows beyond bounds; the limits themselves are smooth surfaces q.x cos(u/2) = q.w sin(u/2) of
// rotations. There, gaps to these are used instead: nothing, while the twist will do.
std::optional<Gaps> twist_gaps(const JointRows& out, const JointGeometry& g, const AxisDesc& twist,
                               double angle);
// The middle of limits less than a turn apart, which leave no turns to count.
std::optional<double> middle_of(const AxisDesc& axis);

// Axes of a frame in the world.
inline Vec3 x_of(const Pose& X) {
    return rotate(X.orientation, {1, 0, 0});
}
inline Vec3 y_of(const Pose& X) {
    return rotate(X.orientation, {0, 1, 0});
}
inline Vec3 z_of(const Pose& X) {
    return rotate(X.orientation, {0, 0, 1});
}

// An orientation whose x-axis is along the given direction (of any length but 0); with a second direction
// its y-axis is in the plane of the two, on the side of the second.
Quat along_x(const Vec3& direction);
Quat along_xy(const Vec3& x, const Vec3& y);

}  // namespace impuls
