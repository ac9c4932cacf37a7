// Scripted bodies and the front-matter scenes of Erleben 2005: claims T19 to T22 on whole worlds
// (scenes/seeds/erleben-*).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "impuls/impuls.h"
#include "math/motion/rotation_spline.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls {
namespace {

Scene erleben_scene(const std::string& name) {
    return load_scene(in_project("scenes/seeds/" + name + ".json"));
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Velocities of a world's scripted bodies against differences of their places: rates of the motion, at every
// step; at a constant speed of the course, that speed, ends included.
TEST(SpecConstraints, T19_scripted_bodies_move_at_the_speeds_they_have) {
    Scene scene = parse_scene(R"({"impuls": 1, "settings": {"dt": 0.001}, "bodies": [
        {"name": "ram", "kind": "kinematic", "shape": {"type": "sphere"}, "motion": {
          "place": {"type": "spline", "points": [[0,0,0],[1,1,0],[2,0,1],[3,0,0]], "duration": 2},
          "turn": {"type": "tangent"}}}]})",
                              "test.json");
    World world(scene);
    const BodyId ram = world.find_body("ram");
    double speed = 0, length_of_way = 0;
    int jumps = 0;
    Vec3 two_ago, one_ago = world.pose(ram).position;
    Quat turned_ago = world.pose(ram).orientation, turned_two_ago = turned_ago;
    Vec3 v_ago, w_ago;
    for (int k = 1; k <= 1999; ++k) {
        ASSERT_TRUE(world.step().ok);
        const Pose now = world.pose(ram);
        if (k > 1) {
            const Vec3 v = (now.position - two_ago) / (2 * world.dt());
            EXPECT_LT(length(v - v_ago), 1e-4 * length(v)) << k;
            const Vec3 w = log_of(normalized(now.orientation * conjugate(turned_two_ago))) / (2 * world.dt());
            // Its rate jumps at the two inner knots.
            jumps += length(w - w_ago) > 1e-4 * (1 + length(w));
            EXPECT_LT(length(w - w_ago), 2e-3 * (1 + length(w))) << k;
            if (speed == 0) speed = length(v_ago);
            EXPECT_NEAR(length(v_ago), speed, 1e-6 * speed) << k;
        }
        length_of_way += length(now.position - one_ago);
        two_ago = one_ago, one_ago = now.position;
        turned_two_ago = turned_ago, turned_ago = now.orientation;
        v_ago = world.velocity(ram), w_ago = world.angular_velocity(ram);
    }
    EXPECT_LE(jumps, 2);
    EXPECT_NEAR(length_of_way, speed * world.time(), 1e-5 * length_of_way);
}

// T20: places by the course of way against time: equal times, equal ways.
TEST(SpecConstraints, T20_way_of_a_scripted_body_is_its_course) {
    Scene scene = parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01}, "bodies": [
        {"name": "ram", "kind": "kinematic", "shape": {"type": "sphere"}, "motion": {
          "place": {"type": "spline", "closed": true, "points": [[1,0,0],[0,1,0],[-1,0,0],[0,-1,0]], "duration": 1}}}]})",
                              "test.json");
    World world(scene);
    const BodyId ram = world.find_body("ram");
    const Vec3 start = world.pose(ram).position;
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(world.step().ok);  // three rounds
    EXPECT_LT(length(world.pose(ram).position - start), 1e-8);
    for (int k = 0; k < 25; ++k) ASSERT_TRUE(world.step().ok);  // a quarter, by symmetry
    EXPECT_LT(length(world.pose(ram).position - Vec3{0, 1, 0}), 1e-8);
}

struct Scripted {
    const char* name;
    double text_seconds;  // a frame, as printed
    double run, brief;    // s
    double deepest;       // of the smallest body's size; reported and bounded
};

