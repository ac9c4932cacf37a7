// Examples with bodies of particles.
#include <algorithm>
#include <cmath>

#include "scenes/example.h"

namespace impuls {
namespace {

double stretch_of(World& world, const std::string& body) {
    const Frame& frame = world.frame();
    for (const ParticleBody& p : frame.particle_bodies)
        if (frame.structure->bodies[p.body].name == body) return p.stretch;
    return -1;
}

TEST(Example, BallInNet) {
    World world = open_example("ball-in-net");
    run_to(world, kIsSlowBuild ? 0.6 : duration(world));
    double weight = 0;
    for (int k = 0; k < 3; ++k) {
        EXPECT_GT(position(world, numbered("balls", k)).y, -0.3) << k;
        EXPECT_LT(length(velocity(world, numbered("balls", k))), 3) << k;
        weight += force_between(world, "net", numbered("balls", k)).y;
    }
    EXPECT_GT(weight, 0) << "the net carries";
    EXPECT_GT(stretch_of(world, "net"), 1e-3);
    EXPECT_LT(stretch_of(world, "net"), 0.2);
}

TEST(Example, ClothOnBall) {
    World world = open_example("cloth-on-ball");
    double most = 0;
    const double end = kIsSlowBuild ? 0.3 : duration(world);
    while (world.time() < end - 0.5 * world.dt()) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        most = std::max(most, stretch_of(world, "cloth"));
    }
    EXPECT_LT(most, 0.01);
    double lowest = 1;
    for (const ParticleState& p : world.frame().particles) {
        EXPECT_GT(length(p.position - Vec3{0, 0.2, 0}), 0.35) << "inside the ball";
        lowest = std::min(lowest, p.position.y);
    }
    EXPECT_LT(lowest, kIsSlowBuild ? 0.62 : 0.35) << "corners hang down";
}

TEST(Example, Tablecloth) {
    World world = open_example("tablecloth");
    double most = 0;
    while (world.time() < duration(world) - 0.5 * world.dt()) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        most = std::max(most, stretch_of(world, "cloth"));
        for (const Outcome& o : world.outcomes()) EXPECT_EQ(o.stepper, IslandStepper::Strips);
    }
    EXPECT_LT(most, 0.015);
    double lowest = 1;
    for (const ParticleState& p : world.frame().particles) {
        lowest = std::min(lowest, p.position.y);
        const bool is_on_top = std::hypot(p.position.x, p.position.z) < 0.45;
        EXPECT_TRUE(!is_on_top || p.position.y > 0.685) << "in the table";
    }
    EXPECT_LT(lowest, 0.4) << "it hangs over the edge";
}

TEST(Example, RopeBridge) {
    World world = open_example("rope-bridge");
    run_to(world, kIsSlowBuild ? 0.3 : duration(world));
    EXPECT_GT(position(world, "ball").y, -1) << "it lies on the bridge";
    EXPECT_LT(std::abs(position(world, "ball").x), 1);
    EXPECT_LT(stretch_of(world, "ropes[0]"), 1e-3);
    EXPECT_LT(stretch_of(world, "ropes[1]"), 1e-3);
    EXPECT_LT(world.frame().max_joint_error, 1e-3);
}

}  // namespace
}  // namespace impuls
