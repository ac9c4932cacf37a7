// No heap allocation inside World::step once warm.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/world.h"
#include "mixed_scene.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

long allocations_in(World& world, int steps) {
    const long before = allocations;
    for (int k = 0; k < steps; ++k) world.step();
    return allocations - before;
}

TEST(Allocation, counter_counts) {
    const long before = allocations;
    int* volatile p = new int(3);
    delete p;
    EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, none_in_a_step_of_a_settled_pile) {
    Scene scene = mixed_scene(1, false);
    std::erase_if(scene.bodies, [](const BodyDesc& b) { return b.name == "pusher"; });
    scene.bodies[0].surface_velocity = {};
    for (auto& b : scene.bodies) b.linear_damping = b.angular_damping = 1;  // so that it does settle
    World world(scene);
    allocations_in(world, 600);
    EXPECT_EQ(allocations_in(world, 200), 0);
}

// A group of the program's own takes no memory once it has its size: frames take as much as those of a twin.
TEST(Allocation, none_in_a_frame_with_columns_of_the_program) {
    Scene scene;
    for (int k = 0; k < 20; ++k) {
        BodyDesc b;
        b.name = "b" + std::to_string(k), b.shape = Sphere{0.1}, b.position = {k * 1.0, 0, 0};
        scene.bodies.push_back(b);
    }
    World twin(scene), world(scene);
    world.add_columns({"heights", "", {}, {scalar_column("height", "m")}},
                      [](const Frame& frame, ColumnGroup& group) {
                          group.resize(frame.bodies.size());
                          for (std::size_t k = 0; k < group.count(); ++k)
                              group.set("height", k, frame.positions[k].y);
                      });
    const auto allocations_with_frames = [](World& w) {
        const long before = allocations;
        for (int k = 0; k < 20; ++k) {
            w.step();
            w.frame();
        }
        return allocations - before;
    };
    allocations_with_frames(twin);
    allocations_with_frames(world);
    EXPECT_EQ(world.frame().groups.at(0).column(0)[7], world.frame().positions[7].y);
    EXPECT_EQ(allocations_with_frames(world), allocations_with_frames(twin));
    EXPECT_EQ(world.frame().groups[0].column(0)[7], world.frame().positions[7].y);
    world.restore(world.checkpoint());
    EXPECT_EQ(world.frame().groups.size(), 1u) << "it stays with the world";
    world.drop_caches();
    EXPECT_EQ(world.frame().groups[0].count(), 20u);
    EXPECT_THROW(world.add_columns({"heights", "", {}, {scalar_column("height")}}, {}), InputError);
}

TEST(Allocation, none_for_impacts_that_are_passed_on) {
    Scene scene;
    scene.settings.method = parse_method("default+impacts=propagating+blocks_from=0");
    scene.materials.emplace_back().name = "m";
    scene.materials[0].restitution = 1, scene.materials[0].friction = 0;
    BodyDesc b;
    b.name = "ground", b.kind = BodyKind::Static, b.shape = Plane{}, b.material = "m";
    scene.bodies.push_back(b);
    for (int k = 0; k < 6; ++k) {
        b.name = "b" + std::to_string(k), b.kind = BodyKind::Dynamic, b.shape = Sphere{0.5};
        b.position = {k % 2 ? 1.0 : 0.0, 1 + 1.01 * (k / 2), 0};
        scene.bodies.push_back(b);
    }
    World world(scene);
    allocations_in(world, 400);
    EXPECT_EQ(allocations_in(world, 200), 0);
}

TEST(Allocation, none_for_free_bodies) {
    Scene scene;
    for (int k = 0; k < 200; ++k) {
        BodyDesc b;
        b.name = "b" + std::to_string(k), b.shape = Box{{0.5, 0.3, 0.2}};
        b.position = {2.0 * (k % 10), 2.0 * (k / 10), 0}, b.angular_velocity = {1, 2, 3};
        scene.bodies.push_back(b);
    }
    World world(scene);
    allocations_in(world, 20);
    EXPECT_EQ(allocations_in(world, 100), 0);
}

// Others lie dormant; one of them is thrown up and comes back into play, again and again.
TEST(Allocation, none_beside_sleepers) {
    Scene scene;
    scene.settings.method = parse_method("fast+sleep=on");
    scene.materials.emplace_back().name = "m";
    BodyDesc b;
    b.name = "ground", b.kind = BodyKind::Static, b.shape = Plane{}, b.material = "m";
    scene.bodies.push_back(b);
    for (int k = 0; k < 60; ++k) {
        b.name = "b" + std::to_string(k), b.kind = BodyKind::Dynamic, b.shape = Box{{1, 1, 1}};
        b.position = {1.5 * (k % 10), 0.5, 1.5 * (k / 10)};
        scene.bodies.push_back(b);
    }
    World world(scene);
    const auto throw_up = [&] { world.apply(ApplyImpulse{"b7", {0, 2000, 0}, {}, {}}); };
    for (int k = 0; k < 4; ++k) throw_up(), allocations_in(world, 120);
    ASSERT_TRUE(world.is_asleep(world.find_body("b7")));
    throw_up();
    EXPECT_EQ(allocations_in(world, 120), 0);
}

