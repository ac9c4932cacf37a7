// Islands advanced by blocks (steppers/blocks): the promises of every step, and physics against closed
// forms and against the impulse stepper, which is the slow oracle.
#include <gtest/gtest.h>

#include <cmath>

#include "block_scenes.h"
#include "mixed_scene.h"
#include "running.h"
#include "support/counting_new.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

// The mixed scene without what blocks leave to the impulse stepper in contacts; its chain still is.
Scene blocks_scene(double scale = 1) {
    Scene scene = mixed_scene(scale);
    scene.settings.method = parse_method("fast");
    scene.contacts.clear();
    for (MaterialDesc& m : scene.materials) m.rolling_friction = m.torsional_friction = 0;
    return scene;
}

TEST(Blocks, do_not_depend_on_threads_caches_or_checkpoints) {
    World one(blocks_scene()), many(blocks_scene(), std::make_shared<Executor>(3));
    for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(one.step().ok);
        many.drop_caches();
        many.step();
        ASSERT_EQ(one.state_hash(), many.state_hash()) << k;
    }
    World back(blocks_scene());
    back.restore(one.checkpoint());
    for (int k = 0; k < 20; ++k) {
        one.step(), back.step();
        ASSERT_EQ(one.state_hash(), back.state_hash()) << k;
    }
}

// Large islands are shared among threads, colour by colour.
TEST(Blocks, a_large_island_has_the_same_bits_on_three_threads) {
    Scene scene = ground_scene(0.5, 0);
    for (int k = 0; k < (kSlowBuild ? 360 : 900); ++k)
        scene.bodies.push_back(
            cube("c" + std::to_string(k), {1.02 * (k % 30), 0.5 + 1.001 * ((k / 30) % 3), 1.02 * (k / 90)}));
    World one(scene), many(scene, std::make_shared<Executor>(3));
    for (int k = 0; k < 30; ++k) one.step(), many.step();
    EXPECT_EQ(one.state_hash(), many.state_hash());
}

TEST(Blocks, are_scale_free) {
    for (const double scale : {128.0, 1.0 / 128}) {
        World unit(blocks_scene()), scaled(blocks_scene(scale));
        for (int k = 0; k < 150; ++k) unit.step(), scaled.step();
        const Frame &f = scaled.frame(), &expected = unit.frame();
        for (std::size_t k = 0; k < f.positions.size(); ++k) {
            EXPECT_EQ(f.positions[k], expected.positions[k] * scale) << k;
            EXPECT_EQ(f.orientations[k], expected.orientations[k]);
            EXPECT_EQ(f.velocities[k], expected.velocities[k] * scale);
        }
    }
}

TEST(Blocks, take_no_memory_once_warm) {
    Scene scene = damped_pile(32);
    scene.settings.method = parse_method("fast");
    for (MaterialDesc& m : scene.materials) m.rolling_friction = m.torsional_friction = 0;
    World world(scene);
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(world.step().ok);
    const long before = allocations;
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_EQ(allocations - before, 0);
}

// Forces of a tower with a heavy top against weights, and against the impulse stepper pair by pair.
TEST(Blocks, forces_carry_weights_and_agree_with_the_impulse_stepper) {
    const auto forces = [](const std::string& method) {
        Scene scene = ground_scene(0.5, 0, method);
        for (int k = 0; k < 6; ++k)
            scene.bodies.push_back(cube("c" + std::to_string(k), {0.02 * k, 0.5 + k, 0}, k == 5 ? 20 : 1));
        World world(scene);
        for (int k = 0; k < 600; ++k) world.step();
        std::vector<double> sum(6);
        for (const Contact& c : world.frame().contacts) sum[c.b - 1] += c.force.y;
        return sum;
    };
    const std::vector<double> blocks = forces("fast"), oracle = forces("default");
    double above = 20 * 9.81;
    for (std::size_t k = 6; k-- > 0; above += 9.81) {
        EXPECT_NEAR(blocks[k], above, 1e-4 * above) << k;
        EXPECT_NEAR(blocks[k], oracle[k], 1e-4 * above) << k;
    }
}

