// Joints that begin open or are torn open (Bender 2014, 3.5.1; claims T20 and T21): impuls/assemble.h, and
// worlds that heal by themselves.
#include "impuls/assemble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impuls/frame.h"
#include "impuls/scene_file.h"
#include "spec/joint_world.h"
#include "support/places.h"

namespace impuls {
namespace {

Scene scattered(const std::string& seed = "7") {
    return load_scene(in_project("scenes/seeds/reassembly.json"), {{"bodies.rods.repeat.seed", seed}});
}

// Where the point p of a body's own frame is.
Vec3 point_of(const Scene& scene, std::size_t body, const Vec3& p) {
    return scene.bodies[body].position + rotate(scene.bodies[body].orientation, p);
}

TEST(SpecMultibody, T20_assemble_closes_scattered_rods) {
    for (const char* seed : {"7", "8", "9"}) {
        const Scene scene = scattered(seed);
        const Assembly assembly = assemble(scene);
        ASSERT_TRUE(assembly.is_closed) << seed;
        EXPECT_LE(assembly.iterations, 500) << seed;
        ASSERT_EQ(assembly.joints.size(), 20u);
        EXPECT_GT(assembly.joints[5].before.distance, 1) << seed;
        // By the rods' ends alone.
        const Vec3 end{0.5, 0, 0};
        EXPECT_LT(length(point_of(assembly.scene, 0, -end)), 1e-9) << seed;
        for (std::size_t k = 1; k < 20; ++k)
            EXPECT_LT(length(point_of(assembly.scene, k, -end) - point_of(assembly.scene, k - 1, end)), 1e-9);
        World world(assembly.scene);
        EXPECT_LT(world.frame().max_joint_error, 1e-9) << seed;
    }
}

// Joints that say nothing of at_a and at_b are meant as they are, whichever way their bodies are moved; what
// is in place stays there bit for bit; limits count.
TEST(SpecMultibody, assemble_keeps_what_joints_mean) {
    Scene scene = joint_scene(0.01);
    for (int k = 0; k < 3; ++k) scene.bodies.push_back(block("b" + std::to_string(k), {2.0 * k, 0, 0}));
    scene.bodies[0].kind = BodyKind::Static;
    scene.bodies.push_back(block("far", {0, 9, 0}));
    AxisDesc turn;
    turn.lower = -0.1, turn.upper = 0.1;
    JointDesc hinge = joint_of("hinge", "b0", "b1", HingeJoint{{1, 0, 0}, {0, 0, 1}, turn});
    hinge.at_b = Placement{{2, 1, 0.5}, from_axis_angle({0, 1, 0}, 3.0)};  // nearly the other way round
    scene.joints = {hinge, joint_of("weld", "b1", "b2", FixedJoint{{3, 0, 0}})};
    const Assembly assembly = assemble(scene);
    ASSERT_TRUE(assembly.is_closed);
    EXPECT_EQ(assembly.scene.bodies[0].position, Vec3{});
    EXPECT_EQ(assembly.scene.bodies[3].position, (Vec3{0, 9, 0}));
    EXPECT_FALSE(assembly.scene.joints[0].at_a);
    ASSERT_TRUE(assembly.scene.joints[1].at_a && assembly.scene.joints[1].at_b);
    // The weld keeps b2 where it was as seen from b1.
    const BodyDesc &b1 = assembly.scene.bodies[1], &b2 = assembly.scene.bodies[2];
    EXPECT_LT(length(rotate(conjugate(b1.orientation), b2.position - b1.position) - Vec3{2, 0, 0}), 1e-9);
    EXPECT_GT(length(b2.position - Vec3{4, 0, 0}), 0.1);
    // The hinge's axis in b1, as at_b has it.
    const Vec3 axis_in_b = rotate(conjugate(hinge.at_b->orientation), {0, 0, 1});
    EXPECT_LT(length(rotate(b1.orientation, axis_in_b) - Vec3{0, 0, 1}), 1e-9);
    World world(assembly.scene);
    EXPECT_LT(world.frame().max_joint_error, 1e-9);
    EXPECT_LT(std::abs(world.frame().axes.at(0).position), 0.1 + 1e-9);
}

// Included scenes are moved as a whole, with the places that their joints mean; files keep them.
TEST(SpecMultibody, meant_places_move_with_includes) {
    auto part = std::make_shared<Scene>();
    part->bodies = {block("a", {}), block("b", {2, 0, 0})};
    JointDesc joint = joint_of("j", "a", "b", BallJoint{{1, 0, 0}});
    joint.at_b = Placement{{2, 0.5, 0}, from_axis_angle({0, 0, 1}, 0.3)};
    part->joints = {joint};
    Scene scene;
    IncludeDesc include;
    include.file = "part", include.position = {5, 6, 7}, include.orientation = from_axis_angle({1, 2, 3}, 1);
    include.scene = part;
    scene.include = {include};
    // The gap is the same wherever the scene is put.
    EXPECT_NEAR(World(scene).frame().max_joint_error, World(*part).frame().max_joint_error, 1e-12);
    EXPECT_GT(World(*part).frame().max_joint_error, 0.1);
    const Scene again = parse_scene(to_json(*part));
    ASSERT_TRUE(again.joints.at(0).at_b && !again.joints.at(0).at_a);
    EXPECT_EQ(again.joints[0].at_b->position, joint.at_b->position);
    EXPECT_EQ(again.joints[0].at_b->orientation, joint.at_b->orientation);
}

TEST(SpecMultibody, assemble_tells_what_cannot_be_closed) {
    // A rod of 0.5 m between two pegs 3 m apart.
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("rod", {}));
    JointDesc left = joint_of("left", "", "rod", BallJoint{{-1.5, 0, 0}});
    JointDesc right = joint_of("right", "", "rod", BallJoint{{1.5, 0, 0}});
    left.at_b = Placement{{-1.25, 0, 0}, {}}, right.at_b = Placement{{1.25, 0, 0}, {}};
    scene.joints = {left, right};
    const Assembly assembly = assemble(scene);
    EXPECT_FALSE(assembly.is_closed);
    EXPECT_NEAR(assembly.joints[0].after.distance, 1.25, 0.01);
    EXPECT_NEAR(assembly.joints[1].after.distance, 1.25, 0.01);

