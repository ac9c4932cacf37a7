// Setting coordinates of joints (axis_goal.h).
#include "dynamics/axis_goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/first_order.h"
#include "impuls/errors.h"
#include "math/small_ldlt.h"

namespace impuls {
namespace {

constexpr double kMostTurn = 0.25;  // of a Newton step, rad; lengths count in sizes
constexpr int kMostSteps = 10000;
constexpr double kReached = 1e-13, kMissed = 1e-9;  // relative to the size

std::string label(const JointedWorld& s, std::size_t j, const std::string& axis) {
    return fmt::format("joint '{}', axis '{}'", s.ids.joint_ids.name(j), axis);
}

bool moves(const JointedWorld& s, std::uint32_t k) {
    return k != kNoBody && s.bodies.is_dynamic(k) && s.bodies.is_active[k];
}

// All that hangs together with a body without the joint; whether something that cannot move is among it.
struct Side {
    std::vector<std::uint32_t> bodies{};
    bool is_held = false;

    bool has(std::uint32_t k) const { return std::binary_search(bodies.begin(), bodies.end(), k); }
};

Side side_of(const JointedWorld& s, std::size_t joint, std::uint32_t from) {
    Side side;
    std::vector<std::uint8_t> is_seen;
    const auto reach = [&](std::uint32_t k) {
        if (!moves(s, k)) {
            side.is_held = true;
        } else if (!is_seen[k]) {
            is_seen[k] = 1;
            side.bodies.push_back(k);
        }
    };
    std::vector<std::vector<std::uint32_t>> joints_of(s.bodies.size());
    for (std::uint32_t j = 0; j < s.joints.size(); ++j)
        for (const std::uint32_t k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]})
            if (j != joint && s.joints.holds(j) && moves(s, k)) joints_of[k].push_back(j);
    is_seen.assign(s.bodies.size(), 0);
    reach(from);
    for (std::size_t i = 0; i < side.bodies.size(); ++i)
        for (const std::uint32_t j : joints_of[side.bodies[i]]) {
            reach(s.joints.a[j]);
            reach(s.joints.b[j]);
            if (has_frame(s.joints.joint[j])) reach(s.joints.c[j]);
        }
    std::sort(side.bodies.begin(), side.bodies.end());
    return side;
}

// Rows of the joint for the motion of one of its bodies: equations first, then the axes.
class Posing {
  public:
    Posing(const JointedWorld& s, std::size_t j, bool moves_b)
        : s_(s), j_(j), node_(moves_b ? 1 : 0), poses_(poses_of(s.joints, j, s.bodies)) {
        const auto angles = s.joints.angle.of(j);
        angles_.assign(angles.begin(), angles.end());
        const std::uint32_t k = body();
        size_ = gyration_radius(s.bodies.mass[k], s.bodies.inertia[k]);
        if (!(size_ > 0)) size_ = std::max(s.bodies.radius[k], length(pose().position - place()));
        if (!(size_ > 0)) size_ = 1;
        look();
    }

    std::uint32_t body() const { return node_ == 1 ? s_.joints.b[j_] : s_.joints.a[j_]; }
    const Pose& pose() const { return node_ == 1 ? poses_.b : poses_.a; }
    const std::vector<double>& angles() const { return angles_; }
    std::size_t axes() const { return log_.axes.size(); }

    // Moves until the axis is there; the others stay.
    bool go(std::size_t axis, double target) {
        std::vector<double> goal;
        for (const AxisLog::Axis& a : log_.axes) goal.push_back(a.position);
        const double step = kMostTurn * (is_turn(axis) ? 1 : size_), start = goal[axis];
        const double count = std::ceil(std::abs(target - start) / step);
        if (!(count < kMostSteps)) return false;
        for (double k = 1; k <= std::max(1.0, count); ++k) {
            goal[axis] = k >= count ? target : start + (target - start) * (k / count);
            if (!close(goal)) return false;
        }
        return true;
    }

