// Motors, servos, springs and forces by the clock, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

Course expression(const std::string& text) {
    Course course;
    course.expression = text;
    return course;
}

Scene driven_slider(const AxisDesc& slide, const std::string& preset) {
    Scene scene;
    scene.settings.gravity = {};
    scene.settings.dt = 0.005;
    scene.settings.method.preset = preset;
    scene.bodies.push_back({.name = "b", .shape = Box{}, .mass = 2.0});
    JointDesc& joint = scene.joints.emplace_back();
    joint.name = "j";
    joint.b = "b";
    joint.joint = SliderJoint{{}, {1, 0, 0}, slide};
    return scene;
}

double way_of_b(const World& world) {
    return world.pose(world.find_body("b")).position.x;
}
void run_courses(World& world, double time) {
    while (world.time() < time - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

// A motor's place is the integral of its speed: by the midpoint rule, of second order in the substep.
TEST(Courses, AMotorFollowsItsSpeed) {
    for (const char* preset : {"default", "accurate", "fast"}) {
        AxisDesc slide;
        slide.speed = expression("0.6*sin(4*t)");
        World world(driven_slider(slide, preset));
        for (int k = 1; k < 40; ++k) {
            ASSERT_NO_FATAL_FAILURE(run_courses(world, 0.05 * k));
            const double t = world.time();
            EXPECT_NEAR(way_of_b(world), 0.15 * (1 - std::cos(4 * t)), 1e-4) << preset;
            EXPECT_NEAR(world.velocity(world.find_body("b")).x, 0.6 * std::sin(4 * t), 0.02) << preset;
        }
    }
}

TEST(Courses, AServoFollowsItsTable) {
    for (const char* preset : {"default", "accurate"}) {
        AxisDesc slide;
        Course target;
        target.times = {0, 0.5, 1.5};
        target.values = {0, 0.4, -0.2};
        slide.target = target;
        World world(driven_slider(slide, preset));
        for (const auto& [t, x] : {std::pair{0.25, 0.2}, {0.5, 0.4}, {1.0, 0.1}, {1.5, -0.2}, {2.0, -0.2}}) {
            ASSERT_NO_FATAL_FAILURE(run_courses(world, t));
            EXPECT_NEAR(way_of_b(world), x, 1e-9) << preset << " " << t;
        }
    }
}

// m x'' + k (x - A sin(p t)) = 0 from rest: x = A w^2/(w^2 - p^2) (sin p t - p/w sin w t).
TEST(Courses, ASpringIsDrivenByItsRest) {
    AxisDesc slide;
    slide.stiffness = 50;
    slide.rest = expression("0.1*sin(3*t) ");
    Scene scene = driven_slider(slide, "accurate");
    scene.settings.dt = 0.002;
    World world(scene);
    const double w = 5, p = 3, a = 0.1 * w * w / (w * w - p * p);
    for (int k = 1; k < 20; ++k) {
        ASSERT_NO_FATAL_FAILURE(run_courses(world, 0.1 * k));
        const double t = world.time();
        EXPECT_NEAR(way_of_b(world), a * (std::sin(p * t) - p / w * std::sin(w * t)), 1e-5);
    }
}

// 300 sin(2 pi t) on 10 kg: x = F/(m p) (t - sin(p t)/p).
TEST(Courses, AForceHasItsMagnitude) {
    for (const char* preset : {"default", "accurate", "fast"}) {
        Scene scene;
        scene.settings.gravity = {};
        scene.settings.dt = 0.005;
        scene.settings.method.preset = preset;
        scene.bodies.push_back({.name = "b", .shape = Sphere{}, .mass = 10.0});
        ForceDesc& force = scene.forces.emplace_back();
        force.b = "b";
        force.force = ConstantForce{{}, {1, 0, 0}};
        force.magnitude = expression("300*sin(2*pi*t)");
        World world(scene);
        const double p = 2 * M_PI;
        for (int k = 1; k < 20; ++k) {
            ASSERT_NO_FATAL_FAILURE(run_courses(world, 0.1 * k));
            const double t = world.time();
            EXPECT_NEAR(way_of_b(world), 30 / p * (t - std::sin(p * t) / p), 2e-3) << preset;
            EXPECT_NEAR(world.velocity(world.find_body("b")).x, 30 / p * (1 - std::cos(p * t)), 2e-3)
                << preset;
        }
    }
}

// The error falls with the square of the step.
TEST(Courses, AForceOfTimeIsOfSecondOrder) {
    const auto error = [](double dt) {
        Scene scene;
        scene.settings.gravity = {};
        scene.settings.dt = dt;
        scene.settings.method = parse_method("default+substeps=1");
        scene.bodies.push_back({.name = "b", .shape = Sphere{}, .mass = 1.0});
        ForceDesc& force = scene.forces.emplace_back();
        force.b = "b";
        force.force = ConstantForce{{}, {1, 0, 0}};
        force.magnitude = expression("exp(t)");
        World world(scene);
        while (world.time() < 1 - 1e-9) world.step();
        return std::abs(world.velocity(world.find_body("b")).x - (std::exp(1) - 1));
    };
    const double coarse = error(0.1), fine = error(0.05);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
}

// Commands set courses, too; they are kept in checkpoints.
TEST(Courses, CommandsSetThemAndCheckpointsKeepThem) {
    Scene scene = driven_slider({}, "default");
    World world(scene), other(scene);
    world.apply(parse_command(R"({"type": "set_axis", "joint": "j", "axis": "slide", "speed": "t"})"));
    ASSERT_NO_FATAL_FAILURE(run_courses(world, 0.5));
    EXPECT_NEAR(way_of_b(world), 0.125, 1e-6);
    other.restore(world.checkpoint());
    for (World* w : {&world, &other}) ASSERT_NO_FATAL_FAILURE(run_courses(*w, 1));
    EXPECT_EQ(other.state_hash(), world.state_hash());
    EXPECT_NEAR(way_of_b(other), 0.5, 1e-6);
}

std::string course_refusal(const std::string& fields, const std::string& what) {
    const std::string joint = what == "turn" ? R"("turn": {)" + fields + "}" : R"("turn": {})";
    const std::string force = what == "force" ? fields : R"("magnitude": 1)";
    try {
        parse_scene(
            R"({"impuls": 1, "settings": {"duration": 2, "dt": 0.01}, "bodies": [{"name": "b", "shape": {"type": "sphere"}}],
            "joints": [{"type": "hinge", "b": "b", )" +
                joint + R"(}],
            "forces": [{"type": "constant", "b": "b", "force": [1, 0, 0], )" +
                force + "}]}",
            "test.json");
    } catch (const InputError& error) {
        return error.issues().front().path + ": " + error.issues().front().message;
    }
    return "accepted";
}

TEST(Courses, AreRefusedWithTheirPlace) {
    EXPECT_EQ(course_refusal(R"j("speed": "sin(t)", "max_force": "1 + t")j", "turn"), "accepted");
    EXPECT_EQ(course_refusal(R"j("speed": "1/(t - 0.5)")j", "turn"),
              "/joints/0/turn/speed: '1/(t - 0.5)' at t = 0.500000 s: inf is not a finite number");
    EXPECT_EQ(course_refusal(R"j("speed": 1, "max_force": "1 - t")j", "turn").substr(0, 25),
              "/joints/0/turn/max_force:");
    EXPECT_EQ(course_refusal(R"j("speed": "sin(2*t")j", "turn").substr(0, 21), "/joints/0/turn/speed:");
    EXPECT_EQ(course_refusal(R"j("speed": {"times": [0, 0], "values": [1, 2]})j", "turn"),
              "/joints/0/turn/speed: times/1 is not after the time before it");
    EXPECT_EQ(course_refusal(R"j("magnitude": "log(t - 1)")j", "force").substr(0, 20),
              "/forces/0/magnitude:");
    EXPECT_EQ(course_refusal(R"j("magnitude": {"times": [], "values": []})j", "force").substr(0, 26),
              "/forces/0/magnitude/times:");
}

TEST(Courses, ThatBecomeInfiniteStopTheWorld) {
    Scene scene = driven_slider({}, "default");
    ForceDesc& force = scene.forces.emplace_back();
    force.name = "push";
    force.b = "b";
    force.force = ConstantForce{{}, {1, 0, 0}};
    force.magnitude = expression("sqrt(1 - t)");
    scene.settings.duration = 0.5;
    World world(scene);
    StepStatus status;
    while (status.ok && world.time() < 2) status = world.step();
    EXPECT_NE(status.message.find("force 'push': magnitude is not finite at t = 1"), std::string::npos)
        << status.message;
    EXPECT_TRUE(std::isfinite(way_of_b(world)));
}

}  // namespace
}  // namespace impuls
