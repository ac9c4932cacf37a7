// Expansion of scenes made in C++: grids, jitter, random turns, filters, includes, names, materials.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "impuls/scene.h"
#include "scene/described.h"

namespace impuls {
namespace {

BodyDesc cube(const std::string& name) {
    BodyDesc body;
    body.name = name;
    body.shape = Box{};
    return body;
}

Scene grid(const Vec3& count) {
    Scene scene;
    BodyDesc body = cube("cubes");
    body.position = {10, 0, 0};
    body.repeat.emplace();
    body.repeat->count = count;
    body.repeat->spacing = {2, 3, 5};
    scene.bodies.push_back(body);
    return scene;
}

TEST(Expand, GridFromPositionXFastest) {
    const Scene scene = expand(grid({2, 3, 2}));
    ASSERT_EQ(scene.bodies.size(), 12u);
    std::size_t k = 0;
    for (int z = 0; z < 2; ++z) {
        for (int y = 0; y < 3; ++y) {
            for (int x = 0; x < 2; ++x, ++k) {
                EXPECT_EQ(scene.bodies[k].name, "cubes[" + std::to_string(k) + "]");
                EXPECT_EQ(scene.bodies[k].position, (Vec3{10.0 + 2 * x, 3.0 * y, 5.0 * z}));
                EXPECT_FALSE(scene.bodies[k].repeat);
            }
        }
    }
    EXPECT_TRUE(validate(scene).empty());
    EXPECT_TRUE(same(expand(scene), scene));
}

TEST(Expand, ExpressionsPerCopyAndFilter) {
    Scene scene = grid({4, 2, 1});
    scene.variables = {{"r", 0.5}};
    // The stored values are those of the first copy, i = 0.
    scene.bodies[0].shape = Sphere{0.5};
    scene.bodies[0].velocity.y = 0;
    scene.spellings["/bodies/0/shape/radius"] = "\"r*(1+i)\"";
    scene.spellings["/bodies/0/velocity/1"] = "\"ix+10*iy\"";
    scene.spellings["/bodies/0/orientation"] = R"({"axis": [0, 0, 1], "angle": "i*pi/2"})";
    scene.bodies[0].repeat->where = "(ix+iy)%2 == 0";
    const Scene out = expand(scene);
    ASSERT_EQ(out.bodies.size(), 4u);
    const int ix[] = {0, 2, 1, 3}, iy[] = {0, 0, 1, 1}, i[] = {0, 2, 5, 7};
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(out.bodies[k].name, "cubes[" + std::to_string(k) + "]") << "no gaps";
        EXPECT_EQ(std::get<Sphere>(out.bodies[k].shape).radius, 0.5 * (1 + i[k]));
        EXPECT_EQ(out.bodies[k].velocity.y, ix[k] + 10 * iy[k]);
        EXPECT_EQ(out.bodies[k].position, (Vec3{10.0 + 2 * ix[k], 3.0 * iy[k], 0}));
        EXPECT_EQ(out.bodies[k].orientation, from_axis_angle({0, 0, 1}, i[k] * 3.14159265358979323846 / 2));
    }
    EXPECT_TRUE(out.variables.empty() && out.spellings.empty());
}

TEST(Expand, AnEditOvertakesTheSpelling) {
    Scene scene = grid({3, 1, 1});
    scene.spellings["/bodies/0/velocity/1"] = "\"i\"";
    scene.bodies[0].velocity.y = 7;  // the spelling says 0
    for (const BodyDesc& body : expand(scene).bodies) EXPECT_EQ(body.velocity.y, 7);
}

TEST(Expand, JitterIsBoundedSeededAndPerCopy) {
    Scene scene = grid({10, 10, 10});
    scene.bodies[0].repeat->jitter = 0.1;
    const Scene a = expand(scene);
    EXPECT_TRUE(same(expand(scene), a));
    const Scene plain = expand(grid({10, 10, 10}));
    double largest = 0, mean = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
        const Vec3 shift = a.bodies[k].position - plain.bodies[k].position;
        for (int c = 0; c < 3; ++c) {
            largest = std::max(largest, std::abs(shift[c]));
            mean += shift[c] / 3000;
        }
    }
    EXPECT_LE(largest, 0.1 + 1e-12);
    EXPECT_GT(largest, 0.099);
    EXPECT_NEAR(mean, 0, 0.005);

    // Another seed gives other draws; a filter does not change the draws of those it keeps.
    scene.bodies[0].repeat->seed = 2;
    EXPECT_NE(expand(scene).bodies[0].position, a.bodies[0].position);
    scene.bodies[0].repeat->seed = 1;
    scene.bodies[0].repeat->where = "i == 500";
    EXPECT_EQ(expand(scene).bodies[0].position, a.bodies[500].position);
}

TEST(Expand, RandomOrientationIsComposed) {
    Scene scene = grid({50, 1, 1});
    scene.bodies[0].repeat->random_orientation = true;
    const Scene a = expand(scene);
    scene.bodies[0].orientation = from_axis_angle({1, 2, 3}, 0.7);
    const Scene b = expand(scene);
    for (std::size_t k = 0; k < 50; ++k) {
        const Quat expected = a.bodies[k].orientation * scene.bodies[0].orientation;
        EXPECT_NEAR(b.bodies[k].orientation.w, expected.w, 1e-15);
        EXPECT_NEAR(b.bodies[k].orientation.z, expected.z, 1e-15);
    }
    EXPECT_NE(a.bodies[0].orientation, a.bodies[1].orientation);
}

