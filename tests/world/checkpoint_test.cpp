// A restored world goes on bit for bit.
#include <gtest/gtest.h>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "mixed_scene.h"

namespace impuls {
namespace {

class CheckpointAt : public testing::TestWithParam<int> {};

// Before, between and after commands that add and remove bodies and joints.
TEST_P(CheckpointAt, future_is_the_same) {
    World first(mixed_scene());
    for (int k = 0; k < GetParam(); ++k) first.step();
    const auto bytes = first.checkpoint();
    World second(mixed_scene());
    for (int k = 0; k < 7; ++k) second.step();  // it need not be fresh
    second.restore(bytes);
    ASSERT_EQ(first.state_hash(), second.state_hash());
    EXPECT_EQ(first.time(), second.time());
    EXPECT_EQ(to_json(*first.structure()), to_json(*second.structure()));
    for (int k = 0; k < 120; ++k) {
        first.step();
        second.step();
        ASSERT_EQ(first.state_hash(), second.state_hash()) << "step " << first.steps();
    }
    EXPECT_EQ(first.checkpoint(), second.checkpoint());
}

INSTANTIATE_TEST_SUITE_P(Steps, CheckpointAt, testing::Values(0, 1, 40, 55, 65, 75, 85, 95, 150));

TEST(Checkpoint, keeps_commands_not_yet_applied) {
    World first(mixed_scene()), second(mixed_scene());
    first.step();
    first.apply(ApplyImpulse{"pile2", {5, 0, 0}, {}, {}});
    second.restore(first.checkpoint());
    first.step();
    second.step();
    EXPECT_EQ(first.state_hash(), second.state_hash());
    EXPECT_GT(first.velocity(first.find_body("pile2")).x, 1);
}

// A joint added while running remembers where the bodies were then.
TEST(Checkpoint, keeps_joints_added_on_the_way) {
    Scene scene = mixed_scene();
    World first(scene), second(scene);
    for (int k = 0; k < 30; ++k) first.step();
    JointDesc joint;
    joint.name = "added", joint.b = "pile11";
    joint.joint = BallJoint{first.pose(first.find_body("pile11")).position + Vec3{0, 1, 0}};
    first.apply(AddJoint{joint});
    for (int k = 0; k < 5; ++k) first.step();
    second.restore(first.checkpoint());
    for (int k = 0; k < 50; ++k) first.step(), second.step();
    EXPECT_EQ(first.state_hash(), second.state_hash());
}

TEST(Checkpoint, takes_at_most_128_bytes_a_body_besides_caches) {
    const auto size = [](int bodies) {
        Scene scene;
        for (int k = 0; k < bodies; ++k) {
            BodyDesc b;
            b.name = "b" + std::to_string(k), b.shape = Sphere{0.4}, b.position = {2.0 * k, 0, 0};
            scene.bodies.push_back(b);
        }
        World world(scene);
        world.step();
        return world.checkpoint().size();
    };
    EXPECT_LE((size(1000) - size(0)) / 1000.0, 128);
}

TEST(Checkpoint, damaged_or_foreign_bytes_are_refused_and_change_nothing) {
    World world(mixed_scene());
    for (int k = 0; k < 20; ++k) world.step();
    const auto good = world.checkpoint();
    const auto hash = world.state_hash();
    for (std::size_t k = 0; k < good.size(); k += 101) {
        auto bad = good;
        bad[k] ^= std::byte{0x10};
        EXPECT_THROW(world.restore(bad), InputError) << k;
        bad.resize(k);
        EXPECT_THROW(world.restore(bad), InputError) << k;
    }
    World other(mixed_scene(2));
    EXPECT_THROW(other.restore(good), InputError);
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_NO_THROW(world.restore(good));
}

}  // namespace
}  // namespace impuls