// Twenty cubes, the top one a hundred times as heavy, each a little beside and turned against the next:
// sequential impulses fall, springs of fixed stiffness are squashed.
TEST(Blocks, a_tower_with_a_heavy_top_stands) {
    Scene scene = ground_scene(0.5, 0);
    for (int k = 0; k < 20; ++k) {
        scene.bodies.push_back(
            cube("c" + std::to_string(k), {0.02 * (k % 3 - 1), 0.5 + k, 0.01 * (k % 2)}, k == 19 ? 100 : 1));
        scene.bodies.back().orientation = normalized(Quat{1, 0, 0.01 * (k % 4), 0});
    }
    World world(scene);
    const std::vector<Vec3> start = world.frame().positions;
    for (int k = 0; k < (kSlowBuild ? 600 : 3600); ++k) ASSERT_TRUE(world.step().ok);
    for (std::size_t k = 1; k < start.size(); ++k) {
        EXPECT_NEAR(world.frame().positions[k].y, start[k].y, 5e-3) << k;
        EXPECT_LT(length(world.frame().velocities[k]), kSlowBuild ? 1e-2 : 1e-3) << k;
        EXPECT_NEAR(world.frame().positions[k].x, start[k].x, 5e-3) << k;
    }
}

// Contacts that are kept while bodies hardly move: a box that is pushed slowly over an edge tips when it
// should. With N at the edge, the pusher's force F = mu N and its friction mu F on the rising face, W (x -
// 1/2) = mu F (1 - x) and N = W + mu F give x = 5/8 for mu = 1/2; it then takes a moment to turn.
TEST(Blocks, kept_contacts_are_given_up_in_time) {
    Scene scene = ground_scene(0.5, 0);
    scene.bodies.clear();
    BodyDesc ledge = cube("ledge", {0, 0, 0});
    ledge.kind = BodyKind::Static, ledge.mass.reset();
    scene.bodies.push_back(ledge);
    scene.bodies.push_back(cube("box", {0.3, 1, 0}));
    BodyDesc pusher = cube("pusher", {-0.72, 1, 0});
    pusher.kind = BodyKind::Kinematic, pusher.mass.reset(), pusher.velocity = {0.05, 0, 0};
    scene.bodies.push_back(pusher);
    World world(scene);
    double tipped_at = 0;
    for (int k = 0; k < 900 && tipped_at == 0; ++k) {
        ASSERT_TRUE(world.step().ok);
        if (std::abs(world.frame().angular_velocities[1].z) > 0.05) tipped_at = world.frame().positions[1].x;
    }
    EXPECT_GT(tipped_at, 0.625);
    EXPECT_LT(tipped_at, 0.65);
}

// mg sin = m a + mu m g cos, and below the angle of friction nothing moves.
TEST(Blocks, friction_slides_and_sticks_as_coulomb_says) {
    for (const double degrees : {20.0, 30.0, 45.0}) {
        const double angle = degrees * 3.14159265358979 / 180, mu = 0.5;
        Scene scene = ground_scene(mu, 0);
        scene.settings.gravity = Vec3{9.81 * std::sin(angle), -9.81 * std::cos(angle), 0};
        scene.bodies.push_back(cube("c", {0, 0.5, 0}));
        scene.bodies.back().orientation = normalized(Quat{1, 0, 0.3, 0});
        World world(scene);
        for (int k = 0; k < 120; ++k) world.step();
        const double a = std::max(0.0, 9.81 * (std::sin(angle) - mu * std::cos(angle)));
        EXPECT_NEAR(world.frame().velocities[1].x, 2 * a, 1e-3 * 9.81) << degrees;
        if (a == 0) {
            EXPECT_LT(std::abs(world.frame().positions[1].x), 5e-4);
        }
    }
}

TEST(Blocks, rolling_sphere) {
    const double angle = 0.3;
    Scene scene = ground_scene(0.5, 0);
    scene.settings.gravity = Vec3{9.81 * std::sin(angle), -9.81 * std::cos(angle), 0};
    BodyDesc ball = cube("ball", {0, 0.5, 0});
    ball.shape = Sphere{0.5};
    scene.bodies.push_back(ball);
    World world(scene);
    for (int k = 0; k < 120; ++k) world.step();
    const double a = 5.0 / 7 * 9.81 * std::sin(angle);
    EXPECT_NEAR(world.frame().velocities[1].x, 2 * a, 1e-3 * 2 * a);
    EXPECT_NEAR(world.frame().angular_velocities[1].z, -world.frame().velocities[1].x / 0.5, 1e-3 * 4 * a);
}