TEST(Expand, NamesAndDefaultMaterial) {
    Scene scene = grid({2, 1, 1});
    scene.bodies[0].name.clear();
    scene.bodies.push_back(cube(""));
    scene.bodies.push_back(cube("last"));
    scene.materials.push_back({});
    scene.materials[0].name = "steel";
    scene.bodies[2].material = "steel";
    scene.joints.resize(1);
    scene.joints[0].b = "body[2]";
    const Scene out = expand(scene);
    EXPECT_EQ(out.bodies[0].name, "body[0]");
    EXPECT_EQ(out.bodies[2].name, "body[2]");
    EXPECT_EQ(out.bodies[3].name, "last");
    EXPECT_EQ(out.joints[0].name, "joint[0]");
    EXPECT_EQ(out.bodies[0].material, "default");
    EXPECT_EQ(out.bodies[3].material, "steel");
    ASSERT_EQ(out.materials.size(), 2u);
    EXPECT_EQ(out.materials[1].name, "default");
}

TEST(Expand, JointsRepeatByExpressions) {
    Scene scene = grid({5, 1, 1});
    JointDesc joint;
    joint.name = "link";
    joint.a = "cubes[0]", joint.b = "cubes[1]";
    joint.joint = BallJoint{{11, 0, 0}};
    joint.repeat.emplace();
    joint.repeat->count = {4, 1, 1};
    scene.joints.push_back(joint);
    scene.spellings["/joints/0/a"] = "\"cubes[{i}]\"";
    scene.spellings["/joints/0/b"] = "\"cubes[{i+1}]\"";
    scene.spellings["/joints/0/anchor/0"] = "\"11+2*i\"";
    const Scene out = expand(scene);
    ASSERT_EQ(out.joints.size(), 4u);
    EXPECT_EQ(out.joints[3].name, "link[3]");
    EXPECT_EQ(out.joints[3].a, "cubes[3]");
    EXPECT_EQ(out.joints[3].b, "cubes[4]");
    EXPECT_EQ(std::get<BallJoint>(out.joints[3].joint).anchor, (Vec3{17, 0, 0}));
}

TEST(Expand, IncludesArePrefixedAndMoved) {
    auto arm = std::make_shared<Scene>();
    arm->bodies = {cube("base"), cube("hand")};
    arm->bodies[1].position = {1, 0, 0};
    arm->bodies[1].velocity = {1, 0, 0};
    arm->bodies[1].angular_velocity = {0, 1, 0};
    arm->joints.resize(1);
    arm->joints[0].name = "wrist", arm->joints[0].a = "base", arm->joints[0].b = "hand";
    arm->joints[0].joint = BallJoint{{0.5, 0, 0}};
    arm->materials.push_back({});
    arm->materials[0].name = "steel";

    Scene scene;
    scene.materials = arm->materials;
    scene.bodies = {cube("floor")};
    scene.include.resize(2);
    for (IncludeDesc& include : scene.include) include.file = "arm.json", include.scene = arm;
    scene.include[0].name = "left";
    scene.include[1].name = "right";
    scene.include[1].position = {0, 10, 0};
    scene.include[1].orientation = from_axis_angle({0, 0, 1}, 3.14159265358979323846 / 2);  // x -> y
    const Scene out = expand(scene);
    ASSERT_EQ(out.bodies.size(), 5u);
    EXPECT_EQ(out.bodies[0].name, "left/base");
    EXPECT_EQ(out.bodies[3].name, "right/hand");
    EXPECT_EQ(out.bodies[4].name, "floor");
    EXPECT_EQ(out.bodies[1].position, (Vec3{1, 0, 0}));
    EXPECT_LT(length(out.bodies[3].position - Vec3{0, 11, 0}), 1e-15);
    EXPECT_LT(length(out.bodies[3].velocity - Vec3{0, 1, 0}), 1e-15);
    EXPECT_LT(length(out.bodies[3].angular_velocity - Vec3{-1, 0, 0}), 1e-15);
    EXPECT_EQ(out.joints[1].name, "right/wrist");
    EXPECT_EQ(out.joints[1].a, "right/base");
    EXPECT_LT(length(std::get<BallJoint>(out.joints[1].joint).anchor - Vec3{0, 10.5, 0}), 1e-15);
    EXPECT_EQ(out.materials.size(), 2u);  // steel once, default
    EXPECT_TRUE(out.include.empty());
}

TEST(Expand, HundredThousandBodiesQuickly) {
    Scene scene = grid({100, 10, 100});
    scene.bodies[0].repeat->jitter = 0.1;
    scene.bodies[0].repeat->random_orientation = true;
    scene.spellings["/bodies/0/velocity/1"] = "\"sin(i)*ix\"";
    const auto start = std::chrono::steady_clock::now();
    const Scene out = expand(scene);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::set<std::string> names;
    for (const BodyDesc& body : out.bodies) names.insert(body.name);
    EXPECT_EQ(names.size(), 100'000u);
    EXPECT_LT(seconds.count(), 20) << "two orders below this is usual; sanitizers are slow";
    RecordProperty("seconds", std::to_string(seconds.count()));
}

}  // namespace
}  // namespace impuls
