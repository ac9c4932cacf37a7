// Impacts where and when bodies touch, contacts with the levers of the middle of a substep, and depths that
// are removed by displacements: what the impulse stepper promises beyond energy.
#include "physics/contact_scenes.h"

namespace impuls {
namespace {

MaterialDesc bouncy(double restitution, double friction = 0) {
    MaterialDesc m;
    m.restitution = restitution;
    m.friction = friction;
    return m;
}

Scene tumbling_box(const std::string& method, double friction) {
    Scene scene = scene_of(bouncy(0.9, friction), true, {});
    scene.settings.method = parse_method(method);
    BodyDesc box = body_of("box", Box{{0.08, 0.1, 0.06}}, {0, 0.3, 0});
    box.orientation = normalized(Quat{1, 0.2, 0.5, -0.3});
    box.velocity = {0.3, -1, 0.2};
    box.angular_velocity = {4, -7, 5};
    scene.bodies.push_back(box);
    return scene;
}

// A bounce takes 2 e^k sqrt(2 H / g), in any number of substeps.
TEST(Touch, a_ball_bounces_in_time) {
    const double e = 0.9, height = 1, radius = 0.1;
    for (const char* method : {"default+substeps=1+blocks_from=0", "default", "accurate"}) {
        Scene scene = scene_of(bouncy(e), true);
        scene.settings.method = parse_method(method);
        scene.bodies.push_back(body_of("ball", Sphere{radius}, {0, height + radius, 0}));
        World world(scene);
        run(world, 2.5);
        const double fall = std::sqrt(2 * height / kG);
        double start = fall, speed = e * kG * fall;  // of the present bounce
        while (start + 2 * speed / kG < world.time()) {
            start += 2 * speed / kG;
            speed *= e;
        }
        const double t = world.time() - start;
        EXPECT_NEAR(world.pose(world.find_body("ball")).position.y - radius, t * (speed - 0.5 * kG * t), 1e-6)
            << method;
    }
}

// Corners strike where they are: a box that tumbles along the ground gets to where a hundred times finer
// steps put it.
TEST(Touch, a_tumbling_box_does_not_depend_on_the_step) {
    for (const double friction : {0.0, 0.3}) {
        World fine(tumbling_box("default+substeps=800+blocks_from=0", friction)),
            coarse(tumbling_box("default", friction));
        run(fine, 0.5);
        run(coarse, 0.5);
        const double speed = length(velocity_of(fine, "box"));
        EXPECT_LT(length(velocity_of(coarse, "box") - velocity_of(fine, "box")), 1e-3 * speed) << friction;
        EXPECT_LT(length(spin_of(coarse, "box") - spin_of(fine, "box")), 1e-3 * length(spin_of(fine, "box")))
            << friction;
    }
}

// Boxes that begin in each other, so many that there are two sweeps a solve, come apart and stay at rest.
TEST(Touch, pushing_out_makes_no_motion) {
    Scene scene = scene_of(bouncy(0, 0.5), false, {});
    scene.settings.method = parse_method("default+solver=sequential+iterations=2+blocks_from=0");
    const int columns = 12, rows = 40;
    for (int k = 0; k < columns * rows; ++k)
        scene.bodies.push_back(body_of("box" + std::to_string(k), Box{{0.2, 0.2, 0.2}},
                                       {0.196 * (k / rows), 0.198 * (k % rows), 0}));
    World world(scene);
    double first = 0, last = 0;
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(world.step().ok);
        EXPECT_EQ(world.frame().energy.kinetic, 0) << k;
        last = 0;
        for (const Contact& contact : world.frame().contacts) last = std::max(last, contact.depth);
        if (k == 0) first = last;
    }
    EXPECT_LT(last, 0.8 * first);
}

// What rides on a turntable stays where it is on it.
TEST(Touch, a_box_on_a_turntable_does_not_creep) {
    Scene scene = scene_of(bouncy(0, 1), true, {0, -kG, 0});
    scene.bodies.clear();
    BodyDesc table = body_of("table", Cylinder{.radius = 2, .height = 0.2}, {0, -0.1, 0});
    table.kind = BodyKind::Kinematic;
    table.angular_velocity = {0, 2, 0};
    BodyDesc box = body_of("box", Box{{0.1, 0.1, 0.1}}, {0.5, 0.05, 0});
    box.velocity = {0, 0, -1};
    box.angular_velocity = {0, 2, 0};
    scene.bodies = {table, box};
    World world(scene);
    run(world, 2);
    const double angle = 2 * world.time();
    const Vec3 place{0.5 * std::cos(angle), 0.05, -0.5 * std::sin(angle)};
    EXPECT_LT(length(world.pose(world.find_body("box")).position - place), 1e-6);
}

}  // namespace
}  // namespace impuls
