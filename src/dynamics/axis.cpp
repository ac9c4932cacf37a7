// What acts along a free axis of a joint, as rows on its coordinate x with x' = J v (Erleben 4.10, 4.11, with
// the corrected signs: both limits are "J v + gap/h >= 0", for the upper one with -J and gap = upper - x).
//
// Both solves of a substep share each force, so that a constant force F gives F h/2 and F h/2 and constant
// acceleration is exact:
//   limit      while displacing it may be reached, not passed (gap/h); afterwards it pushes when reached,
//   with
//              the speed of rebound e * approach after an impact, as contacts do
//   motor      J v = speed with an impulse within +-F h/2 in each solve; friction: the same with speed 0
//   servo      a motor whose speed leads to the target: at most `rate`, not past it in this substep, and so
//              slow that half of F can still stop it there
//   spring     implicit midpoint. While displacing, v is the velocity in the middle of the substep and
//              p = -(h/2) (k (x + h v/2) + c v) is half of the impulse: a row with compliance
//              1/((h/2)((h/2)k + c)) and bias k x/((h/2)k + c). Afterwards the same once more. Second order,
//              keeps the energy of linear springs, stable at any stiffness.
// A solve that stands for a whole substep (or a share of it) has that time instead of h/2; springs are then
// implicit Euler.
#include <algorithm>
#include <cmath>

#include "dynamics/contact.h"
#include "dynamics/joint_rows.h"
#include "dynamics/soft_row.h"
#include "math/course.h"
#include "math/small_ldlt.h"

