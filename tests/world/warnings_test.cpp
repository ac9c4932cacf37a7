// Warnings of a world (impuls/warnings.h): who, when, by how much; and silence where nothing is wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "base/warning_log.h"
#include "impuls/run.h"
#include "world/running.h"

namespace impuls {
namespace {

const Warning* find_warning(const World& world, WarningKind kind) {
    for (const Warning& w : world.warnings())
        if (w.kind == kind) return &w;
    return nullptr;
}

std::string all_text(const World& world) {
    std::string text;
    for (const Warning& w : world.warnings()) text += describe(w) + "\n";
    return text;
}

JointDesc joint_between(const std::string& name, const std::string& a, const std::string& b,
                        const Joint& joint) {
    JointDesc desc;
    desc.name = name, desc.a = a, desc.b = b, desc.joint = joint;
    return desc;
}

TEST(Warnings, initial_overlap_has_bodies_time_and_depth) {
    Scene scene = scene_with_floor();
    scene.bodies.push_back(some_body("low", Box{{1, 1, 1}}, {0, 0.5, 0}));
    scene.bodies.push_back(some_body("high", Box{{1, 1, 1}}, {0, 1.3, 0}));  // 0.2 m in the other
    World world(scene);
    ASSERT_TRUE(world.step().ok);
    const Warning* w = find_warning(world, WarningKind::InitialOverlap);
    ASSERT_NE(w, nullptr);
    EXPECT_EQ(w->subject, "low");
    EXPECT_EQ(w->other, "high");
    EXPECT_EQ(w->time, 0);
    EXPECT_NEAR(w->value, 0.2, 1e-12);
    EXPECT_EQ(w->unit, "m");
    EXPECT_EQ(w->count, 1);
    // What pushes them apart lifts the upper one: that is told with the overlap, and is no gain from nowhere.
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_GT(find_warning(world, WarningKind::InitialOverlap)->total, 0);
    EXPECT_EQ(find_warning(world, WarningKind::EnergyGained), nullptr) << all_text(world);
}

TEST(Warnings, a_body_added_into_another_overlaps_when_it_comes) {
    Scene scene = scene_with_floor();
    scene.bodies.push_back(some_body("old", Box{{1, 1, 1}}, {0, 0.5, 0}));
    World world(scene);
    for (int k = 0; k < 10; ++k) world.step();
    EXPECT_TRUE(world.warnings().empty()) << all_text(world);
    world.apply(Put{.bodies = {some_body("new", Sphere{0.25}, {0, 1.15, 0})}});
    world.step();
    const Warning* w = find_warning(world, WarningKind::InitialOverlap);
    ASSERT_NE(w, nullptr);
    EXPECT_EQ(w->other, "new");
    EXPECT_NEAR(w->time, 10 * world.dt(), 1e-12);
    EXPECT_NEAR(w->value, 0.1, 1e-6);
}

// A block of 1000 t upon a body of 1 g, in few sweeps of one substep: it is pressed into the floor.
TEST(Warnings, crushed_bodies_are_told_once_a_pair) {
    Scene scene = scene_with_floor();
    scene.settings.method = parse_method("default+solver=pgs+iterations=1+substeps=1+articulated=off");
    for (int k = 0; k < 4; ++k) {
        scene.bodies.push_back(some_body("light" + std::to_string(k), Box{{1, 1, 1}}, {0, 0.5 + k, 0}));
        scene.bodies.back().mass = 1e-3;
    }
    scene.bodies.push_back(some_body("heavy", Box{{1, 1, 1}}, {0, 4.5, 0}));
    scene.bodies.back().mass = 1e6;
    World world(scene);
    double deepest = 0;
    for (int k = 0; k < 100; ++k) {
        ASSERT_TRUE(world.step().ok);
        deepest = std::max(deepest, world.frame().max_penetration);
    }
    ASSERT_GT(deepest, 0.05) << "the scene is to be too hard";
    const Warning* w = find_warning(world, WarningKind::Penetration);
    ASSERT_NE(w, nullptr);
    double worst = 0;
    for (const Warning& each : world.warnings())
        if (each.kind == WarningKind::Penetration) worst = std::max(worst, each.worst);
    EXPECT_EQ(worst, deepest);
    EXPECT_GT(w->count, 0);
    EXPECT_NEAR(w->allowed, 0.05, 0.05) << "5 % of the smaller size";
}

// Two rods between fixed places that are farther apart than they are long.
TEST(Warnings, open_joints_have_name_error_and_what_is_allowed) {
    Scene scene;
    scene.settings.gravity = {};
    scene.bodies.push_back(some_body("rod", Box{{1, 0.1, 0.1}}, {0, 0, 0}));
    scene.joints.push_back(joint_between("left", "", "rod", BallJoint{{-0.5, 0, 0}}));
    scene.joints.push_back(joint_between("right", "", "rod", BallJoint{{0.7, 0, 0}}));
    scene.joints.back().at_b = Placement{{0.2, 0, 0}, {}};  // meant for a rod 0.2 m farther right
    World world(scene);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(world.step().ok);
    const Warning* w = find_warning(world, WarningKind::JointOpen);
    ASSERT_NE(w, nullptr);
    const double error = std::max(world.frame().joints[0].error, world.frame().joints[1].error);
    EXPECT_GE(w->worst, 0.05) << "0.2 m are shared by two joints";
    EXPECT_LE(error, w->worst * (1 + 1e-12) + 0.2);
    EXPECT_EQ(w->unit, "m");
    EXPECT_NEAR(w->allowed, 0.01 * std::sqrt((1 + 0.01) / 12), 1e-4);  // 1 % of its radius of gyration
    EXPECT_GT(w->count, 10);
}

TEST(Warnings, well_made_worlds_have_none) {
    for (const char* method : {"default", "accurate", "fast", "erleben"}) {
        Scene scene = scene_with_floor();
        scene.settings.method = parse_method(method);
        for (int k = 0; k < 3; ++k)
            scene.bodies.push_back(some_body("box" + std::to_string(k), Box{{1, 1, 1}}, {0, 0.5 + k, 0}));
        scene.bodies.push_back(some_body("bob", Sphere{0.2}, {5, 3, 0}));
        scene.joints.push_back(joint_between("rope", "", "bob", BallJoint{{4, 3, 0}}));
        World world(scene);
        for (int k = 0; k < 200; ++k) ASSERT_TRUE(world.step().ok);
        EXPECT_TRUE(world.warnings().empty()) << method << ": " << all_text(world);
    }
}

// Motors, springs and what moves by itself give energy: no warning. A spring's energy is part of the whole.
TEST(Warnings, drives_are_no_gain_from_nowhere) {
    Scene scene = scene_with_floor();
    BodyDesc lift = some_body("lift", Box{{2, 0.2, 2}}, {0, 0.5, 0}, BodyKind::Kinematic);
    lift.velocity = {0, 1, 0};
    scene.bodies.push_back(lift);
    scene.bodies.push_back(some_body("load", Box{{1, 1, 1}}, {0, 1.1, 0}));
    scene.bodies.push_back(some_body("arm", Box{{1, 0.1, 0.1}}, {5, 3, 0}));
    HingeJoint motor{{4.5, 3, 0}, {0, 0, 1}, {}};
    motor.turn.speed = 5, motor.turn.max_force = 5000;
    scene.joints.push_back(joint_between("motor", "", "arm", motor));
    scene.bodies.push_back(some_body("cart", Box{{0.2, 0.2, 0.2}}, {10, 3, 0}));
    SliderJoint spring{{10, 3, 0}, {1, 0, 0}, {}};
    spring.slide.stiffness = 1000, spring.slide.rest = 0.5;
    scene.joints.push_back(joint_between("spring", "", "cart", spring));
    for (const char* method : {"default", "fast"}) {
        scene.settings.method = parse_method(method);
        World world(scene);
        for (int k = 0; k < 200; ++k) ASSERT_TRUE(world.step().ok);
        EXPECT_EQ(find_warning(world, WarningKind::EnergyGained), nullptr) << method << all_text(world);
    }
}

// The watch itself, on notes as a stepper would leave them: a gain beyond a thousandth is told.
TEST(Warnings, energy_from_nowhere_is_told_with_its_island) {
    Scene scene = scene_with_floor();
    scene.bodies.push_back(some_body("box", Box{{1, 1, 1}}, {0, 0.5, 0}));
    scene.bodies.back().velocity = {1, 0, 0};
    Running running(scene);
    running.step(5);
    EXPECT_TRUE(running.s.output.warnings.all().empty());
    const double kinetic = running.s.output.watch.energy.gain.kinetic();
    EXPECT_NEAR(kinetic, 0.5 * running.s.bodies.mass[1], 0.05 * kinetic);
    Results& results = running.s.islands.schedule.results(0);
    ASSERT_EQ(results.notes.size(), 1u);
    results.notes[0].gained = 0.5 * kinetic;
    watch_step(watch_view_of(running.s));
    ASSERT_EQ(running.s.output.warnings.all().size(), 1u);
    const Warning& w = running.s.output.warnings.all()[0];
    EXPECT_EQ(w.kind, WarningKind::EnergyGained);
    EXPECT_EQ(w.subject, "box");
    EXPECT_NEAR(w.value, 0.5 * kinetic, 1e-9 * kinetic);
    EXPECT_GE(w.allowed, 1e-3 * kinetic);
    EXPECT_LE(w.allowed, 2e-2 * kinetic);
}

TEST(Warnings, a_lost_body_is_named) {
    Scene scene;
    scene.settings.gravity = {};
    scene.bodies.push_back(some_body("comet", Sphere{1}, {0, 0, 0}));
    scene.bodies.back().velocity = {1e308, 0, 0};
    scene.settings.dt = 100;
    World world(scene);
    StepStatus status;
    for (int k = 0; k < 10 && status.ok; ++k) status = world.step();
    ASSERT_FALSE(status.ok);
    const Warning* w = find_warning(world, WarningKind::BodyLost);
    ASSERT_NE(w, nullptr);
    EXPECT_EQ(w->subject, "comet");
}

TEST(WarningLog, memory_is_bounded_and_counts_go_on) {
    WarningLog log;
    const std::string none;
    const int subjects = 3 * WarningLog::kMostSubjects;
    for (int step = 0; step < 5; ++step)
        for (int k = 0; k < subjects; ++k)
            log.note({WarningKind::Penetration, "b" + std::to_string(k), none, 1.0 + k + step, 0.5, "m"},
                     step);
    ASSERT_EQ(log.all().size(), WarningLog::kMostSubjects + 1u);
    EXPECT_EQ(log.all()[0].value, 1);
    EXPECT_EQ(log.all()[0].time, 0);
    EXPECT_EQ(log.all()[0].worst, 5);
    EXPECT_EQ(log.all()[0].worst_time, 4);
    EXPECT_EQ(log.all()[0].count, 5);
    EXPECT_EQ(log.all().back().subject, "");
    EXPECT_EQ(log.all().back().count, 5 * (subjects - WarningLog::kMostSubjects));
    EXPECT_EQ(log.all().back().worst, subjects + 4);
}

TEST(Warnings, do_not_depend_on_threads) {
    Scene scene = scene_with_floor();
    scene.settings.method = parse_method("fast");
    for (int k = 0; k < 300; ++k)
        scene.bodies.push_back(some_body("b" + std::to_string(k), Sphere{0.5},
                                         {0.7 * (k % 10), 0.4 + 0.7 * (k / 100), 0.7 * (k / 10 % 10)}));
    World one(scene), four(scene, std::make_shared<Executor>(4));
    for (int k = 0; k < 20; ++k) one.step(), four.step();
    EXPECT_FALSE(one.warnings().empty());
    EXPECT_EQ(one.warnings(), four.warnings());
    EXPECT_EQ(one.state_hash(), four.state_hash());
}

// Two boxes of a compound that share half of themselves: a third of what they fill weighs twice.
TEST(Warnings, overlapping_parts_are_told_where_their_mass_counts) {
    const Compound twins{{{{}, {}, Box{{1, 1, 1}}}, {{0.5, 0, 0}, {}, Box{{1, 1, 1}}}}};
    Scene scene;
    scene.bodies.push_back(some_body("twins", twins, {0, 0, 0}));
    scene.bodies.push_back(some_body("same", twins, {4, 0, 0}));
    scene.bodies.push_back(some_body("fixed", twins, {8, 0, 0}));
    scene.bodies.back().kind = BodyKind::Static;
    scene.bodies.push_back(some_body("given", twins, {12, 0, 0}));
    scene.bodies.back().mass = 1.5;
    scene.bodies.back().center_of_mass = Vec3{0.25, 0, 0};
    scene.bodies.back().inertia = Vec3{0.25, 0.40625, 0.40625};
    World world(scene);
    ASSERT_EQ(world.warnings().size(), 2u) << all_text(world);
    EXPECT_EQ(world.warnings()[0].kind, WarningKind::CountedTwice);
    EXPECT_EQ(world.warnings()[0].subject, "twins");
    EXPECT_EQ(world.warnings()[1].subject, "same");
    EXPECT_NEAR(world.warnings()[0].value, 1.0 / 3, 0.01);
    // Bodies that come later are looked at likewise.
    world.apply(Put{.bodies = {some_body("late", twins, {16, 0, 0})}});
    world.step();
    EXPECT_EQ(world.warnings().back().subject, "late") << all_text(world);
}

}  // namespace
}  // namespace impuls
