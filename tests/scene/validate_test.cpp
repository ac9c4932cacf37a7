// Validation of scenes made in C++: no file, so messages have paths only.
#include <gtest/gtest.h>

#include <limits>

#include "impuls/scene.h"

namespace impuls {
namespace {

std::string problems(const Scene& scene) {
    std::string text;
    for (const Issue& issue : validate(scene)) text += issue.text() + "\n";
    return text;
}

BodyDesc body(const std::string& name, const Shape& shape = Box{}) {
    BodyDesc b;
    b.name = name;
    b.shape = shape;
    return b;
}

TEST(Validate, AnEmptySceneIsFine) {
    EXPECT_EQ(problems({}), "");
}

TEST(Validate, RangesAndFiniteness) {
    Scene scene;
    scene.settings.dt = 0;
    scene.settings.gravity.y = std::numeric_limits<double>::quiet_NaN();
    scene.bodies = {body("a", Sphere{-1}), body("b")};
    scene.bodies[1].orientation = {0, 0, 0, 0};
    scene.bodies[1].position.z = std::numeric_limits<double>::infinity();
    EXPECT_EQ(problems(scene),
              "/settings/gravity/1: nan is not a finite number\n"
              "/settings/dt: 0 is not > 0\n"
              "/bodies/0/shape/radius: -1 is not > 0\n"
              "/bodies/1/position/2: inf is not a finite number\n"
              "/bodies/1/orientation: a rotation of length zero has no direction\n");
}

TEST(Validate, CountsAreRefusedBeforeMemoryIsTaken) {
    Scene scene;
    scene.bodies = {body("a"), body("b"), body("c")};
    for (BodyDesc& b : scene.bodies) {
        b.repeat.emplace();
        b.repeat->count = {200, 100, 200};
    }
    EXPECT_EQ(
        problems(scene),
        "/bodies/2/repeat/count: brings the number of bodies to 12000000; at most 10000000 are possible\n");
    scene.bodies[0].repeat->count = {1e300, 1e300, 2};
    EXPECT_EQ(problems(scene),
              "/bodies/0/repeat/count: brings the number of bodies to inf; at most 10000000 are possible\n");
    scene.bodies.resize(1);
    scene.bodies[0].repeat->count = {2.5, 1, 1};
    EXPECT_EQ(problems(scene), "/bodies/0/repeat/count/0: 2.5 is not a whole number\n");
}

TEST(Validate, IncludeBombsAreRefused) {
    auto scene = std::make_shared<Scene>();
    for (int level = 0; level < 50; ++level) {
        auto outer = std::make_shared<Scene>();
        outer->include.resize(4);
        for (std::size_t k = 0; k < 4; ++k) {
            outer->include[k].file = "x";
            outer->include[k].name = std::to_string(k);
            outer->include[k].scene = scene;
        }
        scene = outer;
    }
    EXPECT_EQ(problems(*scene), "/include: more than 10000 files are included in all\n");
}

TEST(Validate, TimelineFollowsTime) {
    Scene scene;
    scene.bodies = {body("a")};
    scene.timeline = {
        {2, SetForce{"late", {}, {}}}, {1, Put{.bodies = {body("late")}}}, {3, Remove{.bodies = {"late"}}},
        {4, SetForce{"late", {}, {}}}, {0.5, SetForce{"late", {}, {}}},
    };
    EXPECT_EQ(problems(scene),
              "/timeline/4/body: unknown body 'late'\n"
              "/timeline/3/body: unknown body 'late' (removed before)\n");
}

TEST(Validate, CommandsAreChecked) {
    Scene scene;
    scene.bodies = {body("a"), body("b")};
    scene.joints.resize(1);
    scene.joints[0].name = "j", scene.joints[0].b = "a";
    BodyDesc bad = body("a", Plane{});
    bad.repeat.emplace();
    JointDesc joint;
    joint.name = "j", joint.a = "a", joint.b = "c";
    BodyDesc plain = body("d"), unnamed = body("");
    plain.material = "stel";
    scene.materials.push_back({});
    scene.materials[0].name = "steel";
    Batch batch;
    batch.commands = {SetForce{"a", {}, {}}, SetForce{"d", {}, {}}, SetForce{"e", {}, {}}};
    MethodDesc method;
    method.preset = "fats";
    scene.timeline = {{0, Put{.bodies = {bad}}},
                      {0, Put{.joints = {joint}}},
                      {0, Remove{.joints = {"k"}}},
                      {0, Put{.bodies = {plain, unnamed}}},
                      {0, batch},
                      {0, SetMethod{method}}};
    EXPECT_EQ(problems(scene),
              "/timeline/0/bodies/0/shape: a plane has no mass: its body must be static or kinematic\n"
              "/timeline/0/bodies/0/repeat: a command puts single things\n"
              "/timeline/1/joints/0/b: unknown body 'c'\n"
              "/timeline/2/joints/0: unknown joint 'k'\n"
              "/timeline/3/bodies/0/material: unknown material 'stel' (did you mean 'steel'?)\n"
              "/timeline/3/bodies/1/name: what is put needs a name\n"
              "/timeline/4/commands/2/body: unknown body 'e'\n"
              "/timeline/5/method/preset: unknown method 'fats' (did you mean 'fast'?)\n");
}

TEST(Validate, MaterialsOfIncludes) {
    auto other = std::make_shared<Scene>();
    other->file = "other.json";
    other->materials.resize(1);
    other->materials[0].name = "steel";
    Scene scene;
    scene.materials = other->materials;
    scene.include.resize(1);
    scene.include[0].file = "other.json";
    scene.include[0].scene = other;
    EXPECT_EQ(problems(scene), "");
    scene.materials[0].density = 7800;
    EXPECT_EQ(problems(scene), "/materials/0/name: material 'steel' is different in other.json\n");
}

TEST(Validate, ContactsOfMaterials) {
    Scene scene;
    scene.materials.resize(2);
    scene.materials[0].name = "steel", scene.materials[1].name = "wood";
    scene.materials[1].static_friction = 0.4;
    scene.contacts.resize(4);
    scene.contacts[0].a = "steel", scene.contacts[0].b = "wood";
    scene.contacts[1].a = "wood", scene.contacts[1].b = "steel";
    scene.contacts[2].a = "stel", scene.contacts[2].b = "default";
    scene.contacts[3].a = "wood", scene.contacts[3].b = "wood";
    scene.contacts[3].friction = 0.5, scene.contacts[3].static_friction = 0.4;
    ContactDesc set;
    set.a = "wood", set.b = "woood", set.restitution = 2;
    scene.timeline = {{0, Put{.contacts = {set}}}};
    EXPECT_EQ(problems(scene),
              "/timeline/0/contacts/0/restitution: 2 is not between 0 and 1\n"
              "/materials/1/static_friction: is below friction\n"
              "/contacts/1: there is another contact of 'wood' and 'steel'\n"
              "/contacts/2/a: unknown material 'stel' (did you mean 'steel'?)\n"
              "/contacts/3/static_friction: is below friction\n"
              "/timeline/0/contacts/0/b: unknown material 'woood' (did you mean 'wood'?)\n");
}

TEST(Validate, ContactsOfIncludes) {
    auto other = std::make_shared<Scene>();
    other->file = "other.json";
    other->contacts.resize(1);
    other->contacts[0].a = other->contacts[0].b = "default";
    other->contacts[0].friction = 0.7;
    Scene scene;
    scene.contacts = other->contacts;
    scene.include.resize(1);
    scene.include[0].file = "other.json";
    scene.include[0].scene = other;
    EXPECT_EQ(problems(scene), "");
    EXPECT_EQ(expand(scene).contacts.size(), 1u);
    EXPECT_EQ(expand(scene).materials.at(0).name, "default");
    scene.contacts[0].friction = 0.2;
    EXPECT_EQ(problems(scene),
              "/contacts/0: there is another contact of 'default' and 'default' in other.json\n");
}

TEST(Validate, JointsThatMakeNoSense) {
    Scene scene;
    scene.bodies = {body("a"), body("b")};
    scene.joints.resize(2);
    scene.joints[0].a = "a", scene.joints[0].b = "a";
    scene.joints[1].a = "a", scene.joints[1].b = "b";
    scene.joints[1].repeat.emplace();
    scene.joints[1].repeat->spacing = {1, 0, 0};
    EXPECT_EQ(problems(scene),
              "/joints/0/b: joins 'a' to itself\n"
              "/joints/1/repeat/spacing: moves nothing in a joint: use expressions of i\n");
}

TEST(Validate, MassOfABody) {
    Scene scene;
    scene.bodies = {body("a"), body("b", Point{}), body("c", Point{}), body("d", Point{})};
    scene.bodies[2].mass = -1;
    scene.bodies[3].mass = 1, scene.bodies[3].density = 1;
    EXPECT_EQ(problems(scene),
              "/bodies/1: a dynamic point needs a mass\n"
              "/bodies/2/mass: -1 is not > 0\n"
              "/bodies/3/density: mass is given too: leave one out\n");
}

}  // namespace
}  // namespace impuls