namespace impuls {
namespace {

// Appends a row in a block of its own; side -1: J is that of -x.
Row& add_row(JointRows& out, const Rate& rate, double side = 1) {
    out.rows.begin_block();
    out.rows.add();
    for (std::uint32_t k = 0; k < rate.count; ++k)
        out.rows.add_part(rate.parts[k].node, rate.parts[k].linear, rate.parts[k].angular);
    if (out.log) {
        const auto number = static_cast<std::int32_t>(out.log->axes.size());
        out.log->row_axis.push_back(out.is_unnamed ? 0 : side > 0 ? number : -number);
    }
    return out.rows.rows.back();
}

std::size_t last_row(const JointRows& out) {
    return out.rows.rows.size() - 1;
}

// The impulse of the displacement phase.
double carried(const JointRows& out) {
    return last_row(out) < out.history.carried.size() ? out.history.carried[last_row(out)] : 0;
}

// How a row of the two (or three) bodies alone answers, with the joint's own equations E kept:
//     velocity per impulse  k = K_xx - K_xE K_EE^-1 K_Ex,   acceleration  a = J_x a - K_xE K_EE^-1 J_E a
struct Response {
    double velocity = 0, acceleration = 0;
};

Response response_of(const JointRows& out) {
    const Rows& rows = out.rows;
    const Nodes& nodes = *out.nodes;
    const auto coupling = [&](const Row& i, const Row& j) {
        double sum = 0;
        for (const RowPart& x : rows.parts_of(i))
            for (const RowPart& y : rows.parts_of(j))
                if (x.node == y.node) sum += coupling_of(nodes, x, y);
        return sum;
    };
    const auto acceleration = [&](const Row& row) {
        double sum = 0;
        for (const RowPart& part : rows.parts_of(row)) {
            if (part.node >= out.start.size()) continue;
            sum += dot(part.linear, out.start[part.node].acceleration) +
                   dot(part.angular, out.start[part.node].angular_acceleration);
        }
        return sum;
    };
    const Row& row = rows.rows.back();
    Response response{coupling(row, row), acceleration(row)};
    const auto equations = rows.rows_of(rows.blocks[out.first_block]);
    const int n = static_cast<int>(equations.size());
    if (n == 0 || n > SmallLdlt::kMax) return response;
    SmallLdlt matrix;
    SmallLdlt::Matrix m{};
    std::array<double, SmallLdlt::kMax> share{};
    for (int r = 0; r < n; ++r) {
        for (int s = 0; s <= r; ++s) m[r][s] = coupling(equations[r], equations[s]);
        share[r] = coupling(equations[r], row);
    }
    const auto coupled = share;
    matrix.factor(m, n);
    matrix.solve(share);
    for (int r = 0; r < n; ++r) {
        response.velocity -= coupled[r] * share[r];
        response.acceleration -= share[r] * acceleration(equations[r]);
    }
    return response;
}

double start_velocity(const JointRows& out) {
    double sum = 0;
    for (const RowPart& part : out.rows.parts_of(out.rows.rows.back()))
        sum += dot(part.linear, out.start[part.node].v) + dot(part.angular, out.start[part.node].w);
    return sum;
}

// Impacts slower than what external forces add in a substep do not bounce.
double rebound_approach(const JointRows& out, double gap) {
    const double a = response_of(out).acceleration;
    const double speed = impact_speed(gap, start_velocity(out), a);
    return speed > out.h * std::abs(a) ? speed : 0;
}

void add_limit(JointRows& out, const Gap& limit, double side, double restitution) {
    const double gap = limit.size;
    Row& row = add_row(out, limit.rate, side);
    const bool bounces = restitution > 0 && out.nodes && last_row(out) < out.history.approach.size();
    row.lower = 0;
    if (out.phase == Phase::Displacement) {
        row.bias = (gap < 0 ? out.recovery * gap : gap) / out.h;
        if (bounces) out.history.approach[last_row(out)] = rebound_approach(out, gap);
    } else if (carried(out) > 0) {
        if (bounces) row.bias = -restitution * out.history.approach[last_row(out)];
    } else if (gap <= 0) {  // reached by the drift alone
        if (bounces) row.bias = restitution * std::min(0.0, velocity_of(limit.rate, *out.nodes));
    } else {
        row.upper = 0;
    }
}

void bound(const JointRows& out, Row& row, double force) {
    const double p = carried(out), most = force * (out.when.share * out.h);
    row.lower = p - most;
    row.upper = p + most;
}

double most_force(const JointRows& out, const AxisDesc& axis) {
    return std::max(0.0, value_at(*axis.max_force, out.when.middle));
}

double servo_speed(const JointRows& out, const AxisDesc& axis, double x) {
    const double away = value_at(*axis.target, out.when.end) - x;
    const double yields = out.nodes && axis.max_force ? response_of(out).velocity : 0;
    const double most = axis.max_force ? most_force(out, axis) : kUnbounded;
    double speed = arrival_speed(std::abs(away), out.h, most, yields);
    if (axis.rate) speed = std::min(speed, *axis.rate);
    return away < 0 ? -speed : speed;
}

void add_motor(JointRows& out, const AxisDesc& axis, double x, const Rate& rate) {
    Row& row = add_row(out, rate);
    const auto wanted = [&] {
        return value_at(*axis.speed, out.phase == Phase::Displacement ? out.when.middle : out.when.end);
    };
    row.bias = -(axis.target ? servo_speed(out, axis, x) : wanted());
    if (axis.max_force) bound(out, row, most_force(out, axis));
}

void add_spring(JointRows& out, const AxisDesc& axis, double x, const Rate& rate) {
    Row& row = add_row(out, rate);
    const double stretch = x - value_at(axis.rest, out.when.middle);
    out.spring_energy += 0.5 * axis.stiffness * stretch * stretch;
    if (out.phase == Phase::Velocity) {
        row.lower = row.upper = 2 * carried(out);
        return;
    }
    set_soft(row, axis.stiffness * stretch, axis.stiffness, axis.damping, out.when.share * out.h);
}

}  // namespace

double arrival_speed(double way, double h, double max_force, double yields) {
    const double speed = h > 0 ? way / h : 0;
    return yields > 0 ? std::min(speed, std::sqrt(max_force * yields * way)) : speed;
}

void add_axis(JointRows& out, const AxisDesc& axis, double x, const Rate& rate, const Gaps* gaps) {
    if (out.log && !out.is_unnamed) out.log->axes.push_back({x, rate});
    if (axis.lower) add_limit(out, gaps ? gaps->lower : Gap{x - *axis.lower, rate}, 1, axis.restitution);
    if (axis.upper) add_limit(out, gaps ? gaps->upper : Gap{*axis.upper - x, -rate}, -1, axis.restitution);
    if (axis.speed || axis.target) add_motor(out, axis, x, rate);
    if (axis.friction > 0) bound(out, add_row(out, rate), axis.friction);
    if (axis.stiffness > 0 || axis.damping > 0) add_spring(out, axis, x, rate);
}

void add_unnamed_axis(JointRows& out, const AxisDesc& axis, double x, const Rate& rate) {
    out.is_unnamed = true;
    add_axis(out, axis, x, rate);
    out.is_unnamed = false;
}

}  // namespace impuls