// Two balls of different size and mass meet off their centres, without weight, and stick while they touch:
// impulses -v_n/(1/m_a + 1/m_b) and v_t/(1/m_a + 1/m_b + R_a^2/I_a + R_b^2/I_b); momentum and angular
// momentum stay.
TEST(Blocks, balls_that_meet_off_their_centres) {
    Scene scene = ground_scene(5, 0);
    scene.settings.gravity = Vec3{};
    const double ra = 0.5, rb = 0.3, ma = 2, mb = 0.7, ia = 0.4 * ma * ra * ra, ib = 0.4 * mb * rb * rb;
    BodyDesc a = cube("a", {0, 10, 0}, ma), b = cube("b", {0, 10, 0}, mb);
    a.shape = Sphere{ra}, b.shape = Sphere{rb};
    const Vec3 n = normalized(Vec3{1, 0.4, -0.2}), v{-3, 0.5, 1};
    const double vn = dot(v, n), gap = 0.01;
    b.position += n * (ra + rb + gap) - (v - n * vn) * (gap / -vn);  // so that n is the normal at the touch
    b.velocity = v;
    scene.bodies.push_back(a), scene.bodies.push_back(b);
    World world(scene);
    const auto spin = [&] {
        const Frame& f = world.frame();
        return cross(f.positions[1], f.velocities[1] * ma) + cross(f.positions[2], f.velocities[2] * mb) +
               f.angular_velocities[1] * ia + f.angular_velocities[2] * ib;
    };
    const Vec3 spin_before = spin();
    for (int k = 0; k < 3; ++k) world.step();
    const Frame& f = world.frame();
    const Vec3 vt = v - n * vn;
    const double pn = -vn / (1 / ma + 1 / mb), kt = 1 / ma + 1 / mb + ra * ra / ia + rb * rb / ib;
    const Vec3 p = n * pn - vt / kt;  // on b
    EXPECT_LT(length(f.velocities[2] - (v + p / mb)), 0.01 * length(v));
    EXPECT_LT(length(f.velocities[1] + p / ma), 0.01 * length(v));
    EXPECT_LT(length(f.angular_velocities[1] - cross(n * ra, -p) / ia), 0.02 * length(v));
    EXPECT_LT(length(f.angular_velocities[2] - cross(n * -rb, p) / ib), 0.02 * length(v) / rb);
    EXPECT_LT(length(f.velocities[1] * ma + f.velocities[2] * mb - v * mb), 1e-6 * mb * length(v));
    // Levers are those of where the contact was found: off by the way along it in a step, at most.
    EXPECT_LT(length(spin() - spin_before), length(vt) * scene.settings.dt * length(p));
}

// A dropped ball comes back to e^2 of its height; the error is of the order g h / v, h being a substep.
TEST(Blocks, restitution_heights) {
    for (const double e : {0.0, 0.5, 0.8}) {
        Scene scene = ground_scene(0, e);
        BodyDesc ball = cube("ball", {0, 2.5, 0});
        ball.shape = Sphere{0.5};
        scene.bodies.push_back(ball);
        World world(scene);
        double highest = 0, lowest = 10;
        bool has_hit = false;
        for (int k = 0; k < 120; ++k) {
            world.step();
            const double v = world.frame().velocities[1].y, y = world.frame().positions[1].y - 0.5;
            has_hit |= v > 0 || y < 1e-3;
            lowest = std::min(lowest, y);
            if (has_hit) highest = std::max(highest, y + v * std::abs(v) / (2 * 9.81));
        }
        EXPECT_NEAR(highest, e * e * 2, 0.03 * 2) << e;
        EXPECT_GT(lowest, -2e-3);
    }
}

TEST(Blocks, momenta_are_kept_without_gravity) {
    constexpr int kDraws = 12;
    double sum = 0, turned_over = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
        Scene scene = ground_scene(0.4, 0.5);
        scene.settings.gravity = {};
        scene.bodies.clear();
        for (int k = 0; k < 27; ++k) {
            scene.bodies.push_back(
                cube("c" + std::to_string(k), {1.1 * (k % 3), 1.1 * (k / 3 % 3), 1.1 * (k / 9)}, 1 + k % 4));
            scene.bodies.back().velocity = Vec3{1.1, 1.1, 1.1} - scene.bodies.back().position;
            scene.bodies.back().orientation = normalized(Quat{3, 0.1 * k, 1, 0.2 + 0.01 * draw});
        }
        // Impulses act where the points were at the start of the step: a body whose momentum is turned over
        // once, a step's way off, is off by m v * v dt.
        turned_over = 0;
        for (const BodyDesc& b : scene.bodies)
            turned_over += *b.mass * length_squared(b.velocity) * scene.settings.dt;
        World world(scene);
        const Vec3 p = world.frame().linear_momentum, l = world.frame().angular_momentum;
        double energy = world.frame().energy.kinetic;
        for (int k = 0; k < 120; ++k) {
            ASSERT_TRUE(world.step().ok);
            EXPECT_LE(world.frame().energy.kinetic, energy * (1 + 1e-3)) << k;
            energy = world.frame().energy.kinetic;
        }
        EXPECT_LT(length(world.frame().linear_momentum - p), 1e-4);  // impulses are floats
        const double off = length(world.frame().angular_momentum - l);
        EXPECT_LT(off, 2 * turned_over) << draw;
        sum += off;
    }
    EXPECT_LT(sum / kDraws, turned_over);
}