    // Change of the body's velocity that makes the axis this fast.
    struct Twist {
        Vec3 v{}, w{};
    };
    Twist hasten(std::size_t axis, double speed, const Nodes& nodes) {
        std::vector<double> wanted;
        for (std::size_t r = 0; r < equations_; ++r) wanted.push_back(-velocity_of(rate_of(r), nodes));
        for (std::size_t k = 0; k < axes(); ++k)
            wanted.push_back(k == axis ? speed - velocity_of(log_.axes[k].rate, nodes) : 0);
        return solve(wanted);
    }
    // Of the joint's bodies, as they will be.
    Nodes velocities(const AxisMove& move) const {
        Nodes nodes;
        nodes.v.assign(3, {});
        nodes.w.assign(3, {});
        std::uint32_t node = 0;
        for (const std::uint32_t k : {s_.joints.a[j_], s_.joints.b[j_], s_.joints.c[j_]}) {
            const auto at = std::lower_bound(move.bodies.begin(), move.bodies.end(), k);
            const bool is_moved = at != move.bodies.end() && *at == k;
            const auto i = static_cast<std::size_t>(at - move.bodies.begin());
            if (k != kNoBody) {
                nodes.v[node] = is_moved ? move.v[i] : s_.bodies.v[k];
                nodes.w[node] = is_moved ? move.w[i] : s_.bodies.w[k];
            }
            ++node;
        }
        return nodes;
    }

  private:
    Vec3 place() const { return geometry_of(s_.joints, j_, poses_).X_WJb.position; }

    bool is_turn(std::size_t axis) const {
        const Rate& rate = log_.axes[axis].rate;
        for (std::uint32_t p = 0; p < rate.count; ++p)
            if (rate.parts[p].linear != Vec3{}) return false;
        return true;
    }

    void look() {
        rows_.clear();
        log_.axes.clear();
        log_.row_axis.clear();
        JointRows out{rows_, 0, 1, 2};
        out.angles = angles_;
        out.keeps_angles = true;
        out.log = &log_;
        make_rows(s_.joints, j_, poses_, out);
        equations_ = 0;
        const std::size_t count = rows_.blocks.empty() ? 0 : rows_.blocks.front().row_count;
        while (equations_ < count && log_.row_axis[equations_] == 0 && rows_.rows[equations_].is_equation())
            ++equations_;
    }

    Rate rate_of(std::size_t equation) const {
        Rate rate;
        for (const RowPart& part : rows_.parts_of(rows_.rows[equation]))
            rate.add(part.node, part.linear, part.angular);
        return rate;
    }

    // The least motion of the body with J d = wanted.
    Twist solve(const std::vector<double>& wanted) const {
        const std::size_t n = wanted.size();
        std::array<Vec3, SmallLdlt::kMax> linear{}, angular{};
        for (std::size_t r = 0; r < n; ++r) {
            const Rate rate = r < equations_ ? rate_of(r) : log_.axes[r - equations_].rate;
            for (std::uint32_t p = 0; p < rate.count; ++p)
                if (rate.parts[p].node == node_) {
                    linear[r] += rate.parts[p].linear;
                    angular[r] += rate.parts[p].angular;
                }
        }
        const double yields = 1 / (size_ * size_);
        SmallLdlt matrix;
        SmallLdlt::Matrix m{};
        std::array<double, SmallLdlt::kMax> x{};
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t c = 0; c <= r; ++c)
                m[r][c] = dot(linear[r], linear[c]) + yields * dot(angular[r], angular[c]);
            x[r] = wanted[r];
        }
        matrix.factor(m, static_cast<int>(n));
        matrix.solve(x);
        Twist twist;
        for (std::size_t r = 0; r < n; ++r) {
            twist.v += linear[r] * x[r];
            twist.w += angular[r] * (yields * x[r]);
        }
        return twist;
    }

    bool close(const std::vector<double>& goal) {
        double before = kUnbounded;
        for (int round = 0; round < 50; ++round) {
            look();
            if (equations_ + axes() > SmallLdlt::kMax) return false;
            std::vector<double> wanted;
            double error = 0;
            const auto add = [&](double off, double length) {
                wanted.push_back(off);
                error = std::max(error, std::abs(off) * length);
            };
            for (std::size_t r = 0; r < equations_; ++r)
                add(-rows_.rows[r].error, rows_.rows[r].is_linear ? 1 : size_);
            for (std::size_t k = 0; k < axes(); ++k)
                add(goal[k] - log_.axes[k].position, is_turn(k) ? size_ : 1);
            if (error <= kReached * size_ || (error <= kMissed * size_ && error >= before)) return true;
            before = error;
            const Twist d = solve(wanted);
            Pose& pose = node_ == 1 ? poses_.b : poses_.a;
            pose = displaced(pose, d.v, d.w);
        }
        return false;
    }

    const JointedWorld& s_;
    std::size_t j_;
    std::uint32_t node_;
    JointPoses poses_;
    std::vector<double> angles_{};
    double size_ = 0;
    Rows rows_{};
    AxisLog log_{};
    std::size_t equations_ = 0;
};

