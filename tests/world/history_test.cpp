// What steppers remember from step to step is state: it is hashed, and checkpoints bring it back. What they
// work in is not: it can be dropped at any time.
#include <gtest/gtest.h>

#include "block_scenes.h"
#include "mixed_scene.h"
#include "running.h"

namespace impuls {
namespace {

// Two cubes on each other, by blocks, and a chain of two rods.
Scene cubes_and_a_chain() {
    Scene scene = ground_scene(0.5, 0);
    scene.bodies.push_back(cube("lower", {0, 0.5, 0}));
    scene.bodies.push_back(cube("upper", {0, 1.5, 0}));
    for (int k = 0; k < 2; ++k) {
        const std::string name = "rod" + std::to_string(k);
        BodyDesc rod = cube(name, {10.25 + 0.5 * k, 5, 0});
        rod.shape = Box{{0.5, 0.1, 0.1}};
        scene.bodies.push_back(rod);
        JointDesc joint;
        joint.name = "joint" + std::to_string(k);
        joint.a = k == 0 ? "" : "rod0";
        joint.b = name;
        joint.joint = BallJoint{{10 + 0.5 * k, 5, 0}};
        scene.joints.push_back(joint);
    }
    return scene;
}

// The hash differs after the change, and a world that reads the checkpoint has the change and the hash.
template <class Change, class Read>
void expect_state(Change&& change, Read&& read) {
    Running world(cubes_and_a_chain()), other(cubes_and_a_chain());
    world.step(20);
    ASSERT_TRUE(world.s.output.status.ok);
    ASSERT_FALSE(world.s.contacts.empty());
    const std::uint64_t before = hash_state(world.s);
    const auto was = read(world.s);
    change(world.s);
    ASSERT_NE(read(world.s), was);
    EXPECT_NE(hash_state(world.s), before);
    read_checkpoint(other.s, write_checkpoint(world.s));
    EXPECT_EQ(read(other.s), read(world.s));
    EXPECT_EQ(hash_state(other.s), hash_state(world.s));
}

// A present point that was kept where it was found.
template <class World>
auto& kept_point(World& s) {
    for (auto& point : s.contacts)
        if (point.is_present && point.found_within > 0) return point;
    ADD_FAILURE() << "no kept point";
    return s.contacts.front();
}

TEST(History, substeps_of_contacts_are_state) {
    expect_state([](WorldState& s) { ++kept_point(s).substeps; },
                 [](const WorldState& s) { return kept_point(s).substeps; });
}

TEST(History, kept_points_are_state) {
    for (const auto member :
         {&ContactPoint::anchor_a, &ContactPoint::anchor_b, &ContactPoint::normal_a, &ContactPoint::normal_b})
        for (const auto part : {&Rounded3::x, &Rounded3::y, &Rounded3::z})
            expect_state([&](WorldState& s) { kept_point(s).*member.*part += 0.25f; },
                         [&](const WorldState& s) { return kept_point(s).*member.*part; });
    expect_state([](WorldState& s) { kept_point(s).found += 0.25f; },
                 [](const WorldState& s) { return kept_point(s).found; });
    expect_state([](WorldState& s) { kept_point(s).found_within *= 2; },
                 [](const WorldState& s) { return kept_point(s).found_within; });
}

TEST(History, pace_of_joints_is_state) {
    for (const std::size_t j : {0, 1})
        expect_state([&](WorldState& s) { s.joints.pace[j] = 1.25e-4; },
                     [&](const WorldState& s) { return s.joints.pace[j]; });
}

TEST(DropCaches, forgets_all_workspaces_and_changes_nothing) {
    for (const char* method : {"default", "fast", "erleben"}) {
        Scene scene = mixed_scene(1);
        scene.settings.method = parse_method(method);
        Running kept(scene), dropped(scene);
        for (int k = 0; k < 60; ++k) {
            kept.step();
            dropped.step();
            ASSERT_EQ(hash_state(kept.s), hash_state(dropped.s)) << method << ' ' << k;
            if (k > 0) {
                ASSERT_GT(kept.s.islands.schedule.chunks(), 0u);
            }
            drop_caches(dropped.s);
            EXPECT_EQ(dropped.s.islands.schedule.chunks(), 0u);
            EXPECT_EQ(dropped.s.islands.groups.size(), 0u);
        }
    }
}

}  // namespace
}  // namespace impuls
