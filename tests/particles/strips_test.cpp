// Worlds whose ropes and sheets are advanced by the stepper of strips (method fast): who takes what, weight,
// friction, momentum, a catenary, bits, and agreement with the impulse stepper.
#include <cmath>
#include <memory>

#include "particle_worlds.h"

namespace impuls {
namespace {

Scene fast(Scene scene) {
    scene.settings.method = parse_method("fast");
    return scene;
}

// Of the one island there is.
IslandStepper stepper_of(World& world) {
    return world.outcomes().empty() ? IslandStepper::Blocks : world.outcomes()[0].stepper;
}

Scene sheet_on_floor(const Vec3& velocity) {
    Sheet sheet{.width = 0.5, .depth = 0.5, .columns = 5, .rows = 5, .radius = 0.01, .pins = {}};
    BodyDesc body = soft_body("sheet", sheet, 0.5, {0, 0.01, 0});
    body.velocity = velocity;
    Scene scene = scene_with({body, floor_at(0)});
    scene.materials = {MaterialDesc{.name = "cotton", .friction = 0.4}};
    for (BodyDesc& b : scene.bodies) b.material = "cotton";
    return fast(scene);
}

TEST(Strips, take_islands_with_particles_under_the_method_fast) {
    World world(sheet_on_floor({}));
    advance(world, 0.05);
    EXPECT_EQ(stepper_of(world), IslandStepper::Strips);
    Scene other = sheet_on_floor({});
    other.settings.method = parse_method("default");
    World by_rows(other);
    advance(by_rows, 0.05);
    EXPECT_EQ(stepper_of(by_rows), IslandStepper::Impulse);
}

TEST(Strips, floor_carries_the_weight) {
    World world(sheet_on_floor({}));
    advance(world, 1);
    Vec3 sum{};
    for (const Contact& c : world.frame().contacts) sum += c.force;
    EXPECT_NEAR(std::abs(sum.y), 0.5 * 9.81, 1e-6);
    EXPECT_EQ(world.frame().contacts.size(), 36u);
    for (const ParticleState& p : world.frame().particles) EXPECT_NEAR(p.position.y, 0.01, 1e-9);
}

TEST(Strips, sheet_slides_as_far_as_friction_lets_it) {
    World world(sheet_on_floor({2, 0, 0}));
    const double start = world.pose(world.find_body("sheet")).position.x;
    advance(world, 1);
    EXPECT_NEAR(world.pose(world.find_body("sheet")).position.x - start, 4 / (2 * 0.4 * 9.81), 0.005);
}

TEST(Strips, momentum_of_sheet_and_ball_is_kept) {
    Sheet sheet{.width = 1, .depth = 1, .columns = 8, .rows = 8, .radius = 0.01, .pins = {}};
    BodyDesc ball = soft_body("ball", Sphere{0.1}, 0.7, {0.06, 0.3, -0.03});
    ball.velocity = {0.3, -3, 0.1};
    World world(fast(scene_with({soft_body("sheet", sheet, 0.5), ball}, {})));
    const auto momentum = [&] {
        Vec3 sum = world.velocity(world.find_body("ball")) * 0.7;
        return sum + world.velocity(world.find_body("sheet")) * 0.5;
    };
    const Vec3 before = momentum();
    advance(world, 0.3);
    EXPECT_LE(length(momentum() - before), 1e-10 * length(before));
    EXPECT_GT(world.velocity(world.find_body("sheet")).y, -3);
    EXPECT_LT(world.velocity(world.find_body("sheet")).y, -0.3) << "they met";
}

TEST(Strips, rope_hangs_as_a_catenary) {
    Rope rope{.from = {-0.5, 0, 0},
              .to = {0.5, 0, 0},
              .length = 1.25,
              .pieces = 32,
              .radius = 0.005,
              .pins = {0, -1}};
    BodyDesc body = soft_body("rope", rope, 0.1);
    body.linear_damping = 4;
    World world(fast(scene_with({body})));
    advance(world, 5);
    double low = 0.05, high = 100, lowest = 0;  // sinh(D / 2a) = S / 2a
    for (int i = 0; i < 200; ++i) {
        const double a = std::sqrt(low * high);
        (2 * a * std::sinh(0.5 / a) > 1.25 ? low : high) = a;
    }
    for (const ParticleState& p : world.frame().particles) lowest = std::min(lowest, p.position.y);
    EXPECT_NEAR(-lowest / (low * (std::cosh(0.5 / low) - 1)), 1, 5e-3);
}

Scene everything() {
    Sheet sheet{.width = 1, .depth = 1, .columns = 10, .rows = 10, .radius = 0.02, .pins = {0, 10, 110, 120}};
    BodyDesc ball = soft_body("ball", Sphere{0.15}, 0.5, {0.07, 0.6, 0.03});
    return fast(scene_with({soft_body("sheet", sheet, 0.5), ball, floor_at(-1)}));
}

TEST(Strips, a_ball_on_a_sheet_is_carried_and_not_thrown) {
    World world(everything());
    double highest = 0;
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(world.step().ok);
        if (world.time() > 0.6) highest = std::max(highest, world.pose(world.find_body("ball")).position.y);
        for (const ParticleBody& p : world.frame().particle_bodies) EXPECT_LT(p.stretch, 0.05);
    }
    EXPECT_LT(highest, 0.6);
    EXPECT_GT(world.pose(world.find_body("ball")).position.y, -0.5);
}

TEST(Strips, have_the_same_bits_whatever_the_threads_caches_and_checkpoints) {
    World one(everything(), std::make_shared<Executor>(1)), many(everything(), std::make_shared<Executor>(3));
    World dropped(everything()), restored(everything());
    for (int i = 0; i < 70; ++i) {
        for (World* world : {&one, &many, &dropped}) ASSERT_TRUE(world->step().ok);
        dropped.drop_caches();
        if (i == 40) restored.restore(one.checkpoint());
        if (i > 40) {
            ASSERT_TRUE(restored.step().ok);
        }
        ASSERT_EQ(one.state_hash(), many.state_hash()) << i;
        ASSERT_EQ(one.state_hash(), dropped.state_hash()) << i;
        if (i >= 40) {
            ASSERT_EQ(one.state_hash(), restored.state_hash()) << i;
        }
    }
}

}  // namespace
}  // namespace impuls
