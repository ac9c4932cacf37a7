// A restored world goes on bit for bit.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "mixed_scene.h"
#include "support/full_size.h"

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
    first.apply(Put{.joints = {joint}});
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

// With a right checksum: what is damaged is judged by what it says.
void sign(std::vector<std::byte>& bytes) {
    const std::uint64_t sum = XXH64(bytes.data(), bytes.size() - 8, 0);
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
}

std::size_t find_bytes(const std::vector<std::byte>& in, const void* what, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(what);
    const auto at = std::search(in.begin(), in.end(), first, first + size);
    return static_cast<std::size_t>(at - in.begin());
}

// Of three balls the second is removed, and the first is pushed: the push of uid 1 must not become one of uid
// 3 because the file says uid 2.
TEST(Checkpoint, a_force_on_a_body_that_is_not_there_is_refused) {
    Scene scene;
    for (int k = 0; k < 3; ++k) {
        BodyDesc b;
        b.name = "b" + std::to_string(k), b.shape = Sphere{0.4}, b.position = {2.0 * k, 0, 0};
        scene.bodies.push_back(b);
    }
    World world(scene);
    const Vec3 force{0.7182818, 0.1415926, 0.4142135};
    world.apply(Remove{.bodies = {"b1"}});
    world.apply(SetForce{"b0", force, {}});
    ASSERT_TRUE(world.step().ok);
    auto bytes = world.checkpoint();
    const std::size_t at = find_bytes(bytes, &force, sizeof force);
    ASSERT_LT(at, bytes.size());
    for (const std::uint64_t uid : {0, 2, 4}) {
        std::memcpy(bytes.data() + at - 8, &uid, 8);
        sign(bytes);
        EXPECT_THROW(world.restore(bytes), InputError) << uid;
    }
    const std::uint64_t right = 1;
    std::memcpy(bytes.data() + at - 8, &right, 8);
    sign(bytes);
    EXPECT_NO_THROW(world.restore(bytes));
}

// Whatever single byte is changed: refused, or a world that can be stepped.
TEST(Checkpoint, damaged_bytes_with_a_right_checksum_do_no_harm) {
    World world(mixed_scene());
    for (int k = 0; k < 65; ++k) world.step();
    const auto good = world.checkpoint();
    const std::size_t stride = kSlowBuild ? 997 : is_long() ? 1 : 97;
    int refused = 0;
    for (std::size_t k = 12; k + 8 < good.size(); k += stride) {
        auto bad = good;
        bad[k] ^= std::byte{0xff};
        sign(bad);
        try {
            world.restore(bad);
            world.step();
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0);
}

// Events belong to the step that led somewhere: a world put elsewhere has none to tell.
TEST(Checkpoint, restoring_leaves_no_events_of_the_step_before) {
    Scene scene;
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{};
    BodyDesc ball;
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.position = {0, 1, 0};
    scene.bodies = {floor, ball};
    World world(scene);
    const auto start = world.checkpoint();
    for (int k = 0; k < 500 && world.frame().events.empty(); ++k) ASSERT_TRUE(world.step().ok);
    ASSERT_FALSE(world.frame().events.empty()) << "it must touch the floor";
    const auto touch = world.checkpoint();
    world.restore(start);
    EXPECT_TRUE(world.frame().events.empty());
    EXPECT_TRUE(world.outcomes().empty());
    world.restore(touch);
    EXPECT_TRUE(world.frame().events.empty());
    ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.frame().events.empty()) << "told twice";
}

}  // namespace
}  // namespace impuls