// Depths are what dt = 0.01 s leaves with a body that nothing stops; the scripted body presses balls against
// the ground and each other.
TEST(SpecConstraints, T21_scripted_scenes_in_real_time) {
    for (const Scripted& s : {Scripted{"erleben-ball-cube", 0.01, 3, 3, 0.1},
                              {"erleben-spiral", 0.3, 10, 1, 0.1},
                              {"erleben-brick-wall", 0.03, 4, 1.5, 0.2},
                              {"erleben-tower", 0.04, 4, 1.5, 0.2}}) {
        World world(erleben_scene(s.name));
        const double start = cpu_seconds(), time = is_long() ? s.run : s.brief;
        double deepest = 0;
        int frames = 0;
        for (; world.time() < time - 1e-9; ++frames) {
            const StepStatus status = world.step();
            ASSERT_TRUE(status.ok) << s.name << ": " << status.message;
            if (frames % 10 == 0) deepest = std::max(deepest, world.frame().max_penetration);
        }
        const double a_frame = (cpu_seconds() - start) / frames;
#ifdef NDEBUG
        EXPECT_LT(a_frame, s.text_seconds) << s.name;
#endif
        RecordProperty(std::string(s.name) + "_ms_a_frame", std::to_string(1e3 * a_frame));
        RecordProperty(std::string(s.name) + "_deepest_mm", std::to_string(1e3 * deepest));
        EXPECT_LT(deepest, s.deepest * 0.2) << s.name;
        for (const Vec3& x : world.frame().positions) EXPECT_TRUE(is_finite(x)) << s.name;
    }
}

// All 128 pass or rest; none is outside of funnel, brim and tank.
TEST(SpecConstraints, T22_front_matter_funnel) {
    World world(erleben_scene("erleben-funnel"));
    const double time = is_long() ? 6 : 3;
    while (world.time() < time - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
    int balls = 0, passed = 0;
    for (std::size_t k = 0; k < world.structure()->bodies.size(); ++k) {
        if (!world.structure()->bodies[k].name.starts_with("balls")) continue;
        ++balls;
        const Vec3 x = world.frame().positions[k];
        const double rho = std::hypot(x.x, x.z), r = 0.05;
        passed += x.y < 1.2;
        EXPECT_GT(x.y, 0.9 * r) << k;
        EXPECT_LT(rho, x.y > 1.25 ? 0.8 - 0.9 * r : 0.5 - 0.9 * r) << k << " at height " << x.y;
    }
    EXPECT_EQ(balls, 128);
    EXPECT_GT(passed, 100);
}

TEST(SpecConstraints, T22_front_matter_robot_assembles_itself) {
    for (const char* method : {"default", "erleben+correction=stabilisation"}) {
        Scene scene = erleben_scene("erleben-robot");
        scene.settings.method = parse_method(method);
        World world(scene);
        const double open = world.frame().max_joint_error;
        while (world.time() < 2 - 1e-9) {
            const StepStatus status = world.step();
            ASSERT_TRUE(status.ok) << method << ": " << status.message;
        }
        const double shortest = 0.4;  // m, of a link
        EXPECT_GT(open, shortest) << method;
        EXPECT_LT(world.frame().max_joint_error, 0.01 * shortest) << method;
    }
}

// The motor holds its speed as far as its torque allows: away from it, the torque is at its bound.
TEST(SpecConstraints, T22_front_matter_jacks_and_fan) {
    World world(erleben_scene("erleben-jacks"));
    const double most = 400;
    int at_speed = 0, steps = 0;
    while (world.time() < (is_long() ? 5 : 3) - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
        const Frame& frame = world.frame();
        const double wanted = std::min(6.0, 6 * world.time()), speed = frame.axes[0].velocity,
                     torque = std::abs(frame.axes[0].force);
        EXPECT_LT(torque, most * 1.001);
        const bool is_held = std::abs(speed - wanted) < 0.02 * 6 + 6 * world.dt();
        at_speed += is_held;
        ++steps;
        if (!is_held) {
            EXPECT_GT(torque, 0.2 * most) << world.time() << " " << speed;
        }
        for (const Vec3& v : frame.velocities) EXPECT_LT(length(v), 25);
    }
    EXPECT_GT(at_speed, steps / 2);
}

}  // namespace
}  // namespace impuls
