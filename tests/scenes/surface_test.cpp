// Example scenes of shapes on surfaces.
#include "scenes/example.h"

namespace impuls {
namespace {

TEST(Example, AtRest) {
    World world = open_example("at-rest");
    run_to_end(world);
    const double weight = 2 * kG;
    for (const char* name : {"cylinder", "lying", "cone", "ellipsoid", "octahedron", "tetrahedron"}) {
        SCOPED_TRACE(name);
        EXPECT_LT(length(velocity(world, name)), 1e-3);
        EXPECT_NEAR(force_between(world, "floor", name).y, weight, 1e-2 * weight);
    }
    EXPECT_NEAR(position(world, "cylinder").y, 0.4, 1e-3);
    EXPECT_NEAR(position(world, "lying").y, 0.3, 1e-3);
    EXPECT_NEAR(position(world, "cone").y, 0.4, 1e-3);
    EXPECT_NEAR(position(world, "ellipsoid").y, 0.2, 1e-3);
    EXPECT_NEAR(position(world, "octahedron").y, 0.5 / std::sqrt(3.0), 1e-3);
    EXPECT_NEAR(position(world, "tetrahedron").y, 0, 2e-3);
}

TEST(Example, Surfaces) {
    World world = open_example("surfaces");
    double highest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 3; ++k) highest = std::max(highest, position(world, numbered("boxes", k)).y);
    }
    EXPECT_LT(highest, 0.1 + 1e-5);
    for (int k = 0; k < 3; ++k) {
        const std::string name = numbered("boxes", k);
        EXPECT_NEAR(position(world, name).x, -1 + 4 / (2 * 0.2 * kG), 2e-3) << name;
        EXPECT_NEAR(position(world, name).z, -2.0 + 2 * k, 1e-4) << name;
        EXPECT_LT(length(velocity(world, name)), 1e-6) << name;
    }
}

// Thrown flat over the post, each ring keeps it in its hole: the inner radius is 0.16 m, the post's 0.05 m.
TEST(Example, RingToss) {
    World world = open_example("ring-toss");
    run_to_end(world);
    double carried = 0;
    for (int k = 0; k < 4; ++k) {
        const std::string name = numbered("rings", k);
        SCOPED_TRACE(name);
        const Vec3 p = position(world, name);
        EXPECT_LT(std::hypot(p.x, p.z), 0.16 - 0.05 + 0.01);
        EXPECT_GT(p.y, 0.05);
        EXPECT_LT(p.y, 0.8);
        EXPECT_LT(length(velocity(world, name)), 1e-3);
        carried += force_between(world, "floor", name).y + force_between(world, "post", name).y;
    }
    EXPECT_NEAR(carried, 4 * 0.5 * kG, 0.01 * 4 * 0.5 * kG);
}

}  // namespace
}  // namespace impuls
