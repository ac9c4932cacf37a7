// Whether the error of a joint's row is a length or an angle, in joints that couple both.
#include "dynamics/joint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "math/rotation.h"

namespace impuls {
namespace {

struct Coupling {
    std::string name;
    Joint joint;
    std::vector<bool> is_linear;  // by equation
};

std::vector<Coupling> couplings() {
    const Vec3 p{0.3, -0.2, 0.5}, x{1, 0, 0}, y{0, 1, 0};
    GearJoint gear;
    gear.axis_a = x, gear.axis_b = y, gear.ratio = 2;
    RackAndPinionJoint rack;
    rack.anchor = p, rack.axis = x, rack.direction = y, rack.radius = 0.4;
    ScrewJoint screw;
    screw.anchor = p, screw.axis = y, screw.pitch = 0.1;
    return {{"gear", gear, {false}},
            {"rack and pinion", rack, {true}},
            {"screw", screw, {true, true, false, false, true}}};
}

Rows rows_of_coupling(const Coupling& coupling) {
    BodySet bodies;
    for (int k = 0; k < 3; ++k) {
        BodyDesc body;
        body.shape = Box{{0.4, 0.3, 0.5}};
        body.position = {1.0 * k, 0.2 * k, 0};
        bodies.add(body, MaterialDesc{});
    }
    JointSet joints;
    JointDesc desc;
    desc.joint = coupling.joint;
    joints.add(desc, bodies, 0, 1, has_frame(coupling.joint) ? 2 : kNoBody);
    Rows rows;
    JointRows out{rows, 0, 1, 2};
    make_rows(joints, 0, poses_of(joints, 0, bodies), out);
    return rows;
}

TEST(JointRows, a_row_is_linear_when_its_error_is_a_length) {
    for (const Coupling& coupling : couplings()) {
        const Rows rows = rows_of_coupling(coupling);
        const auto equations = rows.rows_of(rows.blocks[0]);
        ASSERT_EQ(equations.size(), coupling.is_linear.size()) << coupling.name;
        for (std::size_t r = 0; r < equations.size(); ++r)
            EXPECT_EQ(equations[r].is_linear, coupling.is_linear[r]) << coupling.name << " " << r;
    }
}

TEST(JointRows, the_order_of_its_parts_does_not_matter) {
    for (const Coupling& coupling : couplings()) {
        const Rows rows = rows_of_coupling(coupling);
        for (const Row& row : rows.rows_of(rows.blocks[0])) {
            Rows other;
            other.begin_block();
            other.add();
            const auto parts = rows.parts_of(row);
            for (auto part = parts.rbegin(); part != parts.rend(); ++part)
                other.add_part(part->node, {}, part->angular);
            for (auto part = parts.rbegin(); part != parts.rend(); ++part)
                other.add_part(part->node, part->linear, {});
            EXPECT_EQ(other.rows[0].is_linear, row.is_linear) << coupling.name;
        }
    }
}

TEST(JointRows, a_copied_row_keeps_its_kind) {
    const Rows rows = rows_of_coupling(couplings()[2]);
    Rows copy;
    copy.add(rows, 0);
    for (std::size_t r = 0; r < rows.blocks[0].row_count; ++r)
        EXPECT_EQ(copy.rows[r].is_linear, rows.rows[r].is_linear);
}

// Limits of twist at a frame that swings by any angle, also through half a turn: gaps are 0 on the limits,
// and their rates are their derivatives.
struct Swung {
    Pose a, b;
    JointGeometry geometry() const { return {a, b, {}, {}, {}, {}, {}, {}, nullptr}; }
};

Swung swung(double swing, double direction, double twist) {
    const Quat about_y{std::cos(0.5 * swing), 0, std::sin(0.5 * swing) * std::cos(direction),
                       std::sin(0.5 * swing) * std::sin(direction)};
    const Quat a = normalized(Quat{0.3, -0.5, 0.2, 0.6});
    return {{{}, a}, {{}, a * about_y * Quat{std::cos(0.5 * twist), std::sin(0.5 * twist), 0, 0}}};
}

TEST(JointRows, limits_of_twist_are_smooth_through_half_a_turn_of_swing) {
    AxisDesc axis;
    axis.lower = -0.6, axis.upper = 0.7;
    Rows rows;
    const JointRows out{rows, 0, 1, 2};
    const double pi = std::acos(-1.0);
    int used = 0;
    for (const double swing : {2.0, 2.63, 2.65, 3.0, 3.1, pi, 3.2})
        for (const double direction : {0.0, 1.0, 2.5})
            for (const double twist : {-0.6, -0.3, 0.1, 0.7}) {
                const Swung at = swung(swing, direction, twist);
                const auto gaps = twist_gaps(out, at.geometry(), axis, twist);
                EXPECT_EQ(gaps.has_value(), std::cos(0.5 * swing) * std::cos(0.5 * swing) < 1.0 / 16);
                if (!gaps) continue;
                ++used;
                if (twist == -0.6) {
                    EXPECT_NEAR(gaps->lower.size, 0, 1e-14);
                }
                if (twist == 0.7) {
                    EXPECT_NEAR(gaps->upper.size, 0, 1e-14);
                }
                EXPECT_GE(gaps->lower.size, -1e-14);
                EXPECT_GE(gaps->upper.size, -1e-14);
                const Vec3 w{0.4, -0.7, 1.1};
                constexpr double kH = 1e-6;
                const auto moved = [&](double h) {
                    Swung next = at;
                    next.b.orientation = turned(at.b.orientation, w * h);
                    return *twist_gaps(out, next.geometry(), axis, twist);
                };
                if (std::abs(swing - pi) < 1e-9 || std::abs(swing - 2.636) < 0.02) continue;  // branch points
                const Gaps before = moved(-kH), after = moved(kH);
                const auto rate = [&](const Gap& gap) { return dot(gap.rate.parts[1].angular, w); };
                EXPECT_NEAR(rate(gaps->lower), (after.lower.size - before.lower.size) / (2 * kH), 1e-7);
                EXPECT_NEAR(rate(gaps->upper), (after.upper.size - before.upper.size) / (2 * kH), 1e-7);
            }
    EXPECT_EQ(used, 5 * 3 * 4);
}

}  // namespace
}  // namespace impuls
