// A rope that carries a load until it is pulled too hard: reactions of joints, and events that tell of
// breaks.
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

// A rope is a distance with an upper limit. Of a joint that breaks the step's events tell, and it holds
// nothing any more.
bool rope() {
    Scene scene;
    BodyDesc load;
    load.name = "load", load.shape = Box{.size = {0.2, 0.2, 0.2}};
    load.position = {0, -2, 0}, load.mass = 5;
    scene.bodies.push_back(load);
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

}  // namespace

int main() {
    return rope() ? 0 : 1;
}