// A turntable that turns steadily takes a box along.
TEST(Blocks, kinematic_bodies_turn_what_lies_on_them) {
    Scene scene = ground_scene(0.8, 0);
    scene.bodies.clear();
    BodyDesc table = cube("table", {0, 0, 0});
    table.kind = BodyKind::Kinematic, table.mass.reset(), table.shape = Box{{10, 1, 10}};
    table.angular_velocity = {0, 0.5, 0};
    scene.bodies.push_back(table);
    scene.bodies.push_back(cube("box", {2, 1, 0}));
    World world(scene);
    for (int k = 0; k < 180; ++k) world.step();
    const Frame& f = world.frame();
    EXPECT_NEAR(f.angular_velocities[1].y, 0.5, 1e-3);
    EXPECT_NEAR(length(f.velocities[1]), 0.5 * 2, 0.01);
    EXPECT_NEAR(f.velocities[0].y, 0, 1e-12);
}

// Many contacts with one turning body, on several threads.
TEST(Blocks, a_turning_table_has_the_same_bits_on_three_threads) {
    Scene scene = ground_scene(0.8, 0);
    scene.bodies.clear();
    BodyDesc table = cube("table", {0, 0, 0});
    table.kind = BodyKind::Kinematic, table.mass.reset(), table.shape = Box{{40, 1, 40}};
    table.angular_velocity = {0.1, 0.5, 0};
    scene.bodies.push_back(table);
    for (int k = 0; k < 400; ++k)
        scene.bodies.push_back(
            cube("c" + std::to_string(k), {1.001 * (k % 20) - 10, 1, 1.001 * (k / 20) - 10}));
    World one(scene), many(scene, std::make_shared<Executor>(3));
    for (int k = 0; k < 30; ++k) one.step(), many.step();
    EXPECT_EQ(one.state_hash(), many.state_hash());
}

TEST(Blocks, surfaces_that_run_carry_bodies) {
    Scene scene = ground_scene(0.5, 0);
    scene.bodies[0].surface_velocity = {1, 0, 0};
    scene.bodies.push_back(cube("box", {0, 0.5, 0}));
    World world(scene);
    for (int k = 0; k < 120; ++k) world.step();
    EXPECT_NEAR(world.frame().velocities[1].x, 1, 1e-3);
}

// What blocks do not know is left to the impulse stepper, bit for bit.
TEST(Blocks, leave_rolling_resistance_to_the_impulse_stepper) {
    const auto hash = [](const std::string& method, double rolling) {
        Scene scene = ground_scene(0.5, 0, method);
        scene.materials[0].rolling_friction = rolling;
        for (int k = 0; k < 8; ++k)
            scene.bodies.push_back(cube("c" + std::to_string(k), {0.3 * k, 0.6 + 1.1 * k, 0}));
        World world(scene);
        for (int k = 0; k < 60; ++k) world.step();
        return world.state_hash();
    };
    EXPECT_EQ(hash("fast", 0.01), hash("fast+stepper=impulse", 0.01));
    EXPECT_NE(hash("fast", 0), hash("fast+stepper=impulse", 0));
}

// A bullet among few bodies is swept by the impulse stepper: it does not pass a thin plate.
TEST(Blocks, a_bullet_does_not_pass_a_plate) {
    Scene scene = ground_scene(0.5, 0);
    scene.settings.gravity = {};
    BodyDesc plate = cube("plate", {5, 1, 0}, 100), bullet = cube("bullet", {0, 1, 0}, 0.01);
    plate.shape = Box{{0.01, 1, 1}}, bullet.shape = Sphere{0.005};
    bullet.velocity = {1000, 0, 0};
    scene.bodies.push_back(plate), scene.bodies.push_back(bullet);
    World world(scene);
    for (int k = 0; k < 10; ++k) world.step();
    EXPECT_LT(world.frame().positions[2].x, world.frame().positions[1].x);
}

}  // namespace
}  // namespace impuls
