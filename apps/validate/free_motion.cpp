// Laws of free motion: bodies that touch nothing.
//
// Free fall from rest: y(t) = y0 - g t^2 / 2, v(t) = -g t. The integrators advance translation exactly for a
// constant force, so only rounding is left, whatever the step.
#include "impuls/scene.h"
#include "impuls/world.h"
#include "validate/law_files.h"

namespace impuls {

std::vector<LawResult> check_free_fall() {
    constexpr double kHeight = 100, kSeconds = 4, kGravity = 9.81;
    Scene scene;
    scene.settings.gravity = {0, -kGravity, 0};
    scene.settings.dt = 0.01;
    BodyDesc ball;
    ball.name = "ball";
    ball.shape = Sphere{0.5};
    ball.position = {0, kHeight, 0};
    scene.bodies.push_back(ball);

    World world(scene);
    while (world.time() < kSeconds - 0.5 * world.dt()) {
        if (!world.step().ok) break;
    }
    const double t = world.time();
    const BodyId id = world.find_body("ball");
    const double fallen = kHeight - world.pose(id).position.y;
    const double speed = -world.velocity(id).y;
    return {
        law_result("free fall: distance", 0.5 * kGravity * t * t, fallen, 1e-12, world.dt(), "m, after 4 s"),
        law_result("free fall: speed", kGravity * t, speed, 1e-12, world.dt(), "m/s, after 4 s")};
}

}  // namespace impuls
