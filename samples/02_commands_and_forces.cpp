// Change a running world by commands: push a puck over ice, let go, strike it with an impulse, remove it.
// Then a mistake, to see how it is reported.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>
#include <string>

using namespace impuls;

namespace {

bool is_near(const char* what, double value, double expected) {
    std::printf("%-28s %10.6f   expected %10.6f\n", what, value, expected);
    return std::fabs(value - expected) <= 1e-9 * (1 + std::fabs(expected));
}

void run_for(World& world, double seconds) {
    const double end = world.time() + seconds - 0.5 * world.dt();
    while (world.time() < end && world.step().ok) {
    }
}

}  // namespace

int main() {
    Scene scene;
    scene.settings.gravity = {0, 0, 0};
    scene.settings.dt = 0.01;
    BodyDesc puck;
    puck.name = "puck";
    puck.shape = Box{.size = {0.2, 0.1, 0.2}};
    puck.mass = 2.0;
    scene.bodies.push_back(puck);

    World world(scene);
    const BodyId id = world.find_body("puck");
    bool good = true;

    // A force holds until it is set again: v = F t / m, x = F t^2 / 2 m.
    world.apply(SetForce{.body = "puck", .force = {3, 0, 0}});
    run_for(world, 1.0);
    good &= is_near("speed after 1 s of 3 N", world.velocity(id).x, 1.5);
    good &= is_near("way after 1 s of 3 N", world.pose(id).position.x, 0.75);

    // Without it the puck glides on.
    world.apply(SetForce{.body = "puck"});
    run_for(world, 1.0);
    good &= is_near("way after 1 s of gliding", world.pose(id).position.x, 0.75 + 1.5);

    // An impulse changes the velocity at once: dv = p / m.
    world.apply(ApplyImpulse{.body = "puck", .impulse = {-3, 0, 4}});
    world.step();
    good &= is_near("x velocity after the strike", world.velocity(id).x, 0);
    good &= is_near("z velocity after the strike", world.velocity(id).z, 2);

    // Commands are checked when they are given; a wrong one throws and changes nothing.
    try {
        world.apply(Remove{.bodies = {"pluck"}});
        good = false;
    } catch (const InputError& error) {
        std::printf("as it should be, refused: %s\n", error.what());
    }

    world.apply(Remove{.bodies = {"puck"}});
    world.step();
    std::printf("bodies left: %zu\n", world.body_count());
    return good && world.body_count() == 0 ? 0 : 1;
}
