// Example scenes of basis joints, curves, surfaces and guides, each against what its comment says.
#include "scenes/example.h"

namespace impuls {
namespace {

const AxisState& first_axis(World& world) {
    return world.frame().axes.at(0);
}

Vec3 spin_of(const World& world, const std::string& body) {
    return world.angular_velocity(world.find_body(body));
}

TEST(Example, ParallelRuler) {
    World world = open_example("parallel-ruler");
    run_to_end(world);
    const double t = world.time(), late = t - 0.2;
    EXPECT_LT(length(position(world, "ruler") - Vec3{1.5 * late, 2 - 0.5 * kG * t * t + 2 * late, 0}), 1e-9);
    EXPECT_LT(length(spin_of(world, "ruler")), 1e-12);
    EXPECT_LT(length(direction(world, "ruler", {1, 0, 0}) - Vec3{1, 0, 0}), 1e-6);
}

TEST(Example, FlyingGyro) {
    World world = open_example("flying-gyro");
    const double inertia = 0.5 * 0.2 * 0.2;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double t = world.time();
        ASSERT_LT(length(position(world, "disc") - Vec3{2 * t, 1 + 6 * t - 0.5 * kG * t * t, t}), 1e-9);
        ASSERT_LT(length(direction(world, "disc", {0, 1, 0}) - Vec3{0, 1, 0}), 1e-6);
        ASSERT_NEAR(first_axis(world).velocity, 8 - 0.02 / inertia * t, 1e-6);
    }
}

TEST(Example, FixedAngle) {
    World world = open_example("fixed-angle");
    const Vec3 start{std::sin(1.0), std::cos(1.0), 0};
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double e = 2 * world.time();
        const Vec3 expected{std::sin(1.0) * std::cos(e), std::cos(1.0), -std::sin(1.0) * std::sin(e)};
        ASSERT_LT(length(direction(world, "ball", start) - expected), 1e-3);
        ASSERT_NEAR(length(spin_of(world, "ball")), length(Vec3{5 * start.x, 2 + 5 * start.y, 0}), 1e-3);
    }
}

TEST(Example, RollerCoaster) {
    World world = open_example("roller-coaster");
    double highest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double drop = 5 - position(world, "car").y, v = length(velocity(world, "car"));
        ASSERT_NEAR(0.5 * v * v, kG * drop, 0.01 * kG);
        ASSERT_NEAR(first_axis(world).velocity, v, 1e-6 * v);
        ASSERT_LT(world.frame().max_joint_error, 1e-6);
        if (position(world, "car").x > 5.5) highest = std::max(highest, position(world, "car").y);
    }
    EXPECT_NEAR(highest, 2.5, 0.1);
    EXPECT_GT(position(world, "car").x, 14);
    EXPECT_NEAR(velocity(world, "car").z / velocity(world, "car").x,
                (position(world, "car").z - 0) / (position(world, "car").x - 13), 1e-6);
}

TEST(Example, Bowl) {
    World world = open_example("bowl");
    const double a = 1, c = 0.7, r = 0.6, root = std::sqrt(1 - r * r / a / a);
    const double w = std::sqrt(kG * c / (a * a * root));
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double e = w * world.time();
        ASSERT_LT(length(position(world, "marble") - Vec3{r * std::cos(e), -c * root, -r * std::sin(e)}),
                  1e-3);
    }
    // The bowl bears weight and centripetal force: m sqrt(g^2 + (w^2 r)^2).
    EXPECT_NEAR(length(world.frame().joints[0].force), mass(world, "marble") * std::hypot(kG, w * w * r),
                1e-3 * mass(world, "marble") * kG);
}

TEST(Example, RingTrack) {
    World world = open_example("ring-track");
    const double m = mass(world, "runner");
    double upper = 0, lower = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const Vec3 p = position(world, "runner");
        ASSERT_NEAR(std::hypot(std::hypot(p.x, p.z) - 1, p.y), 0.25, 1e-6);
        ASSERT_NEAR(length(velocity(world, "runner")), std::hypot(0.5, 2), 2e-3);
        ASSERT_NEAR(cross(p, velocity(world, "runner")).y, 2.5, 1e-6) << m;
        upper = std::max(upper, p.y), lower = std::min(lower, p.y);
    }
    EXPECT_GT(upper, 0.03);
    EXPECT_LT(lower, -0.03);
    EXPECT_LT(upper, 0.25);
}

TEST(Example, InTow) {
    World world = open_example("in-tow");
    const double friction = 0.4 * 10 * kG;
    ASSERT_NO_FATAL_FAILURE(run_to(world, 0.1));
    // At first the strong one pulls with all it has.
    EXPECT_NEAR(velocity(world, "near").x, (80 - friction) / 10 * 0.1, 0.02);
    run_to_end(world);
    EXPECT_LT(length(velocity(world, "near") - Vec3{0.5, 0, 0}), 1e-6);
    EXPECT_NEAR(world.frame().joints[0].force.x, friction, 0.01 * friction);
    EXPECT_LT(std::abs(position(world, "far").x), 1e-4);
    EXPECT_LE(length(world.frame().joints[1].force), 30 * (1 + 1e-9));
}

TEST(Example, Hand) {
    World world = open_example("hand");
    double strongest = 0;
    while (world.time() < 3 - 1e-9) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const Frame& frame = world.frame();
        ASSERT_LT(frame.max_joint_error, 1e-6);
        ASSERT_LE(length(frame.joints.back().force), 150 * (1 + 1e-9));
        strongest = std::max(strongest, length(frame.joints.back().force));
    }
    EXPECT_GT(strongest, 140);
    EXPECT_LT(length(pose(world, "link[3]") * Vec3{} - Vec3{0.5, -0.8, 0.3}), 1e-3);
    run_to_end(world);
    EXPECT_LT(world.frame().max_joint_error, 1e-5);
    EXPECT_GT(length(position(world, "link[3]") - Vec3{0.5, -0.8, 0.3}), 0.1);
}

}  // namespace
}  // namespace impuls
