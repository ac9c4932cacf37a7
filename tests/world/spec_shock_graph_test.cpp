// The contact graph in a running world: islands, reuse of contacts, filters (Erleben 2005, chapter 5).
#include <gtest/gtest.h>

#include <set>

#include "running.h"
#include "support/counting_new.h"
#include "support/full_size.h"

namespace impuls {
namespace {

std::uint64_t contact_bearing_pairs(const WorldState& s) {
    std::set<PairKey> pairs;
    for (const auto& c : s.contacts)
        if (c.is_present) pairs.insert(c.key);
    return pairs.size();
}

TEST(SpecShock, T3_stirred_world_has_few_edges) {
    Scene scene = damped_pile(is_long() ? 1000 : 96);
    for (auto& b : scene.bodies) b.linear_damping = b.angular_damping = 0;
    BodyDesc paddle = some_body("paddle", Box{{2, 0.3, 0.2}}, {0, 0.5, 0}, BodyKind::Kinematic);
    paddle.angular_velocity = {0, 6, 0};
    scene.bodies.push_back(paddle);
    Running world(scene);
    for (int k = 0; k < (is_long() ? 2000 : 150); ++k) {
        world.step();
        ASSERT_TRUE(world.s.output.status.ok);
        ASSERT_LE(world.s.graph.edges.size(), 20 * world.s.bodies.size());
    }
}

// The cache must save the work and change nothing: one run has it, the other drops it before every step.
TEST(SpecShock, T4_resting_pairs_skip_the_narrow_phase) {
    const int count = is_long() ? 1000 : 48, settle = is_long() ? 1000 : 300;
    Scene pile = damped_pile(count);
    // By blocks a large heap creeps on: its pairs do not rest.
    pile.settings.method = parse_method("default+blocks_from=0");
    Running world(pile);
    world.step(settle);
    const std::uint64_t calls_before = world.s.pairs.cache.calls();
    std::uint64_t pairs = 0;
    for (int k = 0; k < 20; ++k) {
        world.step();
        pairs += contact_bearing_pairs(world.s);
    }
    EXPECT_GE(pairs, 20u * static_cast<unsigned>(count));
    const std::uint64_t calls = world.s.pairs.cache.calls() - calls_before;
    EXPECT_LE(static_cast<double>(calls), 0.01 * static_cast<double>(pairs));

    World cached(damped_pile(48)), fresh(damped_pile(48));
    for (int k = 0; k < 200; ++k) {
        fresh.drop_caches();
        cached.step(), fresh.step();
        ASSERT_EQ(cached.state_hash(), fresh.state_hash()) << k;
    }
    const auto &a = cached.frame().contacts, &b = fresh.frame().contacts;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].point, b[k].point);
        EXPECT_EQ(a[k].normal, b[k].normal);
        EXPECT_EQ(a[k].depth, b[k].depth);
        EXPECT_EQ(a[k].force, b[k].force);
    }
}

TEST(SpecShock, T5_resting_contacts_stay_in_their_island) {
    Scene scene = scene_with_floor();
    for (const auto& [name, x] : {std::pair{"left", 0.0}, std::pair{"right", 1.0}}) {
        BodyDesc b = some_body(name, Box{{1, 1, 1}}, {x, 0.5, 0});
        b.linear_damping = b.angular_damping = 20;
        scene.bodies.push_back(b);
    }
    Running world(scene);
    std::uint64_t calls = 0;
    for (int k = 0; k < 500; ++k) {
        calls = world.s.pairs.cache.calls();
        world.step();
        ASSERT_EQ(world.s.islands.groups.size(), 1u) << k;
        ASSERT_EQ(world.island_of("left"), world.island_of("right"));
        std::set<Pair> pairs;
        for (const auto p : world.s.islands.groups.pairs) pairs.insert(world.s.pairs.bodies[p]);
        ASSERT_EQ(pairs, (std::set<Pair>{{0, 1}, {0, 2}, {1, 2}})) << k;
    }
    EXPECT_EQ(world.s.pairs.cache.calls(), calls) << "they should be at rest by now";
    world.s.commands.pending.push_back(ApplyImpulse{"left", {2000, 0, 0}, {}, {}});
    world.step();
    EXPECT_GT(world.s.bodies.v[world.number("right")].x, 0.1);
}

TEST(SpecShock, T6_the_floor_insulates_and_a_bridge_merges) {
    Scene scene = scene_with_floor();
    for (int stack = 0; stack < 2; ++stack)
        for (int k = 0; k < 3; ++k)
            scene.bodies.push_back(some_body((stack ? "r" : "l") + std::to_string(k), Box{{1, 1, 1}},
                                             {1.5 * stack, 0.5 + k, 0}));
    BodyDesc belt = some_body("belt", Box{{1, 0.5, 1}}, {0.75, -0.2, 3}, BodyKind::Kinematic);
    scene.bodies.push_back(belt);
    Running world(scene);
    world.step(50);
    ASSERT_EQ(world.s.islands.groups.size(), 2u);
    for (const char* name : {"l1", "l2"}) EXPECT_EQ(world.island_of(name), world.island_of("l0"));
    EXPECT_NE(world.island_of("l0"), world.island_of("r0"));
    world.s.commands.pending.push_back(
        Put{.bodies = {some_body("bridge", Box{{2.5, 0.4, 1}}, {0.75, 3.2, 0})}});
    world.step();
    EXPECT_EQ(world.s.islands.groups.size(), 1u);
    EXPECT_EQ(world.island_of("bridge"), world.island_of("r0"));
}

