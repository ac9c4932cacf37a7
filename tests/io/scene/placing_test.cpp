// Bodies placed relative to others, tensors of inertia, and shapes that are only drawn.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "scene/drawn_shape.h"

namespace impuls::placing {
namespace {

Scene scene_of(const std::string& bodies) {
    return parse_scene(R"({"impuls": 1, "bodies": [)" + bodies + "]}");
}

std::string complaint(const std::string& bodies) {
    try {
        expand(scene_of(bodies));
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

constexpr const char* kShape = R"("shape": {"type": "box", "size": [1, 2, 3]})";

std::string body(const std::string& name, const std::string& more) {
    return R"({"name": ")" + name + R"(", )" + kShape + more + "}";
}

void expect_near(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, 1e-12);
    EXPECT_NEAR(a.y, b.y, 1e-12);
    EXPECT_NEAR(a.z, b.z, 1e-12);
}

// A hand on an arm on a base that is turned by a right angle about y: x of the base is -z of the world.
TEST(Placing, relative_to_others_in_any_order) {
    const Scene scene = expand(scene_of(
        body("hand", R"(, "relative_to": "arm", "position": [0, 0, 1])") + "," +
        body(
            "arm",
            R"(, "relative_to": "base", "position": [2, 1, 0], "orientation": {"axis": [1, 0, 0], "angle": "pi/2"})") +
        "," +
        body("base", R"(, "position": [10, 0, 0], "orientation": {"axis": [0, 1, 0], "angle": "pi/2"})")));
    expect_near(scene.bodies[1].position, {10, 1, -2});
    // z of the arm is -y of the base, which is -y of the world.
    expect_near(scene.bodies[0].position, {10, 0, -2});
    for (const BodyDesc& each : scene.bodies) EXPECT_EQ(each.relative_to, "");
    expect_near(rotate(scene.bodies[0].orientation, {0, 1, 0}), {1, 0, 0});
}

TEST(Placing, copies_stand_in_the_frame_of_the_other) {
    const Scene scene = expand(scene_of(
        body("table", R"(, "position": [0, 5, 0], "orientation": {"euler": [0, 0, "pi/2"]})") + "," +
        body("cup", R"(, "relative_to": "table", "repeat": {"count": [3, 1, 1], "spacing": [1, 0, 0]})")));
    for (std::size_t k = 0; k < 3; ++k)
        expect_near(scene.bodies[1 + k].position, {0, 5 + static_cast<double>(k), 0});
}

TEST(Placing, mistakes_are_told) {
    EXPECT_NE(complaint(body("a", R"(, "relative_to": "bse")") + "," + body("base", ""))
                  .find("/bodies/0/relative_to: there is no body 'bse' in this file (did you mean 'base'?)"),
              std::string::npos);
    EXPECT_NE(complaint(body("a", R"(, "relative_to": "b")") + "," + body("b", R"(, "relative_to": "a")"))
                  .find("in a circle"),
              std::string::npos);
    EXPECT_NE(complaint(body("a", R"(, "relative_to": "b")") + "," +
                        body("b", R"(, "repeat": {"count": [2, 1, 1]})"))
                  .find("is many bodies"),
              std::string::npos);
}

// About the fixed x, then y, then z; the second by the entries of Rz Ry Rx.
TEST(Placing, euler_angles) {
    const Scene scene = scene_of(body("a", R"(, "orientation": {"euler": ["pi/2", "pi/2", 0]})"));
    expect_near(rotate(scene.bodies[0].orientation, {0, 1, 0}), {1, 0, 0});  // to z, then to x
    expect_near(rotate(scene.bodies[0].orientation, {0, 0, 1}), {0, -1, 0});
    const double a = 0.3, b = -0.7, c = 1.1;
    const Scene other = scene_of(body("a", R"(, "orientation": {"euler": [0.3, -0.7, 1.1]})"));
    expect_near(rotate(other.bodies[0].orientation, {1, 0, 0}),
                {std::cos(b) * std::cos(c), std::cos(b) * std::sin(c), -std::sin(b)});
    expect_near(
        rotate(other.bodies[0].orientation, {0, 0, 1}),
        {std::cos(a) * std::sin(b) * std::cos(c) + std::sin(a) * std::sin(c),
         std::cos(a) * std::sin(b) * std::sin(c) - std::sin(a) * std::cos(c), std::cos(a) * std::cos(b)});
    EXPECT_NE(to_json(other).find("\"euler\""), std::string::npos) << "as it was written";
    EXPECT_EQ(parse_scene(to_json(other)).bodies[0].orientation, other.bodies[0].orientation);
    for (const char* bad :
         {R"({"euler": [1, 2]})", R"({"euler": [1, 2, 3], "angle": 1})", R"({"eulr": [1, 2, 3]})"})
        EXPECT_THROW(scene_of(body("a", std::string(R"(, "orientation": )") + bad)), InputError) << bad;
}

TEST(Placing, tensors_that_no_body_has_are_refused) {
    EXPECT_EQ(complaint(body("a", R"(, "inertia": [2, 3, 4], "products_of_inertia": [0.5, 0.1, 0])")), "");
    EXPECT_NE(complaint(body("a", R"(, "products_of_inertia": [0.5, 0.1, 0])")).find("inertia is missing"),
              std::string::npos);
    // xy larger than the mean of xx and yy: a negative moment.
    EXPECT_NE(complaint(body("a", R"(, "inertia": [2, 3, 4], "products_of_inertia": [3, 0, 0])"))
                  .find("no body has this tensor"),
              std::string::npos);
    // Moments 1, 1 and 4, turned: positive, but 4 > 1 + 1.
    EXPECT_NE(complaint(body("a", R"(, "inertia": [1, 2.5, 2.5], "products_of_inertia": [0, 0, 1.5])"))
                  .find("no body has this tensor"),
              std::string::npos);
}

TEST(Placing, visual_shapes_are_drawn_and_checked) {
    const Scene scene =
        scene_of(body("a", R"(, "visual": [{"type": "sphere", "radius": 2, "position": [1, 0, 0]}])") + "," +
                 body("b", ""));
    EXPECT_TRUE(std::holds_alternative<Compound>(*DrawnShape(scene.bodies[0])));
    EXPECT_TRUE(std::holds_alternative<Box>(*DrawnShape(scene.bodies[1])));
    EXPECT_EQ(parse_scene(to_json(scene)).bodies[0].visual.size(), 1u);
    EXPECT_NE(complaint(body("a", R"(, "visual": [{"type": "convex", "points": [[0, 0, 0]]}])"))
                  .find("/visual/0/points"),
              std::string::npos);
    EXPECT_NE(
        complaint(body("a", R"(, "visual": [{"type": "sphere", "radius": -1}])")).find("/visual/0/radius"),
        std::string::npos);
}

}  // namespace
}  // namespace impuls::placing
