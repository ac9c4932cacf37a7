// What acts where bodies touch: a crate on a slope whose friction is changed while it stands there.
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
    return slope() ? 0 : 1;
}
