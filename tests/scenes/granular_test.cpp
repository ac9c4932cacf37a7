// The examples with grains do what they say.
#include <gtest/gtest.h>

#include "impuls/quantity.h"
#include "scenes/example.h"

namespace impuls {
namespace {

double grain_value(World& world, const char* name) {
    double out = 0;
    const Frame& frame = world.frame();
    find_quantity(name, *frame.structure, frame.groups).read(frame, &out);
    return out;
}

// They come to rest on the floor in the corner, and the floor bears their weight, but for what the walls
// bear.
TEST(Example, SandPour) {
    World world = open_example("sand-pour");
    while (world.time() < 0.45) ASSERT_TRUE(world.step().ok);
    EXPECT_GT(grain_value(world, "grains.position.y.min"), 0.003);
    EXPECT_LT(grain_value(world, "grains.overlap.max"), 0.05);
    EXPECT_GT(grain_value(world, "grains.contacts.mean"), 1.0);
    EXPECT_LT(grain_value(world, "grain_walls[0].force.y"), 0.0);
    EXPECT_TRUE(world.warnings().empty());
}

// Nothing leaves before the slide goes; then most of it does, and comes to rest.
TEST(Example, Hopper) {
    World world = open_example("hopper");
    while (world.time() < 0.25) ASSERT_TRUE(world.step().ok);
    EXPECT_GT(grain_value(world, "grains.position.y.min"), 0.0);
    while (world.time() < 0.8) ASSERT_TRUE(world.step().ok);
    EXPECT_LT(grain_value(world, "grains.position.y.mean"), -0.05);
    EXPECT_LT(grain_value(world, "grains.energy.sum"), 1e-6);  // J, of 0.09 J in the fall
    EXPECT_TRUE(world.warnings().empty());
}

}  // namespace
}  // namespace impuls
