// The program of the tutorial (5-own-program.md): the motor of the crane stops when its ball has hit the wall.
// The page shows it from the first include on; a test compares the two.
#include <impuls/impuls.h>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) {
    const impuls::Scene scene = impuls::load_scene(argc > 1 ? argv[1] : "crane.json");
    impuls::World world(scene);
    const impuls::BodyId ball = world.find_body("ball");
    const double before = world.frame().energy.total;
    bool has_hit = false;
    double fastest = 0;
    while (world.time() < scene.settings.duration) {
        if (const impuls::StepStatus status = world.step(); !status.ok)
            return std::printf("stopped: %s\n", status.message.c_str()), 1;
        const double speed = impuls::length(world.velocity(ball));
        if (!has_hit && speed < 0.5 * fastest) {
            std::printf("the ball hits the wall at %.2f s, with %.2f m/s\n", world.time(), fastest);
            world.apply(impuls::SetAxis{.joint = "bearing", .axis = "turn", .speed = 0.0});
            has_hit = true;
        }
        fastest = has_hit ? fastest : std::max(fastest, speed);
    }
    std::printf("%.0f %% of the energy is left\n", 100 * world.frame().energy.total / before);
}
