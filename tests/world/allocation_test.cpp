// No heap allocation inside World::step once warm.
#include <gtest/gtest.h>

#include "impuls/world.h"
#include "mixed_scene.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

long allocations_in(World& world, int steps) {
    const long before = allocations;
    for (int k = 0; k < steps; ++k) world.step();
    return allocations - before;
}

TEST(Allocation, counter_counts) {
    const long before = allocations;
    int* volatile p = new int(3);
    delete p;
    EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, none_in_a_step_of_a_settled_pile) {
    Scene scene = mixed_scene(1, false);
    std::erase_if(scene.bodies, [](const BodyDesc& b) { return b.name == "pusher"; });
    scene.bodies[0].surface_velocity = {};
    for (auto& b : scene.bodies) b.linear_damping = b.angular_damping = 1;  // so that it does settle
    World world(scene);
    allocations_in(world, 600);
    EXPECT_EQ(allocations_in(world, 200), 0);
}

TEST(Allocation, none_for_impacts_that_are_passed_on) {
    Scene scene;
    scene.settings.method.impacts = ImpactOrder::Propagating;
    scene.materials.emplace_back().name = "m";
    scene.materials[0].restitution = 1, scene.materials[0].friction = 0;
    BodyDesc b;
    b.name = "ground", b.kind = BodyKind::Static, b.shape = Plane{}, b.material = "m";
    scene.bodies.push_back(b);
    for (int k = 0; k < 6; ++k) {
        b.name = "b" + std::to_string(k), b.kind = BodyKind::Dynamic, b.shape = Sphere{0.5};
        b.position = {k % 2 ? 1.0 : 0.0, 1 + 1.01 * (k / 2), 0};
        scene.bodies.push_back(b);
    }
    World world(scene);
    allocations_in(world, 400);
    EXPECT_EQ(allocations_in(world, 200), 0);
}

TEST(Allocation, none_for_free_bodies) {
    Scene scene;
    for (int k = 0; k < 200; ++k) {
        BodyDesc b;
        b.name = "b" + std::to_string(k), b.shape = Box{{0.5, 0.3, 0.2}};
        b.position = {2.0 * (k % 10), 2.0 * (k / 10), 0}, b.angular_velocity = {1, 2, 3};
        scene.bodies.push_back(b);
    }
    World world(scene);
    allocations_in(world, 20);
    EXPECT_EQ(allocations_in(world, 100), 0);
}

}  // namespace
}  // namespace impuls
