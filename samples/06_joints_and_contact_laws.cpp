// What holds bodies together and what acts where they touch: a door with a motor and a stop, a scale with a
// spring, a rope that breaks, and a crate on a slope whose friction is changed while it stands there.
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

// A rope is a distance with an upper limit. Of a joint that breaks the step's events tell, and it holds
// nothing any more.
bool rope() {
    Scene scene;
    scene.bodies.push_back(box("load", {0.2, 0.2, 0.2}, {0, -2, 0}, 5));
    DistanceJoint distance{.anchor_a = {}, .anchor_b = {0, -2, 0}};
    distance.length.emplace();
    distance.length->upper = 2;
    JointDesc joint;
    joint.name = "rope", joint.b = "load", joint.joint = distance;
    joint.break_force = 60;
    scene.joints.push_back(joint);
    World world(scene);
    run_for(world, 0.5);
    bool good = is_near("rope: carries", length(world.frame().joints[0].force), 5 * kG);
    world.apply(SetForce{.body = "load", .force = {0, -20, 0}});  // 69 N are too much
    bool is_broken = false;
    for (int k = 0; k < 5 && !is_broken; ++k) {
        world.step();
        for (const Event& event : world.frame().events) is_broken |= event.kind == EventKind::JointBreak;
    }
    std::printf("rope: %s\n", is_broken ? "broken, as it should be" : "holds");
    return good && is_broken;
}

// Materials give friction, restitution and so on; `contacts` say what holds between two of them instead.
bool slope() {
    const double angle = std::atan(0.5);
    Scene scene;
    MaterialDesc wood, steel;
    wood.name = "wood", steel.name = "steel";
    scene.materials = {wood, steel};
    ContactDesc pair{.a = "wood", .b = "steel"};
    pair.friction = 0.4, pair.static_friction = 0.6;  // tan = 0.5 lies between the two
    scene.contacts.push_back(pair);
    BodyDesc ground;
    ground.name = "ground", ground.kind = BodyKind::Static, ground.shape = Plane{}, ground.material = "steel";
    ground.orientation = from_axis_angle({0, 0, 1}, -angle);
    BodyDesc crate = box("crate", {0.4, 0.2, 0.4}, rotate(ground.orientation, Vec3{0, 0.1, 0}), 2);
    crate.orientation = ground.orientation, crate.material = "wood";
    scene.bodies = {ground, crate};
    World world(scene);
    const BodyId id = world.find_body("crate");

    run_for(world, 1);
    bool good = is_near("slope: static friction holds", length(world.velocity(id)), 0);
    Vec3 force{};  // of all contact points
    for (const Contact& contact : world.frame().contacts) force = force + contact.force;
    good &= is_near("slope: contacts carry the weight", force.y, 2 * kG);

    // Less static friction: it slides, at g (sin - mu cos).
    pair.static_friction = 0.4;
    world.apply(Put{.contacts = {pair}});
    run_for(world, 1);
    const double a = kG * (std::sin(angle) - 0.4 * std::cos(angle));
    return good & is_near("slope: speed after 1 s", length(world.velocity(id)), a);
}

}  // namespace

int main() {
    const bool good[] = {door(), scale(), rope(), slope()};
    for (const bool ok : good)
        if (!ok) return 1;
    return 0;
}
