// Stacks with few sweeps: plain projected Gauss-Seidel, and shock propagation (Erleben 2005, 6.1.7 and 6.4).
// Sleeping is off throughout: what stands here stands by itself.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "stacks.h"

namespace impuls {
namespace {

const std::string kShock = "erleben+sleep=off";
const std::string kPlain = "erleben+sleep=off+shock=off";

TEST(SpecShock, T14_plain_sweeps_hold_a_stack_the_longer_the_more_there_are) {
    // Time until a cube of the column is 1 m from its place.
    double before = 0;
    for (const int iterations : {10, 100, 1000, 10000}) {
        if (iterations > 100 && !is_long()) break;
        Watch watch(box_stack(25, kPlain + "+correction=none+iterations=" + std::to_string(iterations)));
        const StackResult o = watch.run(iterations >= 1000 ? 10 : 5, 1);
        RecordProperty("seconds_with_" + std::to_string(iterations), std::to_string(o.at));
        RecordProperty("metres_with_" + std::to_string(iterations), std::to_string(o.displacement));
        const bool has_fallen = o.displacement >= 1;
        EXPECT_TRUE(has_fallen || iterations == 10000) << iterations;
        EXPECT_TRUE(!has_fallen || o.at > before) << iterations;
        before = o.at;
    }
    // The text: collapses after about 2.5 s with 10 sweeps, stays for long with 100.
    const int n = is_long() ? 5 : 4;
    EXPECT_LT(Watch(ball_grid(n, kPlain + "+iterations=10")).run(2).displacement, 0.1);
    EXPECT_LT(Watch(ball_grid(n, kPlain + "+iterations=100")).run(is_long() ? 10 : 3).displacement, 0.1);
}

TEST(SpecShock, T15_ten_sweeps_hold_a_column_of_25) {
    const double seconds = is_long() ? 60 : 5;
    const StackResult o = Watch(box_stack(25, kShock + "+weight=0")).run(seconds);
    EXPECT_LT(o.displacement, 0.01);
    EXPECT_LT(o.tilt, 0.5 * 3.1416 / 180);
    EXPECT_LT(o.depth, 1e-3);
    const StackResult plain = Watch(box_stack(25, kPlain)).run(seconds, 1);
    EXPECT_GE(plain.displacement, 1);
}

TEST(SpecShock, T16_walls_and_towers_stand) {
    for (const char* weight : {"0", "0.01"}) {
        const std::string method = kShock + "+weight=" + weight;
        const StackResult wall =
            Watch(is_long() ? brick_wall(20, 10, method) : brick_wall(8, 6, method)).run(is_long() ? 30 : 3);
        EXPECT_LT(wall.displacement, 0.02) << weight;
        for (const int rings : {20, 40}) {  // 320 and 640 bricks
            if (rings > 20 && !is_long()) continue;
            const StackResult tower =
                Watch(brick_tower(is_long() ? rings : 5, method, 0.1, is_long() ? 16 : 8))
                    .run(is_long() ? 30 : 3);
            EXPECT_LT(tower.displacement, 0.02) << weight << " " << rings;
        }
    }
}

TEST(SpecShock, T17_mass_ratio_8000) {
    EXPECT_LT(Watch(two_balls(kShock)).run(10).displacement, 1e-3);
    // Plain: 10 sweeps hold 1 - (8000/8001)^10 = 0.125 % of the weight.
    EXPECT_GT(Watch(two_balls(kPlain)).run(10).displacement, 0.5);
}

// Deepest overlap of balls and floor by layer of the grid.
std::vector<double> depths_by_layer(World& world, int n) {
    std::vector<double> depths(static_cast<std::size_t>(n), 0);
    const Frame& f = world.frame();
    for (std::size_t a = 1; a < f.positions.size(); ++a) {
        auto& depth = depths[(a - 1) / static_cast<std::size_t>(n * n)];
        depth = std::max(depth, 0.5 - f.positions[a].y);
        for (std::size_t b = 1; b < a; ++b)
            depth = std::max(depth, 1 - length(f.positions[a] - f.positions[b]));
    }
    return depths;
}

TEST(SpecShock, T18_overlap_of_all_layers_goes_in_one_step) {
    const int n = 5;
    World world(ball_grid(n, kShock + "+weight=0", 0.2));
    world.step();
    for (const double depth : depths_by_layer(world, n)) EXPECT_LT(depth, 1e-3);
    for (int k = 0; k < 4; ++k) world.step();
    const Frame& f = world.frame();
    for (int k = 0; k < n * n * n; ++k) {  // still a grid
        const Vec3 place{1.0 * (k % n), 0.5 + k / (n * n), 1.0 * (k / n % n)};
        EXPECT_LT(length(f.positions[static_cast<std::size_t>(k) + 1] - place), 0.01) << k;
    }
    // All at once, as many sweeps do not get there in as many steps.
    World plain(ball_grid(n, kPlain, 0.2));
    for (int k = 0; k < 5; ++k) plain.step();
    const auto depths = depths_by_layer(plain, n);
    EXPECT_GT(*std::max_element(depths.begin(), depths.end()), 1e-3);
}

TEST(SpecShock, T20_gravity_and_drift_reach_every_body_once) {
    const double h = 0.01, g = 9.81;
    for (const char* weight : {"0", "0.01", "0.5", "1"}) {
        // Pressed to a wall without friction, so held by a contact; and two that fall side by side, in one
        // island but touching nothing.
        Scene scene = stone_floor(kShock + "+weight=" + weight, 0, 0);
        scene.bodies.push_back(some_body("wall", Box{{1, 100, 10}}, {-0.5, 50, 0}, BodyKind::Static));
        scene.bodies.push_back(some_body("pressed", Sphere{0.5}, {0.5, 50, 0}));
        scene.bodies.push_back(some_body("left", Sphere{0.5}, {10, 50, 0}));
        scene.bodies.push_back(some_body("right", Sphere{0.5}, {11.004, 50, 0}));
        World world(scene);
        world.apply(SetForce{"pressed", {-100, 0, 0}, {}});
        double v = 0, y = 50;
        for (int k = 1; k <= 20; ++k) {
            ASSERT_TRUE(world.step().ok);
            v -= g * h, y += h * v;
            const auto pressed = world.find_body("pressed");
            EXPECT_NEAR(world.velocity(pressed).y, v, 1e-12) << weight;
            EXPECT_NEAR(world.pose(pressed).position.y, y, 1e-11) << weight;
            for (const char* name : {"left", "right"}) {
                EXPECT_NEAR(world.velocity(world.find_body(name)).y, v, 1e-12) << weight;
                EXPECT_NEAR(world.pose(world.find_body(name)).position.y, 50 - 0.5 * g * k * k * h * h,
                            1e-11);
            }
        }
        EXPECT_GT(world.contact_count(), 0u);
    }
}

// A plank hinged at its middle with a ball on each end, without friction: its angular acceleration about z.
double seesaw(const std::string& method, double heavy, double light, int steps, double drop = 0) {
    Scene scene = stone_floor(method, 0, 0);
    scene.bodies.push_back(some_body("plank", Box{{4, 0.2, 1}}, {0, 5, 0}));
    scene.bodies.back().mass = 2;
    scene.bodies.push_back(some_body("heavy", Sphere{0.25}, {-1.5, 5.35, 0}));
    scene.bodies.back().mass = heavy;
    scene.bodies.push_back(some_body("light", Sphere{0.25}, {1.5, 5.35 + drop, 0}));
    scene.bodies.back().mass = light;
    JointDesc hinge;
    hinge.name = "hinge", hinge.b = "plank";
    HingeJoint axis;
    axis.anchor = {0, 5, 0}, axis.axis = {0, 0, 1};
    hinge.joint = axis;
    scene.joints.push_back(hinge);
    World world(scene);
    for (int k = 0; k < steps; ++k) world.step();
    return world.angular_velocity(world.find_body("plank")).z / (steps * world.dt());
}

TEST(SpecShock, T21_the_share_f_of_weight_is_felt) {
    const double inertia = 2.0 * (16 + 0.04) / 12, arm = 1.5;
    const double exact = (3 - 1) * 9.81 * arm / (inertia + (3 + 1) * arm * arm);
    for (const auto& [weight, f] : {std::pair{"0.01", 0.01}, {"0.1", 0.1}, {"0.5", 0.5}, {"1", 1.0}}) {
        const double a = seesaw(kShock + "+iterations=1000+weight=" + weight, 3, 1, 10);
        EXPECT_NEAR(a / exact, f, 0.02 * f) << weight;
    }
    EXPECT_NEAR(seesaw(kShock + "+weight=0", 3, 1, 100) / exact, 0, 1e-6);  // a limit of the method
    // The second order stepper feels all of it, and freezes what its sweeps have found.
    EXPECT_NEAR(seesaw("default", 3, 1, 10) / exact, 1, 0.02);
    EXPECT_NEAR(seesaw("default+shock=on+blocks_from=0", 3, 1, 10) / exact, 1, 0.02);
    // An impact is felt with every f: the light ball drops 1 m onto its end while the other is lighter still.
    for (const char* weight : {"0", "0.01", "0.5", "1"})
        EXPECT_LT(seesaw(kShock + "+weight=" + weight, 0.5, 1, 60, 1), -0.5) << weight;
}

TEST(SpecShock, T22_no_ripples) {
    const bool all = is_long();
    const StackResult o =
        Watch(brick_tower(all ? 40 : 8, kShock + "+weight=0.05", 0.1, all ? 16 : 8)).run(all ? 20 : 3);
    EXPECT_LT(o.depth, 0.01);
    EXPECT_LT(o.speed, 0.2);
}

TEST(SpecShock, T33_deep_overlaps_come_apart) {
    // Boxes thrown into each other at random: no speed comes of it beyond that of a fall from the top.
    for (const char* method : {"erleben+sleep=off", "erleben+sleep=off+shock=off"}) {
        Scene scene = stone_floor(method, 0, 0.5);
        Rng rng(33, 1);
        for (int k = 0; k < (is_long() ? 60 : 20); ++k) {
            const double x = rng.uniform(-1, 1);
            const double y = rng.uniform(0.3, 2.5);
            const double z = rng.uniform(-1, 1);
            scene.bodies.push_back(some_body(numbered("b", k), Box{{0.6, 0.5, 0.4}}, {x, y, z}));
            const double i = rng.uniform(-1, 1);
            const double j = rng.uniform(-1, 1);
            scene.bodies.back().orientation = normalized(Quat{1, i, j, 0});
        }
        World world(scene);
        double before = 0, speed = 0;
        for (int k = 0; k < 200; ++k) {
            ASSERT_TRUE(world.step().ok);
            if (k == 0) before = world.frame().max_penetration;
            for (const Vec3& v : world.frame().velocities) speed = std::max(speed, length(v));
        }
        EXPECT_LT(world.frame().max_penetration, 0.01 * 0.4) << method;  // from
        EXPECT_GT(before, world.frame().max_penetration);
        EXPECT_LT(speed, std::sqrt(2 * 9.81 * 6)) << method;
    }
}

TEST(SpecShock, T31_elastic_stacks_do_not_explode) {
    // At rest, and let fall with gaps.
    for (const double gap : {0.0, 0.05}) {
        Scene scene = box_stack(is_long() ? 25 : 8, kShock, 1);
        for (std::size_t k = 1; k < scene.bodies.size(); ++k)
            scene.bodies[k].position.y += gap * static_cast<double>(k);
        World world(scene);
        const double first = world.frame().energy.total;
        double most = first;
        for (int k = 0; k < (is_long() ? 1000 : 300); ++k) {
            ASSERT_TRUE(world.step().ok);
            most = std::max(most, world.frame().energy.total);
        }
        EXPECT_LT(most, 1.01 * first) << gap;
    }
}

// The scenes of interactive size, small: they run, and stay together. Times at full size: T32 of the
// benchmark.
TEST(SpecShock, T32_swept_balls_and_a_silo) {
    World swept(swept_balls(is_long() ? 2000 : 60, "erleben"));
    for (int k = 0; k < 200; ++k) {
        swept.apply(blade_motion(swept));
        ASSERT_TRUE(swept.step().ok);
        EXPECT_LT(swept.frame().max_penetration, 0.02 * 0.25) << k;
    }
    double pushed = 0;  // by the blade, and no faster than it
    for (const Vec3& v : swept.frame().velocities) pushed = std::max(pushed, length(v));
    EXPECT_GT(pushed, 1);
    EXPECT_LT(pushed, 2 * 5.5);

    World shaft(is_long() ? silo(3000, kSiloMethod) : silo(200, kSiloMethod, 5));
    const double first = shaft.frame().energy.total;
    for (int k = 0; k < (is_long() ? 400 : 100); ++k) {
        ASSERT_TRUE(shaft.step().ok);
        EXPECT_LT(shaft.frame().energy.total, first * (1 + 1e-9)) << k;
    }
    for (const Vec3& x : shaft.frame().positions) EXPECT_GE(x.y, 0);
    EXPECT_LT(shaft.frame().max_penetration, 0.02 * 0.25);
}

}  // namespace
}  // namespace impuls