    scene.joints = {joint_of("gear", "", "rod", GearJoint{})};
    EXPECT_THROW(assemble(scene), InputError);
    scene.joints[0].at_b = Placement{};
    EXPECT_FALSE(validate(scene).empty());
    left.at_a = Placement{};  // the world has but one place
    scene.joints = {left};
    EXPECT_FALSE(validate(scene).empty());
}

// The same rods in a world that is not assembled first: they come together, and nothing explodes.
TEST(SpecMultibody, T20_torn_world_heals) {
    for (const std::string seed : {"7", "8", "9"}) {
        if (seed != "7" && !is_long()) break;
        World world(scattered(seed));
        EXPECT_GT(world.frame().max_joint_error, 3);
        int steps = 0;
        double energy = 0;
        for (; steps < 500 && world.frame().max_joint_error > 1e-5; ++steps) {
            ASSERT_TRUE(world.step().ok) << seed;
            energy = std::max(energy, world.frame().energy.kinetic);
        }
        EXPECT_LE(world.frame().max_joint_error, 1e-5) << seed;
        EXPECT_LT(steps, 500) << seed;
        // Gravity alone can give no more: rod k of 1 kg falls from k + 1/2 above the peg, or 5 m more, to
        // below it.
        double most = 0;
        for (int k = 0; k < 20; ++k) most += 9.81 * (2 * (k + 0.5) + 5);
        EXPECT_LT(energy, most) << seed;
        for (int k = 0; k < 100; ++k) ASSERT_TRUE(world.step().ok);
        EXPECT_LE(world.frame().max_joint_error, 1e-5) << seed;
    }
}

// A chain between two drives that pull its ends apart, far beyond its length; when they let go, it closes.
TEST(SpecMultibody, T21_extreme_pull) {
    Scene scene;
    scene.settings.dt = 0.01;
    const int n = 10;
    for (int k = 0; k < n; ++k) {
        BodyDesc rod;
        rod.name = "r" + std::to_string(k), rod.shape = Box{{1, 0.1, 0.1}}, rod.mass = 1,
        rod.collides = false;
        rod.position = {k + 0.5, 0, 0};
        scene.bodies.push_back(rod);
        if (k > 0)
            scene.joints.push_back(joint_of("j" + std::to_string(k), "r" + std::to_string(k - 1), rod.name,
                                            BallJoint{{1.0 * k, 0, 0}}));
    }
    for (const int side : {0, 1}) {
        BodyDesc hand;
        hand.name = "hand" + std::to_string(side), hand.shape = Sphere{.radius = 0.2};
        hand.kind = BodyKind::Kinematic, hand.collides = false;
        hand.position = {side * 1.0 * n, 0, 0}, hand.velocity = {side == 0 ? -5.0 : 5.0, 0, 0};
        scene.bodies.push_back(hand);
        scene.joints.push_back(joint_of("grip" + std::to_string(side), hand.name,
                                        side == 0 ? "r0" : "r" + std::to_string(n - 1),
                                        BallJoint{hand.position}));
    }
    World world(scene);
    double energy = 0;
    for (int k = 0; k < 200; ++k) {  // 20 m farther apart than the chain is long
        ASSERT_TRUE(world.step().ok) << k;
        energy = std::max(energy, world.frame().energy.kinetic);
    }
    EXPECT_GT(world.frame().max_joint_error, 0.5);
    for (const char* grip : {"grip0", "grip1"}) world.apply(SetJoint{grip, false});
    int steps = 0;
    for (; steps < 500 && (steps == 0 || world.frame().max_joint_error > 1e-6); ++steps) {
        ASSERT_TRUE(world.step().ok) << steps;
        energy = std::max(energy, world.frame().energy.kinetic);
    }
    EXPECT_LE(world.frame().max_joint_error, 1e-6);
    // Rods as fast as the hands have 125 J together, and they fall for 7 s at most: 24 kJ.
    EXPECT_LT(energy, 3e4);
}

}  // namespace
}  // namespace impuls
