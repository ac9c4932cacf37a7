// Example scenes of the laws of contact: static, rolling and torsional friction, running surfaces, the
// friction pyramid, Poisson's restitution.
#include "scenes/example.h"

namespace impuls {
namespace {

// Slipping with mu g up to the speed of the belt; the heaviest parcel ends on the second belt and runs along
// z.
TEST(Example, RunningBelt) {
    World world = open_example("running-belt");
    const double v = 1.5, mu = 0.3;
    run_to(world, 0.3);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(velocity(world, numbered("parcels", k)).x, mu * kG * 0.3, 1e-6) << k;
        const double weight = (1 + 2 * k) * kG;
        EXPECT_LT(length(force_between(world, "belt", numbered("parcels", k)) - Vec3{mu * weight, weight, 0}),
                  1e-3 * weight);
    }
    run_to(world, 0.8);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(velocity(world, numbered("parcels", k)).x, v, 1e-6) << k;
    run_to_end(world);
    EXPECT_LT(length(velocity(world, "parcels[2]") - Vec3{0, 0, v}), 1e-2 * v);
    EXPECT_GT(position(world, "parcels[2]").z, 0.5);
    EXPECT_EQ(position(world, "belt"), (Vec3{0, -0.1, 0}));
}

TEST(Example, StaticFriction) {
    World world = open_example("static-friction");
    const double t = std::atan(0.4);
    const Vec3 down{std::cos(t), -std::sin(t), 0}, up{std::sin(t), std::cos(t), 0};
    run_to_end(world);
    EXPECT_LT(length(velocity(world, "blocks[0]")), 1e-9);
    const Vec3 force = force_between(world, "slope", "blocks[0]");
    EXPECT_NEAR(-dot(force, down), kG * std::sin(t), 1e-6 * kG);
    EXPECT_NEAR(dot(force, up), kG * std::cos(t), 1e-6 * kG);
    const double speed = 0.2 + kG * (std::sin(t) - 0.3 * std::cos(t)) * 1.0;
    EXPECT_NEAR(dot(velocity(world, "blocks[1]"), down), speed, 1e-2 * speed);
    EXPECT_NEAR(-dot(force_between(world, "slope", "blocks[1]"), down), 0.3 * kG * std::cos(t), 1e-6 * kG);
}

TEST(Example, RollingFriction) {
    World world = open_example("rolling-friction");
    const double r = 0.1, v = 1, c = 0.001;
    const auto slowing = [&](double arm) { return 5.0 / 7 * kG * arm / r; };
    run_to(world, 1);
    EXPECT_NEAR(velocity(world, "steel").x, v - slowing(c), 1e-5);
    EXPECT_NEAR(velocity(world, "wood").x, v - slowing(2 * c), 1e-5);
    EXPECT_NEAR(world.angular_velocity(world.find_body("spinner")).y, 20 - 2.5 * kG * 0.0005 / (r * r), 1e-4);
    run_to_end(world);
    for (const auto& [name, arm] : {std::pair("rubber", 5 * c)}) {
        const double way = v * v / (2 * slowing(arm));
        EXPECT_LT(length(velocity(world, name)), 1e-9) << name;
        EXPECT_NEAR(position(world, name).x, way, 1e-2 * way) << name;
    }
    EXPECT_NEAR(velocity(world, "steel").x, v - slowing(c) * world.time(), 1e-4);
}

// Along a corner of the polygon mu g brakes, between two corners mu g / sqrt(2).
TEST(Example, FrictionPyramid) {
    World world = open_example("friction-pyramid");
    const double way = 2 * 2 / (2 * 0.4 * kG);
    run_to_end(world);
    for (int k = 0; k < 8; ++k) {
        const double expected = 0.3 + way * (k % 2 ? std::sqrt(2.0) : 1);
        const Vec3 p = position(world, numbered("pucks", k));
        EXPECT_NEAR(std::hypot(p.x, p.z), expected, 1e-2 * expected) << k;
        EXPECT_NEAR(std::atan2(p.z, p.x), std::remainder(k * kPi / 4, 2 * kPi), 1e-2) << k;
        EXPECT_LT(length(velocity(world, numbered("pucks", k))), 1e-6);
    }
}

TEST(Example, TwoRestitutions) {
    World world = open_example("two-restitutions");
    const double m = 2, moment = 0.1, r = 0.3, x = 0.12, e = 0.6, vn = -2, vt = -0.4;
    const double c = x * r / moment / (1 / m + r * r / moment);
    while (world.time() < 0.002) step(world);
    const auto normal_velocity = [&](const char* name) {
        return velocity(world, name).y + world.angular_velocity(world.find_body(name)).z * x;
    };
    EXPECT_NEAR(normal_velocity("newton"), -e * vn, 1e-2);
    EXPECT_NEAR(normal_velocity("poisson"), -e * (vn - c * vt), 1e-2);
}

}  // namespace
}  // namespace impuls
