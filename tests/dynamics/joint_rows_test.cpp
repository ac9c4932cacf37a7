// Whether the error of a joint's row is a length or an angle, in joints that couple both.
#include "dynamics/joint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

}  // namespace
}  // namespace impuls
