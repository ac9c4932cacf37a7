// Wheels of gears and racks must run in bearings: otherwise a world refuses them and says why.
#include <gtest/gtest.h>

#include "impuls/errors.h"
#include "world/running.h"

namespace impuls {
namespace {

JointDesc of_name(const std::string& name, const std::string& a, const std::string& b, const Joint& joint,
                  const std::string& frame = "") {
    JointDesc desc;
    desc.name = name, desc.a = a, desc.b = b, desc.joint = joint, desc.frame = frame;
    return desc;
}

Scene two_wheels() {
    Scene scene;
    scene.bodies.push_back(some_body("a", Cylinder{0.5, 0.1}, {0, 0, 0}));
    scene.bodies.push_back(some_body("b", Cylinder{0.5, 0.1}, {1, 0, 0}));
    scene.joints.push_back(of_name("gear", "a", "b", GearJoint{{0, 1, 0}, {0, 1, 0}, -1}));
    return scene;
}

std::string refusal_of(const Scene& scene) {
    try {
        const World world(scene);
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

TEST(Bearings, free_wheels_are_refused_by_name) {
    const std::string text = refusal_of(two_wheels());
    EXPECT_NE(text.find("/joints/gear"), std::string::npos) << text;
    EXPECT_NE(text.find("'a'"), std::string::npos) << text;
    EXPECT_NE(text.find("'b'"), std::string::npos) << text;
    EXPECT_NE(text.find("hinge"), std::string::npos) << text;
}

TEST(Bearings, one_hinge_is_not_enough) {
    Scene scene = two_wheels();
    scene.joints.push_back(of_name("bearing", "", "a", HingeJoint{{0, 0, 0}, {0, 1, 0}, {}}));
    const std::string text = refusal_of(scene);
    EXPECT_EQ(text.find("'a'"), std::string::npos) << text;
    EXPECT_NE(text.find("'b'"), std::string::npos) << text;
}

// A hinge, two balls on the axis, a body that is fixed to a hinge, a plane: all keep an axis where it is.
TEST(Bearings, come_in_many_kinds) {
    const Vec3 y{0, 1, 0};
    for (int kind = 0; kind < 4; ++kind) {
        Scene scene = two_wheels();
        scene.joints.push_back(of_name("bearing", "", "a", HingeJoint{{0, 0, 0}, y, {}}));
        if (kind == 0) scene.joints.push_back(of_name("hinge", "", "b", HingeJoint{{1, 0, 0}, y, {}}));
        if (kind == 1) {
            scene.joints.push_back(of_name("top", "", "b", BallJoint{{1, 0.05, 0}}));
            scene.joints.push_back(of_name("bottom", "", "b", BallJoint{{1, -0.05, 0}}));
        }
        if (kind == 2) {
            scene.bodies.push_back(some_body("shaft", Cylinder{0.1, 1}, {1, 0.6, 0}));
            scene.joints.push_back(of_name("weld", "b", "shaft", FixedJoint{}));
            scene.joints.push_back(of_name("shaft bearing", "", "shaft", HingeJoint{{1, 1, 0}, y, {}}));
        }
        if (kind == 3) {
            PlanarJoint table;
            table.normal = y;
            scene.joints.push_back(of_name("table", "", "b", table));
        }
        EXPECT_EQ(refusal_of(scene), "") << kind;
    }
}

TEST(Bearings, may_float_with_their_frame) {
    Scene scene = two_wheels();
    scene.bodies.push_back(some_body("box", Box{{3, 0.1, 1}}, {0.5, -0.2, 0}));
    scene.joints[0].frame = "box";
    scene.joints.push_back(of_name("in a", "box", "a", HingeJoint{{0, 0, 0}, {0, 1, 0}, {}}));
    scene.joints.push_back(of_name("in b", "box", "b", HingeJoint{{1, 0, 0}, {0, 1, 0}, {}}));
    EXPECT_EQ(refusal_of(scene), "");
}

TEST(Bearings, pinions_need_them_and_racks_do_not) {
    Scene scene = two_wheels();
    scene.joints = {of_name("mesh", "a", "b", RackAndPinionJoint{{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0.5})};
    const std::string text = refusal_of(scene);
    EXPECT_NE(text.find("'a'"), std::string::npos) << text;
    EXPECT_EQ(text.find("'b'"), std::string::npos) << text;
    scene.joints.push_back(of_name("bearing", "", "a", HingeJoint{{0, 0, 0}, {0, 1, 0}, {}}));
    EXPECT_EQ(refusal_of(scene), "");
}

}  // namespace
}  // namespace impuls
