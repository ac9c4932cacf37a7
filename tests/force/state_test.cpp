// History is state: the same bits on any number of threads, with and without caches, from a checkpoint on and
// in a branch; and steps take no memory once warm.
#include <memory>

#include "impuls/executor.h"
#include "scene_of.h"
#include "support/counting_new.h"

namespace impuls::at_force_level {
namespace {

// Some of everything: bounces, friction, a joint with a limit, springs with an interval.
Scene mixed(const std::string& extra) {
    Scene scene = scene_of("+tolerance=1e-7" + extra);
    scene.materials[0].restitution = 0.5;
    scene.materials[0].friction = 0.3;
    add_floor(scene);
    for (int k = 0; k < 3; ++k)
        add(scene, "ball" + std::to_string(k), Sphere{0.1}, {0.15 * k, 0.15 + 0.3 * k, 0.05 * k},
            {0.5, 0, 0});
    add(scene, "box", Box{{0.2, 0.2, 0.2}}, {3, 0.15, 0}, {1, 0, 0}).angular_velocity = {0, 1, 2};
    add(scene, "rod", Box{{0.5, 0.05, 0.05}}, {-2, 1, 0});
    HingeJoint hinge;
    hinge.anchor = {-2.25, 1, 0};
    hinge.axis = {0, 0, 1};
    hinge.turn.lower = -0.7;
    hinge.turn.restitution = 0.5;
    add_joint(scene, "", "rod", hinge);
    SpringForce spring;
    spring.anchor_b = {3, 0.15, 0};
    spring.anchor_a = {4, 1, 0};
    spring.stiffness = 20;
    add_force(scene, "", "box", spring, 0.033, 0.151);
    return scene;
}

const char* const kMethods[]{"",
                             "+integrator=gear+substeps=20",
                             "+integrator=rosenbrock+tolerance=1e-4",
                             "+integrator=verlet+substeps=20",
                             "+friction_law=bristle",
                             "+friction_law=bristle+integrator=gear+substeps=20"};

TEST(ForceLevelState, does_not_depend_on_threads_caches_or_checkpoints) {
    for (const char* method : kMethods) {
        const Scene scene = mixed(method);
        World one(scene, std::make_shared<Executor>(1)), four(scene, std::make_shared<Executor>(4)),
            later(scene);
        const int steps = is_long() ? 100 : 25;
        for (int k = 0; k < steps; ++k) {
            ASSERT_TRUE(one.step().ok);
            four.drop_caches();
            ASSERT_TRUE(four.step().ok);
            ASSERT_EQ(one.state_hash(), four.state_hash()) << method << ' ' << k;
            if (k == steps / 2) {
                later.restore(one.checkpoint());
                EXPECT_EQ(later.state_hash(), one.state_hash());
            }
            if (k > steps / 2) {
                ASSERT_TRUE(later.step().ok);
                ASSERT_EQ(later.state_hash(), one.state_hash()) << method << ' ' << k;
            }
        }
    }
}

// Balls that bounce, slide and rest, and a chain on hinges.
TEST(ForceLevelState, steps_take_no_memory_once_warm) {
    Scene scene = scene_of("+tolerance=1e-6");
    scene.settings.gravity = {0, -kG, 0};
    scene.materials[0].restitution = 0.9;
    scene.materials[0].friction = 0.3;
    add_floor(scene);
    for (int k = 0; k < 3; ++k)
        add(scene, "ball" + std::to_string(k), Sphere{0.1}, {0.5 * k, 0.3 + 0.1 * k, 0});
    for (int k = 0; k < 2; ++k) {
        add(scene, "rod" + std::to_string(k), Box{{0.5, 0.05, 0.05}}, {-2 + 0.5 * k, 3, 0}).collides = false;
        HingeJoint hinge;
        hinge.anchor = {-2.25 + 0.5 * k, 3, 0};
        hinge.axis = {0, 0, 1};
        add_joint(scene, k > 0 ? "rod0" : "", "rod" + std::to_string(k), hinge);
    }
    World world(scene);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(world.step().ok);
    const long before = allocations;
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(allocations - before, 0);
}

// Scaled lengths, speeds and gravity give the same bits, scaled.
TEST(ForceLevelState, has_no_scale) {
    const auto end = [](double s) {
        Scene scene = scene_of("+tolerance=1e-7");
        scene.settings.gravity = {0, -kG * s, 0};
        scene.materials[0].restitution = 0.5;
        scene.materials[0].friction = 0.3;
        add_floor(scene);
        add(scene, "ball", Sphere{0.1 * s}, {0, 0.2 * s, 0}, {0.5 * s, 0, 0});
        Watched w(scene);
        w.run(0.5);
        return w.at("ball") / s;
    };
    const Vec3 usual = end(1), large = end(128), small = end(1.0 / 128);
    EXPECT_EQ(usual, large);
    EXPECT_EQ(usual, small);
}

// A jump by command makes the integrator start afresh.
TEST(ForceLevelState, commands_between_steps_count) {
    Scene scene = scene_of("+integrator=gear+substeps=10");
    scene.settings.gravity = {};
    add(scene, "ball", Sphere{0.1}, {1, 0, 0});
    SpringForce spring;
    spring.anchor_b = {1, 0, 0};
    spring.stiffness = 100;
    spring.length = 0.9;
    add_force(scene, "", "ball", spring);
    Watched w(scene);
    w.run(0.1);
    SetBody stop;
    stop.body = "ball";
    stop.velocity = Vec3{};
    w.world.apply(stop);
    const Vec3 at = w.at("ball");
    w.run(0.2);
    const double x = 0.9 + (at.x - 0.9) * std::cos(10 * 0.1);
    EXPECT_NEAR(w.at("ball").x, x, 1e-6);
}

TEST(ForceLevelState, bad_methods_are_refused) {
    EXPECT_THROW(parse_method("default+integrator=gear"), InputError);
    EXPECT_THROW(parse_method("default+stepper=force+integrator=rk4"), InputError);
    EXPECT_THROW(parse_method("default+impacts=sequential"), InputError);
    EXPECT_EQ(resolve(parse_method("default+stepper=force")).integrator, Integrator::DormandPrince);
    EXPECT_TRUE(resolve(parse_method("aero")).is<ForceMethod>());
    EXPECT_EQ(resolve(parse_method("aero+stepper=impulse")).integrator, Integrator::SemiImplicit);
}

}  // namespace
}  // namespace impuls::at_force_level
