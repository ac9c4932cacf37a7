// Islands gathered from a world's columns and scattered back (steppers/island.h, scatter.h), sizes of joints
// (joint_size.h) and lost bodies (finite.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hand_made.h"
#include "steppers/finite.h"
#include "steppers/joint_size.h"

namespace impuls {
namespace {

BodyDesc fixed(const Shape& shape, const Vec3& at, BodyKind kind = BodyKind::Static) {
    BodyDesc desc = some_body(shape, at);
    desc.kind = kind;
    return desc;
}

// Dynamic bodies 1, 2, 4; static 0, kinematic 3; a joint to the world and one between two of them.
struct Mixed : HandMade {
    Mixed() {
        add_ground();
        add(some_body(Box{{1, 1, 1}}, {0, 0.5, 0}, {1, 2, 3}));
        add(some_body(Sphere{0.25}, {2, 3, 0}, {}, 4));
        add(fixed(Box{{1, 1, 1}}, {0, 1.5, 0}, BodyKind::Kinematic));
        add(some_body(Sphere{0.125}, {0, 2.5, 0}));
        bodies.gravity_scale.set(2, 0.5);
        bodies.force.set(2, {8, 0, 0});
        bodies.w[1] = {0, 4, 0};
    }
};

TEST(Gather, puts_dynamic_bodies_first_and_others_once) {
    Mixed world;
    world.hold(kNoBody, 2, BallJoint{{2, 3, 0}});
    world.hold(1, 4, BallJoint{{0, 2, 0}});
    world.prepare();
    ASSERT_EQ(world.groups.size(), 1u);
    world.gather_island();
    const Island& island = world.island;
    ASSERT_EQ(island.dynamic_count, 3u);
    ASSERT_EQ(island.nodes.size(), 6u);
    const std::uint32_t dynamic[] = {1, 2, 4};
    for (std::uint32_t k = 0; k < 3; ++k) {
        EXPECT_EQ(island.nodes[k].body, dynamic[k]);
        EXPECT_EQ(world.node_of[dynamic[k]], k);
        EXPECT_TRUE(island.nodes[k].is_dynamic);
        EXPECT_TRUE(island.nodes[k].is_joined);
    }
    // The ground and the kinematic body are found with the pairs, the world with the joints.
    ASSERT_EQ(island.others.size(), 3u);
    EXPECT_TRUE(std::is_sorted(island.others.begin(), island.others.end()));
    EXPECT_EQ(island.others[0].first, 0u);
    EXPECT_EQ(island.others[1].first, 3u);
    EXPECT_EQ(island.others[2].first, kNoBody);
    for (const auto& [body, node] : island.others) {
        ASSERT_LT(node, island.nodes.size());
        EXPECT_GE(node, 3u);
        EXPECT_EQ(island.nodes[node].body, body);
        EXPECT_FALSE(island.nodes[node].is_dynamic);
        EXPECT_FALSE(island.nodes[node].is_joined);
        EXPECT_EQ(island.nodes[node].inv_mass, 0);
        EXPECT_EQ(island.nodes[node].pull, 0);
    }
    for (const IslandPair& pair : island.pairs) {
        const auto [a, b] = world.body_pairs[pair.pair];
        EXPECT_EQ(island.nodes[pair.a].body, a);
        EXPECT_EQ(island.nodes[pair.b].body, b);
        EXPECT_EQ(pair.collider_a, &world.bodies.colliders[a][0]);
        EXPECT_EQ(pair.collider_b, &world.bodies.colliders[b][0]);
        EXPECT_EQ(pair.law, &world.laws.between(0, 0));
    }
    EXPECT_EQ(island.pairs.size(), 9u);  // 5 * 4 / 2, but that of ground and kinematic body
}

TEST(Gather, copies_motions_and_accelerations) {
    Mixed world;
    world.prepare();
    world.gather_island();
    const IslandNode &box = world.island.nodes[0], &ball = world.island.nodes[1];
    EXPECT_EQ(box.pose.position, (Vec3{0, 0.5, 0}));
    EXPECT_EQ(box.v, (Vec3{1, 2, 3}));
    EXPECT_EQ(box.w, (Vec3{0, 4, 0}));
    EXPECT_EQ(box.inv_mass, 0.5);
    EXPECT_EQ(box.acceleration, (Vec3{0, -kG, 0}));
    EXPECT_DOUBLE_EQ(box.pull, kG);
    EXPECT_TRUE(box.moves());
    EXPECT_FALSE(ball.moves());
    EXPECT_FALSE(ball.is_joined);
    // Half of gravity, and 8 N on 4 kg.
    EXPECT_EQ(ball.acceleration, (Vec3{2, -0.5 * kG, 0}));
    EXPECT_DOUBLE_EQ(ball.pull, std::sqrt(4 + 0.25 * kG * kG));
}

// The smaller of two; planes have none. Colliders of twice the size are twice as large.
TEST(Gather, gives_pairs_the_smaller_size) {
    HandMade world;
    world.add_ground();
    world.add(some_body(Sphere{1}, {0, 1, 0}));
    world.add(some_body(Sphere{2}, {5, 2, 0}));
    world.prepare();
    world.gather_island();
    ASSERT_EQ(world.island.pairs.size(), 3u);
    const auto& pairs = world.island.pairs;  // ground-1, ground-2, 1-2
    EXPECT_GT(pairs[0].size, 0);
    EXPECT_EQ(pairs[0].size, world.bodies.colliders[1][0].size);
    EXPECT_EQ(pairs[1].size, 2 * pairs[0].size);
    EXPECT_EQ(pairs[2].size, pairs[0].size);
    for (const IslandPair& pair : pairs) EXPECT_EQ(pair.margin, 0);
}

TEST(Gather, lays_joints_one_behind_the_other) {
    HandMade world;
    for (int k = 0; k < 3; ++k) world.add(some_body(Box{{0.5, 0.1, 0.1}}, {0.5 * k, 0, 0}));
    world.hold(0, 1, BallJoint{{0.25, 0, 0}});
    world.hold(1, 2, HingeJoint{{0.75, 0, 0}, {0, 0, 1}});
    world.hold(kNoBody, 0, BallJoint{{-0.25, 0, 0}});
    double value = 1;
    for (auto* numbers : {&world.joints.impulse, &world.joints.angle})
        for (double& number : numbers->value) number = value++;
    world.joints.pace = {0, 0.003, 0.002};
    world.reach = 0;
    world.bodies.collides = {0, 0, 0};
    world.prepare();
    ASSERT_EQ(world.groups.size(), 1u);
    world.island.memory.is_paced = true;
    world.gather_island();
    const Island& island = world.island;
    ASSERT_EQ(island.joints.size(), 3u);
    std::size_t row = 0, angle = 0, axis = 0;
    for (std::uint32_t j = 0; j < 3; ++j) {
        const IslandJoint& joint = island.joints[j];
        EXPECT_EQ(joint.joint, j);
        EXPECT_EQ(joint.c, joint.a);
        EXPECT_EQ(joint.first_row, row);
        EXPECT_EQ(joint.first_angle, angle);
        EXPECT_EQ(joint.first_axis, axis);
        row += world.joints.impulse.of(j).size();
        angle += world.joints.angle.of(j).size();
        axis += world.joints.axis_force.of(j).size();
        EXPECT_EQ(island.row_end(j), row);
    }
    EXPECT_EQ(world.joints.impulse.of(0).size(), 3u);
    EXPECT_EQ(world.joints.impulse.of(1).size(), 5u);
    EXPECT_EQ(island.memory.impulses, world.joints.impulse.value);
    EXPECT_EQ(island.memory.angles, world.joints.angle.value);
    EXPECT_EQ(island.memory.axis_impulses, std::vector<double>(axis, 0.0));
    EXPECT_EQ(island.memory.reactions.size(), 3u);
    EXPECT_EQ(island.memory.pace, 0.002);  // the shortest; 0 is none
    EXPECT_FALSE(island.memory.is_paced);
    world.joints.pace = {0, 0, 0};
    world.gather_island();
    EXPECT_EQ(world.island.memory.pace, kUnbounded);
}

TEST(Gather, knows_what_drives_an_island) {
    const auto is_driven = [](auto&& change) {
        HandMade world;
        world.add_ground();
        world.add(resting_box());
        world.add(fixed(Box{{1, 1, 1}}, {0, 1.5, 0}, BodyKind::Kinematic));
        change(world);
        world.prepare();
        world.gather_island();
        EXPECT_EQ(world.island.nodes[0].has_surface, world.bodies.surface_velocity[1] != Vec3{});
        return world.island.is_driven;
    };
    EXPECT_FALSE(is_driven([](HandMade&) {}));
    EXPECT_FALSE(is_driven([](HandMade& w) { w.bodies.force.set(1, {1, 0, 0}); }));  // constant
    EXPECT_FALSE(is_driven([](HandMade& w) { w.bodies.v[1] = {1, 0, 0}; }));
    EXPECT_TRUE(is_driven([](HandMade& w) { w.bodies.torque.set(1, {1, 0, 0}); }));
    EXPECT_TRUE(is_driven([](HandMade& w) { w.bodies.surface_velocity.set(1, {1, 0, 0}); }));
    EXPECT_TRUE(is_driven([](HandMade& w) { w.bodies.surface_velocity.set(0, {1, 0, 0}); }));
    EXPECT_TRUE(is_driven([](HandMade& w) { w.bodies.v[2] = {0, 1, 0}; }));
    EXPECT_TRUE(is_driven([](HandMade& w) { w.bodies.w[2] = {0, 1, 0}; }));
    EXPECT_TRUE(is_driven([](HandMade& w) {
        ContactDesc soft;
        soft.a = soft.b = "m";
        soft.compliance = 1e-4;
        w.structure.contacts.push_back(soft);
    }));
    const auto with_hinge = [](auto&& change) {
        return [change](HandMade& w) {
            HingeJoint hinge{{0, 0.5, 0}, {0, 0, 1}};
            change(hinge.turn);
            w.hold(kNoBody, 1, hinge);
        };
    };
    EXPECT_FALSE(is_driven(with_hinge([](AxisDesc&) {})));
    EXPECT_FALSE(is_driven(with_hinge([](AxisDesc& turn) { turn.lower = -1; })));
    EXPECT_FALSE(is_driven(with_hinge([](AxisDesc& turn) { turn.friction = 1; })));
    EXPECT_TRUE(is_driven(with_hinge([](AxisDesc& turn) { turn.speed = 1; })));
    EXPECT_TRUE(is_driven(with_hinge([](AxisDesc& turn) { turn.stiffness = 1; })));
}

TEST(Scatter, writes_back_what_the_island_has) {
    for (const bool is_paced : {false, true}) {
        Mixed world;
        world.hold(kNoBody, 2, HingeJoint{{2, 3, 0}, {0, 0, 1}});
        world.hold(1, 4, BallJoint{{0, 2, 0}});
        world.prepare();
        world.joints.pace = {0.5, 0.25};
        world.gather_island();
        Island& island = world.island;
        double value = 1;
        const auto next_vec = [&] {
            value += 3;
            return Vec3{value, value + 1, value + 2};
        };
        for (IslandNode& node : island.nodes) {
            node.pose.position = next_vec();
            node.v = next_vec();
            node.w = next_vec();
        }
        for (auto* list : {&island.memory.impulses, &island.memory.angles, &island.memory.axis_impulses})
            for (double& number : *list) number = value++;
        for (JointReaction& reaction : island.memory.reactions) reaction = {next_vec(), next_vec(), 0};
        island.memory.pace = 0.001;
        island.memory.is_paced = is_paced;
        std::vector<Motion> next(5);
        for (Motion& motion : next) motion.v = {-1, -1, -1};
        StepOutput out{next, world.joints, world.bodies};
        scatter(world.view(), island, out);
        for (const IslandNode& node : island.dynamic_nodes()) {
            EXPECT_EQ(next[node.body].pose, node.pose);
            EXPECT_EQ(next[node.body].v, node.v);
            EXPECT_EQ(next[node.body].w, node.w);
        }
        for (const std::uint32_t other : {0, 3}) EXPECT_EQ(next[other].v, (Vec3{-1, -1, -1}));
        EXPECT_EQ(world.joints.impulse.value, island.memory.impulses);
        EXPECT_EQ(world.joints.angle.value, island.memory.angles);
        const auto& forces = world.joints.axis_force.value;
        ASSERT_EQ(forces.size(), island.memory.axis_impulses.size());
        for (std::size_t k = 0; k < forces.size(); ++k)
            EXPECT_EQ(forces[k], island.memory.axis_impulses[k] / world.dt);
        for (std::size_t j = 0; j < 2; ++j) {
            EXPECT_EQ(world.joints.reaction[j].force, island.memory.reactions[j].force / world.dt);
            EXPECT_EQ(world.joints.reaction[j].torque, island.memory.reactions[j].torque / world.dt);
            EXPECT_EQ(world.joints.pace[j], is_paced ? 0.001 : j == 0 ? 0.5 : 0.25);
        }
        // A pace of a whole step or more is none.
        island.memory.pace = world.dt;
        scatter(world.view(), island, out);
        EXPECT_EQ(world.joints.pace[0], is_paced ? 0 : 0.5);
    }
}

TEST(LostBody, is_not_finite_or_out_of_range) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = kUnbounded;
    const Pose here{{1, 2, 3}, {}};
    EXPECT_EQ(lost_reason(here, {1, 2, 3}, {1, 2, 3}, 1), nullptr);
    for (const double bad : {nan, inf, -inf}) {
        EXPECT_STREQ(lost_reason(here, {0, bad, 0}, {}, 1), "is not finite");
        EXPECT_STREQ(lost_reason(here, {}, {0, 0, bad}, 1), "is not finite");
        EXPECT_STREQ(lost_reason({{bad, 0, 0}, {}}, {}, {}, 1), "is not finite");
        EXPECT_STREQ(lost_reason({{}, {bad, 0, 0, 0}}, {}, {}, 1), "is not finite");
    }
    // Neighbouring doubles beyond 2^52 are one apart.
    EXPECT_EQ(lost_reason({{0x1p52, 0, 0}, {}}, {}, {}, 1), nullptr);
    EXPECT_NE(lost_reason({{0x1p52 + 1, 0, 0}, {}}, {}, {}, 1), nullptr);
    EXPECT_NE(lost_reason({{0, 0x1p52, 0}, {}}, {}, {}, 0.5), nullptr);
    EXPECT_EQ(lost_reason({{0, 0x1p60, 0}, {}}, {}, {}, 0), nullptr);  // without size
    HandMade world;
    world.add(resting_box());
    Results results;
    note_lost(0, "is not finite", "forces", results);
    EXPECT_EQ(results.failure, "is not finite after forces");
    EXPECT_EQ(results.failed_body, 0u);
}

// Radii of gyration: sqrt((b^2 + c^2) / 12) of a box, the largest; sqrt(2 / 5) r of a ball.
TEST(JointSize, is_the_smaller_radius_of_gyration) {
    HandMade world;
    world.add(some_body(Box{{3, 4, 1}}, {0, 0, 0}));
    world.add(some_body(Sphere{1}, {4, 0, 0}));
    world.add(some_body(Sphere{0.1}, {8, 0, 0}));
    world.add(fixed(Sphere{0.01}, {8, 0, 0}));
    world.bodies.inertia.set(2, {}), world.bodies.inv_inertia.set(2, {});  // a point
    world.hold(kNoBody, 0, BallJoint{{0, 0, 0}});
    world.hold(0, 1, BallJoint{{2, 0, 0}});
    world.hold(1, 2, BallJoint{{6, 0, 0}});
    world.hold(2, 3, BallJoint{{8, 0, 0}});
    world.prepare();
    world.gather_island();
    const double box = std::sqrt(25.0 / 12), ball = std::sqrt(0.4);
    const auto size = [&](std::size_t j) {
        return joint_size(world.view(), world.island, world.island.joints[j]);
    };
    EXPECT_NEAR(size(0), box, 1e-12);
    EXPECT_NEAR(size(1), ball, 1e-12);
    EXPECT_NEAR(size(2), ball, 1e-12);
    EXPECT_EQ(size(3), kUnbounded);
    EXPECT_NEAR(smallest_size(world.view(), world.island), ball, 1e-12);
    world.bodies.inertia.set(0, {}), world.bodies.inertia.set(1, {});
    EXPECT_EQ(smallest_size(world.view(), world.island), 0);
}

// Open by a twentieth of the size, or 0.05 rad; the length of all equations together.
TEST(JointSize, tells_torn_joints) {
    Rows rows;
    AxisLog log;
    const auto is_off = [&](std::initializer_list<double> lengths, std::initializer_list<double> angles,
                            double size) {
        rows.rows.clear();
        rows.rows.emplace_back().error = 100;  // of another joint
        for (const double error : lengths) {
            Row& row = rows.rows.emplace_back();
            row.is_linear = true;
            row.error = error;
        }
        for (const double error : angles) rows.rows.emplace_back().error = error;
        rows.rows.emplace_back().error = 100;
        log.row_axis.assign(rows.rows.size(), 0);
        return is_torn(rows, log, 1, rows.rows.size() - 1, size);
    };
    EXPECT_FALSE(is_off({0.0999, 0, 0}, {0.0499}, 2));
    EXPECT_TRUE(is_off({0, -0.1001, 0}, {}, 2));
    EXPECT_FALSE(is_off({0.0599, 0.0799}, {}, 2));
    EXPECT_TRUE(is_off({0.0601, 0.0801}, {}, 2));
    EXPECT_TRUE(is_off({}, {0.0301, -0.0401}, 2));
    EXPECT_FALSE(is_off({}, {0.0299, -0.0399}, 1e-9));
    EXPECT_FALSE(is_off({1e3}, {}, kUnbounded));
    // Limits, springs and rows along axes do not count.
    EXPECT_TRUE(is_off({1}, {}, 2));
    rows.rows[1].lower = 0;
    EXPECT_FALSE(is_torn(rows, log, 1, 2, 2));
    rows.rows[1].lower = -kUnbounded;
    rows.rows[1].compliance = 1;
    EXPECT_FALSE(is_torn(rows, log, 1, 2, 2));
    rows.rows[1].compliance = 0;
    log.row_axis[1] = -1;
    EXPECT_FALSE(is_torn(rows, log, 1, 2, 2));
    log.row_axis[1] = 0;
    EXPECT_TRUE(is_torn(rows, log, 1, 2, 2));
}

}  // namespace
}  // namespace impuls
