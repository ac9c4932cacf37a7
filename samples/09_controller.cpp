// A controller balances a rod on a cart: before every step it reads the world and pushes. Recorded with its
// commands, so that a replay comes to the same state.
#include <impuls/impuls.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace impuls;

int main() {
    Scene scene;
    scene.title = "Cart and rod";
    scene.settings.dt = 0.002;
    scene.settings.duration = 5;
    scene.bodies.push_back({.name = "cart", .shape = Box{.size = {0.4, 0.1, 0.2}}, .mass = 2});
    scene.bodies.push_back({.name = "rod",
                            .shape = Box{.size = {0.02, 1, 0.02}},
                            .position = {0, 0.5, 0},
                            .angular_velocity = {0, 0, 0.3},
                            .mass = 0.5});
    scene.joints.push_back({.name = "rail", .b = "cart", .joint = SliderJoint{.axis = {1, 0, 0}}});
    scene.joints.push_back({.name = "pin",
                            .a = "cart",
                            .b = "rod",
                            .joint = HingeJoint{.anchor = {0, 0, 0}, .axis = {0, 0, 1}}});

    World world(scene);
    const BodyId cart = world.find_body("cart"), rod = world.find_body("rod");
    const JointId pin = world.find_joint("pin");
    const Quantity angle = find_quantity("joints.pin.turn.position", *world.structure());

    Recorder recorder("cart.impuls", scene, {}, true);
    double farthest = 0, largest_force = 0;
    const auto control = [&](World& w) {
        double turn = 0;
        angle.read(w.frame(), &turn);
        const double x = w.pose(cart).position.x, speed = w.velocity(cart).x;
        const double push = -150 * turn - 30 * w.angular_velocity(rod).z + 5 * x + 10 * speed;
        const SetForce command{.body = "cart", .force = {push, 0, 0}};
        w.apply(command);
        recorder.add_command(w.steps(), command);
        farthest = std::max(farthest, std::fabs(turn));
        largest_force = std::max(largest_force, length(w.reaction(pin).force));
    };
    const RunSummary summary = run(world, {.until = 5, .recorder = &recorder, .before_step = control});
    recorder.close();
    if (!summary.status.ok) return std::printf("stopped: %s\n", summary.status.message.c_str()), 1;

    double turn = 0;
    angle.read(world.frame(), &turn);
    std::printf("after %.1f s the rod leans by %.2g rad; at most it was %.3f rad\n", world.time(), turn,
                farthest);
    std::printf("the pin carried up to %.1f N, and %.4f N now (the rod weighs %.4f N)\n", largest_force,
                length(world.reaction(pin).force), 0.5 * 9.81);
    const bool is_upright = std::fabs(turn) < 1e-3 && farthest < 0.3;
    const bool carries = std::fabs(length(world.reaction(pin).force) - 0.5 * 9.81) < 0.01;
    return is_upright && carries ? 0 : 1;
}
