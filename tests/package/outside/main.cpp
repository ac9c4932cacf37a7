// A user's first program: it must compile against the public headers alone, link and step.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>

int main() {
    impuls::Scene scene;
    scene.bodies.push_back({.name = "ball", .shape = impuls::Sphere{.radius = 0.5}, .position = {0, 10, 0}});
    impuls::World world(scene);
    while (world.steps() < 100 && world.step().ok) {
    }
    const double height = world.pose(world.find_body("ball")).position.y;
    std::printf("after %g s at %.9f m\n", world.time(), height);
    return std::fabs(height - (10 - 0.5 * 9.81)) < 1e-9 ? 0 : 1;
}