// Limits that are hit, motors, servos, friction and springs all at work, in chains with a loop.
TEST(Allocation, none_for_busy_axes) {
    for (const char* method : {"fast", "fast+solver=tree", "fast+closure=preview", "erleben+sleep=off"}) {
        Scene scene;
        scene.settings.method = parse_method(method);
        const auto body = [&](int k) {
            BodyDesc b;
            b.name = "b" + std::to_string(k), b.shape = Box{{0.4, 0.2, 0.2}}, b.collides = false;
            b.position = {0.5 * k, 0, 0};
            scene.bodies.push_back(b);
        };
        const auto joint = [&](int a, int b, const Joint& desc) {
            JointDesc j;
            j.name = "j" + std::to_string(scene.joints.size()), j.joint = desc;
            j.a = a < 0 ? "" : "b" + std::to_string(a), j.b = "b" + std::to_string(b);
            scene.joints.push_back(j);
        };
        for (int k = 0; k < 6; ++k) body(k);
        AxisDesc axis;
        axis.lower = -0.1, axis.upper = 0.1, axis.restitution = 0.5, axis.friction = 0.05;
        axis.stiffness = 5, axis.damping = 0.1, axis.speed = 3, axis.max_force = 2;
        AxisDesc servo = axis;
        servo.speed.reset(), servo.target = 0.3, servo.rate = 1;
        for (int k = 0; k < 5; ++k) {
            const Vec3 at{0.5 * k - 0.25, 0, 0};
            joint(k - 1, k,
                  k % 2 ? Joint{SliderJoint{at, {1, 0, 0}, axis}} : Joint{HingeJoint{at, {0, 0, 1}, servo}});
        }
        UniversalJoint cross{{2.25, 0, 0}, {0, 0, 1}, {0, 1, 0}, axis, servo};
        joint(4, 5, cross);
        DistanceJoint rope{{0, 0, 0}, {2, 0, 0}, axis};  // closes a loop
        rope.length->lower = 1, rope.length->upper = 2.2;
        joint(0, 4, rope);
        World world(scene);
        allocations_in(world, 60);
        EXPECT_EQ(allocations_in(world, 40), 0) << method;
        double work = 0;
        for (const AxisState& a : world.frame().axes) work += std::abs(a.force);
        EXPECT_GT(work, 0.1) << method;
    }
}

// Bodies on splines and by expressions, a motor and a spring by the clock. Worlds with forces take memory for
// their terms.
TEST(Allocation, none_for_scripts_and_courses) {
    const auto of_time = [](const char* text) {
        Course course;
        course.expression = text;
        return course;
    };
    Scene scene;
    scene.settings.dt = 0.01;
    const auto body = [&](const char* name, const Vec3& at, BodyKind kind) -> BodyDesc& {
        BodyDesc& b = scene.bodies.emplace_back();
        b.name = name, b.shape = Box{{1, 0.2, 1}}, b.position = at, b.kind = kind;
        return b;
    };
    FormulaPlace place;
    place.x = of_time("0.05*sin(3*t)^2 + exp(-t)");
    body("shaker", {}, BodyKind::Kinematic).motion = MotionDesc{0, place, LookAtTurn{{9, 9, 9}, {0, 1, 0}}};
    SplinePlace path;
    path.points = {{0, 0, 0}, {1, 0.1, 0}, {2, 0, 1}}, path.duration = 9, path.ease = 0.3;
    body("train", {0, 3, 0}, BodyKind::Kinematic).motion = MotionDesc{0, path, TangentTurn{}};
    body("cube", {0, 0.2, 0}, BodyKind::Dynamic);
    body("rider", {0, 3.2, 0}, BodyKind::Dynamic);
    body("driven", {0, 8, 0}, BodyKind::Dynamic);
    JointDesc& joint = scene.joints.emplace_back();
    joint.name = "j", joint.b = "driven";
    AxisDesc slide;
    slide.speed = of_time("sin(t)"), slide.max_force = of_time("5 + t"), slide.stiffness = 3,
    slide.rest = of_time("t");
    joint.joint = SliderJoint{{0, 8, 0}, {1, 0, 0}, slide};
    World world(scene);
    allocations_in(world, 60);
    EXPECT_EQ(allocations_in(world, 40), 0);
    EXPECT_GT(length(world.velocity(world.find_body("train"))), 0.01);
}

}  // namespace
}  // namespace impuls
