// A sphere that lands while moving: friction acts at the touch, with the sphere's radius as lever.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/world.h"

namespace impuls {
namespace {

// With enough friction the impact ends in rolling: v' = 5/7 v, w' = v'/r.
TEST(FrictionImpact, landing_sphere_rolls_at_five_sevenths) {
    for (const double height : {0.05, 0.3, 0.71}) {
        Scene scene;
        MaterialDesc rough;
        rough.name = "rough", rough.friction = 1;
        scene.materials.push_back(rough);
        BodyDesc ground, ball;
        ground.name = "ground", ground.kind = BodyKind::Static, ground.shape = Plane{},
        ground.material = "rough";
        ball.name = "ball", ball.shape = Sphere{0.5}, ball.position = {0, 0.5 + height, 0};
        ball.velocity = {1, 0, 0}, ball.material = "rough";
        scene.bodies = {ground, ball};
        World world(scene);
        while (world.time() < 1) world.step();
        const BodyId id = world.find_body("ball");
        EXPECT_NEAR(world.velocity(id).x, 5.0 / 7, 1e-9) << height;
        EXPECT_NEAR(world.angular_velocity(id).z, -5.0 / 7 / 0.5, 1e-9) << height;
    }
}

}  // namespace
}  // namespace impuls
