// What acts along the free axes of joints: a door with a motor and a stop, and a scale with a spring.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>
#include <string>

using namespace impuls;

namespace {

constexpr double kG = 9.81;

bool is_near(const char* what, double value, double expected, double tolerance = 1e-6) {
    std::printf("%-36s %10.6f   expected %10.6f\n", what, value, expected);
    return std::fabs(value - expected) <= tolerance * (1 + std::fabs(expected));
}

void run_for(World& world, double seconds) {
    const double end = world.time() + seconds - 0.5 * world.dt();
    while (world.time() < end && world.step().ok) {
    }
}

BodyDesc box(const char* name, const Vec3& size, const Vec3& position, double mass) {
    BodyDesc body;
    body.name = name, body.shape = Box{.size = size}, body.position = position, body.mass = mass;
    return body;
}

// A joint has free axes, and each axis may have limits, a motor or servo, friction, a spring. Positions count
// from the start.
bool door() {
    Scene scene;
    scene.bodies.push_back(box("door", {1, 2, 0.05}, {0.5, 1, 0}, 20));
    HingeJoint hinge{.anchor = {0, 1, 0}, .axis = {0, 1, 0}};
    hinge.turn.lower = 0, hinge.turn.upper = 1.5;  // rad: the stops
    hinge.turn.speed = 1, hinge.turn.max_force = 40;
    JointDesc joint;
    joint.name = "hinge", joint.b = "door", joint.joint = hinge;  // a left out: the world
    scene.joints.push_back(joint);
    World world(scene);

    // A Frame has the axes of all joints, one after the other, and what each joint does to its body b.
    run_for(world, 1);
    bool good = is_near("door: speed of the motor", world.frame().axes[0].velocity, 1);
    good &= is_near("door: the hinge carries it", world.frame().joints[0].force.y, 20 * kG);
    run_for(world, 2);
    good &= is_near("door: stopped at", world.frame().axes[0].position, 1.5);

    // While running, commands change one axis: here the motor becomes a servo that closes the door.
    SetAxis close{.joint = "hinge", .axis = "turn", .clear = true};
    close.target = 0, close.rate = 2, close.max_force = 40;
    world.apply(close);
    run_for(world, 3);
    return good & is_near("door: closed by the servo", world.frame().axes[0].position, 0);
}

// Stiffness and damping in N/m and N s/m: at rest the spring is shorter by m g / k.
bool scale() {
    Scene scene;
    scene.bodies.push_back(box("pan", {0.3, 0.05, 0.3}, {}, 3));
    SliderJoint slider{.axis = {0, 1, 0}};
    slider.slide.stiffness = 500, slider.slide.damping = 80;
    JointDesc joint;
    joint.name = "spring", joint.b = "pan", joint.joint = slider;
    scene.joints.push_back(joint);
    World world(scene);
    run_for(world, 4);
    return is_near("scale: sinks by m g / k", world.frame().axes[0].position, -3 * kG / 500);
}

}  // namespace

int main() {
    const bool is_door_good = door(), is_scale_good = scale();
    return is_door_good && is_scale_good ? 0 : 1;
}
