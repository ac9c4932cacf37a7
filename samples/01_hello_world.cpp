// Build a scene in code, drop a ball, and compare its height with y(t) = y0 - g t^2 / 2.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>

using namespace impuls;

int main() {
    // A Scene is plain data: every field has a default, so you write only what differs.
    Scene scene;
    scene.settings.dt = 0.01;

    BodyDesc ball;
    ball.name = "ball";
    ball.shape = Sphere{.radius = 0.1};
    ball.position = {0, 10, 0};
    scene.bodies.push_back(ball);

    BodyDesc ground;
    ground.name = "ground";
    ground.kind = BodyKind::Static;
    ground.shape = Plane{};
    scene.bodies.push_back(ground);

    // A World is built from the scene; it checks everything first and throws InputError if something is
    // wrong.
    World world(scene);
    const BodyId id = world.find_body("ball");

    double worst = 0;
    std::printf("  t [s]   height [m]   analytic [m]\n");
    for (int step = 1; step <= 100; ++step) {
        const StepStatus status = world.step();
        if (!status.ok) return std::printf("stopped: %s\n", status.message.c_str()), 1;

        const double t = world.time();
        const double height = world.pose(id).position.y;
        const double analytic = 10 - 0.5 * 9.81 * t * t;
        worst = std::fmax(worst, std::fabs(height - analytic));
        if (step % 20 == 0) std::printf("%7.2f %12.6f %14.6f\n", t, height, analytic);
    }

    // Translation under a constant force is exact, so only rounding is left.
    std::printf("largest difference: %.1e m\n", worst);
    return worst < 1e-12 ? 0 : 1;
}
