// Stack freezing under the impulse stepper (Bender 2014, 3.1.2.1 and 3.6.1; capability K9): an option, off in
// every preset of that stepper, with which few sweeps hold what they cannot carry.
#include <gtest/gtest.h>

#include "impuls/frame.h"
#include "stacks.h"

namespace impuls {
namespace {

const std::string kBrief = "default+substeps=1+blocks_from=0";

TEST(SpecMultibody, K9_freezing_is_off_unless_asked_for) {
    for (const Method& method : method_presets())
        if (method.rattle_if()) {
            EXPECT_EQ(method.rattle().shock, Switch::Off) << method.preset;
        }
    // And then it changes nothing.
    World plain(box_stack(5, kBrief)), off(box_stack(5, kBrief + "+shock=off"));
    for (int k = 0; k < 50; ++k) plain.step(), off.step();
    EXPECT_EQ(plain.state_hash(), off.state_hash());
}

// 100 cubes have 400 contacts, for which there are five sweeps: news from the ground takes twenty steps to
// the top.
TEST(SpecMultibody, K9_few_sweeps_hold_a_high_column) {
    const double seconds = is_long() ? 20 : 1;
    const StackResult plain = Watch(box_stack(100, kBrief, 0)).run(seconds, 1);
    const StackResult frozen = Watch(box_stack(100, kBrief + "+shock=on", 0)).run(seconds, 1);
    EXPECT_GT(plain.depth, 1e-3);
    EXPECT_LT(frozen.depth, 0.01 * plain.depth);
    EXPECT_LT(frozen.displacement, 1e-3);
    EXPECT_LT(frozen.tilt, 1e-3);
}

TEST(SpecMultibody, K9_walls_and_heavy_tops) {
    const StackResult wall = Watch(brick_wall(12, 12, kBrief, 0)).run(1);
    const StackResult frozen = Watch(brick_wall(12, 12, kBrief + "+shock=on", 0)).run(1);
    EXPECT_LT(frozen.depth, 0.1 * wall.depth);
    EXPECT_LT(frozen.displacement, 0.1 * wall.displacement);
    // One ball on another of an 8000th of its mass, by plain sweeps.
    const StackResult balls = Watch(two_balls("default+solver=sequential+blocks_from=0")).run(2, 0.1);
    EXPECT_LT(Watch(two_balls("default+solver=sequential+blocks_from=0+shock=on")).run(2).displacement,
              0.1 * balls.displacement);
}

// What frozen bodies give is not handed on, so the sweeps find all of the load in the end.
TEST(SpecMultibody, K9_the_ground_bears_the_weight) {
    const int n = 20;
    World world(box_stack(n, kBrief + "+shock=on", 0));
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(world.step().ok);
    double force = 0;
    for (const Contact& contact : world.frame().contacts)
        if (contact.a == 0 || contact.b == 0) force += std::abs(contact.force.y);
    const double weight = n * world.mass(world.find_body("b0")) * 9.81;
    EXPECT_NEAR(force, weight, 0.01 * weight);
}

TEST(SpecMultibody, K9_with_joints) {
    const int n = 40;
    Scene scene = box_stack(n, kBrief + "+shock=on", 0);
    for (int k = 0; k + 1 < n; k += 2) {
        JointDesc ball;
        ball.a = numbered("b", k), ball.b = numbered("b", k + 1), ball.joint = BallJoint{{0, k + 1.0, 0}};
        ball.collide_connected = true;
        scene.joints.push_back(ball);
    }
    Watch watch(scene);
    EXPECT_LT(watch.run(1).displacement, 1e-3);
    EXPECT_TRUE(watch.status.ok);
    EXPECT_LT(watch.world.frame().max_joint_error, 1e-6);
}

TEST(SpecMultibody, K9_elastic_stacks_gain_no_energy) {
    for (const double gap : {0.0, 0.05}) {
        Scene scene = box_stack(8, kBrief + "+shock=on", 1);
        for (std::size_t k = 1; k < scene.bodies.size(); ++k)
            scene.bodies[k].position.y += gap * static_cast<double>(k);
        World world(scene);
        const double first = world.frame().energy.total;
        double most = first;
        for (int k = 0; k < 300; ++k) {
            ASSERT_TRUE(world.step().ok);
            most = std::max(most, world.frame().energy.total);
        }
        EXPECT_LT(most, 1.01 * first) << gap;
    }
}

}  // namespace
}  // namespace impuls
