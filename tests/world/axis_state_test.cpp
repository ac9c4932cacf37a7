// Coordinates of joints, set at the start of a scene and by commands: what is read is what was set,
// everything that hangs on the joint goes along, and loops are refused.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/quantity.h"
#include "impuls/world.h"

namespace impuls {
namespace {

BodyDesc rod(const std::string& name, const Vec3& at) {
    BodyDesc body;
    body.name = name, body.shape = Box{{1, 0.1, 0.2}}, body.position = at, body.collides = false;
    return body;
}

template <class T>
JointDesc joined(const std::string& name, const std::string& a, const std::string& b, const T& joint) {
    JointDesc desc;
    desc.name = name, desc.a = a, desc.b = b, desc.joint = joint;
    return desc;
}

HingeJoint hinge_at(const Vec3& anchor) {
    HingeJoint hinge;
    hinge.anchor = anchor, hinge.axis = {0, 0, 1};
    return hinge;
}

// Rods one behind the other from the origin, on hinges "j0", "j1", …
Scene chain(int count) {
    Scene scene;
    scene.settings.gravity = {};
    for (int k = 0; k < count; ++k) {
        const std::string name = "rod" + std::to_string(k);
        scene.bodies.push_back(rod(name, {k + 0.5, 0, 0}));
        scene.joints.push_back(joined("j" + std::to_string(k), k > 0 ? "rod" + std::to_string(k - 1) : "",
                                      name, hinge_at({static_cast<double>(k), 0, 0})));
    }
    return scene;
}

HingeJoint& hinge_of(Scene& scene, int k) {
    return std::get<HingeJoint>(scene.joints[static_cast<std::size_t>(k)].joint);
}

double read(World& world, const std::string& name) {
    double value[3]{};
    find_quantity(name, *world.frame().structure).read(world.frame(), value);
    return value[0];
}

SetAxis setting(const std::string& joint, const std::string& axis, std::optional<double> position,
                std::optional<double> velocity = {}) {
    SetAxis c;
    c.joint = joint, c.axis = axis, c.position = position, c.velocity = velocity;
    return c;
}

TEST(AxisState, of_a_scene_is_where_it_starts) {
    Scene scene = chain(1);
    hinge_of(scene, 0).turn.position = 0.7;
    hinge_of(scene, 0).turn.velocity = 1.5;
    World world(scene);
    EXPECT_NEAR(read(world, "joints.j0.turn.position"), 0.7, 1e-13);
    EXPECT_NEAR(read(world, "joints.j0.turn.velocity"), 1.5, 1e-13);
    const Vec3 at = world.pose(world.find_body("rod0")).position;
    EXPECT_NEAR(at.x, 0.5 * std::cos(0.7), 1e-13);
    EXPECT_NEAR(at.y, 0.5 * std::sin(0.7), 1e-13);
    const Vec3 v = world.velocity(world.find_body("rod0"));
    EXPECT_NEAR(v.x, -0.75 * std::sin(0.7), 1e-12);
    EXPECT_NEAR(v.y, 0.75 * std::cos(0.7), 1e-12);
    EXPECT_LT(world.frame().max_joint_error, 1e-13);
}

// Turns count.
TEST(AxisState, goes_round_and_round) {
    for (const double angle : {7.0, -20.0}) {
        Scene scene = chain(1);
        hinge_of(scene, 0).turn.position = angle;
        World world(scene);
        EXPECT_NEAR(read(world, "joints.j0.turn.position"), angle, 1e-11);
        ASSERT_TRUE(world.step().ok);
        EXPECT_NEAR(read(world, "joints.j0.turn.position"), angle, 1e-9);
    }
}

// Joint by joint, in their order; what hangs on a joint goes along, other coordinates and rates stay.
TEST(AxisState, takes_along_what_hangs_on_it) {
    Scene scene = chain(3);
    hinge_of(scene, 0).turn.position = 0.4;
    hinge_of(scene, 1).turn.position = -0.9;
    hinge_of(scene, 2).turn.velocity = 2;
    World world(scene);
    world.apply(setting("j1", "turn", 1.1, -0.5));
    ASSERT_TRUE(world.step().ok);
    World still(scene);  // what the step itself does is little beside it: compare before it
    still.apply(setting("j1", "turn", 1.1, -0.5));
    const double dt = scene.settings.dt;
    EXPECT_NEAR(read(world, "joints.j0.turn.position"), 0.4, 0.1 * dt);
    EXPECT_NEAR(read(world, "joints.j1.turn.position"), 1.1, 2 * dt);
    EXPECT_NEAR(read(world, "joints.j2.turn.position"), 0 + 2 * dt, 2 * dt);
    EXPECT_NEAR(read(world, "joints.j1.turn.velocity"), -0.5, 0.5);
    EXPECT_LT(world.frame().max_joint_error, 1e-6);
}

TEST(AxisState, of_a_scene_takes_along_what_hangs_on_it) {
    Scene scene = chain(3);
    hinge_of(scene, 0).turn.position = 0.4;
    hinge_of(scene, 1).turn.position = -0.9;
    hinge_of(scene, 1).turn.velocity = 3;
    hinge_of(scene, 2).turn.velocity = 2;
    World world(scene);
    const double positions[]{0.4, -0.9, 0}, speeds[]{0, 3, 2};
    for (int k = 0; k < 3; ++k) {
        const std::string name = "joints.j" + std::to_string(k) + ".turn.";
        EXPECT_NEAR(read(world, name + "position"), positions[k], 1e-12);
        EXPECT_NEAR(read(world, name + "velocity"), speeds[k], 1e-12);
    }
    EXPECT_LT(world.frame().max_joint_error, 1e-12);
    const Vec3 at = world.pose(world.find_body("rod2")).position;
    EXPECT_NEAR(at.x, std::cos(0.4) + 1.5 * std::cos(-0.5), 1e-12);
    EXPECT_NEAR(at.y, std::sin(0.4) + 1.5 * std::sin(-0.5), 1e-12);
}

// Each axis of each of these, the others where they were.
TEST(AxisState, of_every_kind_of_axis) {
    std::vector<Joint> kinds{HingeJoint{}, SliderJoint{}, UniversalJoint{}, CylindricalJoint{},
                             BallJoint{},  PlanarJoint{}, ScrewJoint{},     SixDofJoint{}};
    for (const Joint& kind : kinds) {
        std::vector<std::string> axes;
        visit_axes(kind, [&](const char* name, const AxisDesc&) { axes.emplace_back(name); });
        for (const std::string& axis : axes) {
            Scene scene;
            scene.settings.gravity = {};
            scene.bodies = {rod("a", {0, 0, 0}), rod("b", {1, 0.2, 0})};
            scene.bodies[0].kind = BodyKind::Static;
            JointDesc desc;
            desc.name = "j", desc.a = "a", desc.b = "b", desc.joint = kind;
            visit_axes(desc.joint, [&](const char* name, AxisDesc& of) {
                if (axis == name) of.position = 0.3, of.velocity = -0.4;
            });
            scene.joints = {desc};
            World world(scene);
            for (const std::string& other : axes) {
                const bool is_it = other == axis;
                EXPECT_NEAR(read(world, "joints.j." + other + ".position"), is_it ? 0.3 : 0, 1e-9)
                    << kind.index() << ' ' << axis << ' ' << other;
                EXPECT_NEAR(read(world, "joints.j." + other + ".velocity"), is_it ? -0.4 : 0, 1e-9)
                    << kind.index() << ' ' << axis << ' ' << other;
            }
            EXPECT_LT(world.frame().max_joint_error, 1e-9) << kind.index() << ' ' << axis;
        }
    }
}

// b is static: a goes the other way.
TEST(AxisState, moves_the_side_that_can) {
    Scene scene;
    scene.settings.gravity = {};
    scene.bodies = {rod("a", {0, 0, 0}), rod("b", {1, 0, 0})};
    scene.bodies[1].kind = BodyKind::Static;
    scene.joints = {joined("j", "a", "b", hinge_at({0.5, 0, 0}))};
    std::get<HingeJoint>(scene.joints[0].joint).turn.position = 0.5;
    World world(scene);
    EXPECT_NEAR(read(world, "joints.j.turn.position"), 0.5, 1e-13);
    EXPECT_EQ(world.pose(world.find_body("b")).position, (Vec3{1, 0, 0}));
    EXPECT_NEAR(world.pose(world.find_body("a")).position.y, 0.5 * std::sin(0.5), 1e-12);
}

std::string complaint_of(const Scene& scene) {
    try {
        World world(scene);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(AxisState, loops_are_refused_and_nothing_is_applied) {
    Scene scene = chain(3);
    scene.joints.push_back(joined("end", "", "rod2", hinge_at({3, 0, 0})));
    Scene posed = scene;
    hinge_of(posed, 1).turn.position = 0.1;
    EXPECT_NE(complaint_of(posed).find("joint 'j1', axis 'turn'"), std::string::npos) << complaint_of(posed);
    EXPECT_NE(complaint_of(posed).find("loop"), std::string::npos);
    World world(scene);
    const auto before = world.state_hash();
    EXPECT_THROW(world.apply(setting("j1", "turn", 0.1)), InputError);
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_THROW(world.apply(setting("j1", "twist", 0.1)), InputError);
    EXPECT_THROW(world.apply(setting("j1", "turn", std::nan(""))), InputError);
    // In a batch whose second half is wrong, the first half is not applied either.
    World open(chain(1));
    Batch batch;
    batch.commands = {setting("j0", "turn", 0.5), setting("j9", "turn", 0.5)};
    EXPECT_THROW(open.apply(batch), InputError);
    ASSERT_TRUE(open.step().ok);
    EXPECT_EQ(read(open, "joints.j0.turn.position"), 0);
}

TEST(AxisState, a_disabled_joint_has_none) {
    Scene scene = chain(1);
    scene.joints[0].enabled = false;
    World world(scene);
    EXPECT_THROW(world.apply(setting("j0", "turn", 0.1)), InputError);
}

// What is put while running starts nowhere else, unless it is asked to, which is refused.
TEST(AxisState, of_joints_that_are_put) {
    World world(chain(1));
    Put put;
    put.joints = {joined("j0", "", "rod0", hinge_at({0, 0, 0}))};
    std::get<HingeJoint>(put.joints[0].joint).turn.position = 1;
    world.apply(put);
    ASSERT_TRUE(world.step().ok);
    EXPECT_NEAR(read(world, "joints.j0.turn.position"), 0, 1e-12);
    put.move = true;
    EXPECT_THROW(world.apply(put), InputError);
}

TEST(AxisState, a_checkpoint_after_it_goes_on_with_the_same_bits) {
    World one(chain(3)), other(chain(3));
    one.apply(setting("j1", "turn", 8, 1));
    ASSERT_TRUE(one.step().ok);
    other.restore(one.checkpoint());
    for (int k = 0; k < 10; ++k) {
        ASSERT_TRUE(one.step().ok && other.step().ok);
        ASSERT_EQ(one.state_hash(), other.state_hash());
    }
    EXPECT_NEAR(read(other, "joints.j1.turn.position"), 8, 2);
    EXPECT_GT(read(other, "joints.j1.turn.position"), 2 * 3.2);
}

}  // namespace
}  // namespace impuls