Side moving_side(const JointedWorld& s, std::size_t j, const std::string& axis, bool& moves_b) {
    const std::uint32_t a = s.joints.a[j], b = s.joints.b[j], c = s.joints.c[j];
    const auto refuse_loop = [&](const Side& side) {
        for (const std::uint32_t k : {a, b, c})
            if (k != (moves_b ? b : a) && k != kNoBody && side.has(k))
                throw InputError(
                    fmt::format("{}: both sides hang together by other joints (a loop), so that "
                                "one coordinate cannot be set alone",
                                label(s, j, axis)));
    };
    moves_b = true;
    const Side of_b = side_of(s, j, b);
    refuse_loop(of_b);
    if (!of_b.is_held) return of_b;
    moves_b = false;
    const Side of_a = side_of(s, j, a);
    refuse_loop(of_a);
    if (of_a.is_held)
        throw InputError(
            fmt::format("{}: both sides are held by what cannot move (a loop through the "
                        "ground), so that one coordinate cannot be set alone",
                        label(s, j, axis)));
    return of_a;
}

// Velocity of what a side moves with, where a point is: that of the other body.
Vec3 carrying_velocity(const JointedWorld& s, std::uint32_t other, const Vec3& point) {
    if (other == kNoBody) return {};
    return s.bodies.v[other] + cross(s.bodies.w[other], point - s.bodies.pose[other].position);
}

}  // namespace

AxisMove find_axis_move(const JointedWorld& s, std::size_t j, const std::string& axis,
                        const AxisGoal& wanted) {
    std::size_t number = 0, count = 0;
    visit_axes(s.joints.joint[j], [&](const char* name, const AxisDesc&) {
        if (axis == name) number = count;
        ++count;
    });
    if (!s.joints.holds(j))
        throw InputError(fmt::format("{}: the joint holds nothing now", label(s, j, axis)));
    bool moves_b = true;
    const Side side = moving_side(s, j, axis, moves_b);
    Posing posing(s, j, moves_b);
    const Pose from = posing.pose();
    if (wanted.position && !posing.go(number, *wanted.position))
        throw InputError(fmt::format("{}: cannot be brought to {:.6g}", label(s, j, axis), *wanted.position));
    const Pose move = posing.pose() * inverse(from);
    AxisMove result;
    result.joint = j;
    result.bodies = side.bodies;
    result.angles = posing.angles();
    const std::uint32_t other = moves_b ? s.joints.a[j] : s.joints.b[j];
    const Vec3 w_other = other == kNoBody ? Vec3{} : s.bodies.w[other];
    for (const std::uint32_t k : side.bodies) {
        const Vec3 relative = s.bodies.v[k] - carrying_velocity(s, other, s.bodies.pose[k].position);
        const Pose pose = wanted.position ? move * s.bodies.pose[k] : s.bodies.pose[k];
        result.pose.push_back(pose);
        result.v.push_back(rotate(move.orientation, relative) + carrying_velocity(s, other, pose.position));
        result.w.push_back(rotate(move.orientation, s.bodies.w[k] - w_other) + w_other);
    }
    if (wanted.velocity) {
        const auto twist = posing.hasten(number, *wanted.velocity, posing.velocities(result));
        const Vec3 at = posing.pose().position;
        for (std::size_t i = 0; i < side.bodies.size(); ++i) {
            result.v[i] += twist.v + cross(twist.w, result.pose[i].position - at);
            result.w[i] += twist.w;
        }
    }
    return result;
}

void apply_move(const AxisMove& move, BodySet& bodies, JointSet& joints) {
    for (std::size_t i = 0; i < move.bodies.size(); ++i) {
        const std::uint32_t k = move.bodies[i];
        bodies.pose[k] = {move.pose[i].position, normalized(move.pose[i].orientation)};
        bodies.v[k] = move.v[i];
        bodies.w[k] = move.w[i];
    }
    const auto angles = joints.angle.of(move.joint);
    std::copy(move.angles.begin(), move.angles.end(), angles.begin());
}

void set_axes_as_described(const WorldIds& ids, std::span<const JointDesc> descriptions, BodySet& bodies,
                           JointSet& joints) {
    for (std::size_t j = 0; j < descriptions.size(); ++j)
        visit_axes(descriptions[j].joint, [&](const char* name, const AxisDesc& axis) {
            const AxisGoal wanted{axis.position, axis.velocity};
            if (wanted.is_any())
                apply_move(find_axis_move({ids, bodies, joints}, j, name, wanted), bodies, joints);
        });
}

}  // namespace impuls