// Near is not touching: a body that passes by flies on its own.
TEST(SpecShock, T6_separated_pairs_do_not_merge) {
    Scene scene = scene_with_floor();
    scene.settings.gravity = {};
    scene.bodies.push_back(some_body("still", Sphere{0.5}, {0, 5, 0}));
    scene.bodies.push_back(some_body("flyer", Sphere{0.5}, {0.85, 5.85, 0}));  // boxes overlap, balls do not
    Running world(scene);
    world.step();
    EXPECT_EQ(world.s.pairs.bodies.size(), 3u);
    EXPECT_EQ(world.s.islands.groups.size(), 0u);
    EXPECT_EQ(world.s.islands.groups.free_bodies.size(), 2u);
}

TEST(SpecShock, T8_passive_bodies_cost_no_memory_and_touch_nothing) {
    const int n = is_long() ? 1000 : 200;
    Scene scene = scene_with_floor();
    for (int k = 0; k < n; ++k)
        scene.bodies.push_back(some_body("b" + std::to_string(k), Box{{1, 1, 1}},
                                         {1.5 * (k / 4 % 16), 0.5 + k % 4, 1.5 * (k / 64)}));
    World world(scene);
    std::vector<SetActive> on, off;
    for (int k = 0; k < n; ++k) {
        on.push_back({"b" + std::to_string(k), true});
        off.push_back({"b" + std::to_string(k), false});
    }
    // All toggle in each step; those of the odd columns in the other sense.
    const auto toggle = [&](int step) {
        for (int k = 0; k < n; ++k) world.apply((step + k / 4) % 2 ? on[k] : off[k]);
    };
    long counted = 0;
    for (int step = 0; step < 60; ++step) {
        const long before = allocations;
        toggle(step);
        ASSERT_TRUE(world.step().ok);
        if (step >= 20) counted += allocations - before;
        std::size_t active_contacts = 0;
        for (const Contact& c : world.frame().contacts) {
            for (const auto k : {c.a, c.b})
                if (k > 0) {
                    ASSERT_EQ((step + static_cast<int>(k - 1) / 4) % 2, 1) << "contact with a passive body";
                }
            ++active_contacts;
        }
        ASSERT_GT(active_contacts, 0u);
    }
    EXPECT_EQ(counted, 0);
}

TEST(Passive, bodies_stay_and_their_joints_hold_nothing) {
    Scene scene;
    scene.bodies.push_back(some_body("upper", Sphere{0.1}, {0, 0, 0}));
    scene.bodies.push_back(some_body("lower", Sphere{0.1}, {0, -1, 0}));
    JointDesc joint;
    joint.a = "upper", joint.b = "lower", joint.joint = BallJoint{{0, -0.5, 0}};
    scene.joints.push_back(joint);
    scene.bodies[0].active = false;
    World world(scene);
    for (int k = 0; k < 50; ++k) world.step();
    EXPECT_EQ(world.pose(world.find_body("upper")).position, Vec3{});
    EXPECT_NEAR(world.pose(world.find_body("lower")).position.y, -1 - 9.81 * 0.125, 1e-9);
    World copy(scene);
    world.apply(SetActive{"upper", true});
    world.step();
    copy.restore(world.checkpoint());
    world.step(), copy.step();
    EXPECT_EQ(world.state_hash(), copy.state_hash());
    EXPECT_LT(world.velocity(world.find_body("upper")).y, 0);
}

TEST(Layers, bodies_pass_through_what_they_ignore) {
    Scene scene = scene_with_floor();
    BodyDesc plate = some_body("plate", Box{{4, 0.2, 4}}, {0, 1, 0}, BodyKind::Static);
    plate.layer = 3;
    BodyDesc ghost = some_body("ghost", Sphere{0.2}, {-1, 2, 0});
    ghost.ignores = {7, 3};
    scene.bodies.insert(scene.bodies.end(), {plate, ghost, some_body("ball", Sphere{0.2}, {1, 2, 0})});
    World world(scene);
    for (int k = 0; k < 200; ++k) world.step();
    EXPECT_NEAR(world.pose(world.find_body("ghost")).position.y, 0.2, 1e-3);
    EXPECT_NEAR(world.pose(world.find_body("ball")).position.y, 1.3, 1e-3);
}

}  // namespace
}  // namespace impuls
