// What only a world can refuse, and what it makes of descriptions.
#include <gtest/gtest.h>

#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls {
namespace {

std::string error_of(const std::string& text) {
    try {
        World world(parse_scene(text, "s.json"));
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

// Nothing that passes the checks of its description may be without a narrow phase.
TEST(Build, every_shape_meets_every_other) {
    const std::string mesh =
        "{\"type\": \"mesh\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "
        "\"triangles\": [0,2,1, 0,3,2, 0,1,3, 1,2,3]}";
    const std::string convex = "{\"type\": \"convex\", \"points\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}";
    const std::string field = "{\"type\": \"height_field\", \"columns\": 2, \"heights\": [0,0,0,0]}";
    std::string text = "{\"impuls\": 1, \"bodies\": [";
    int n = 0;
    for (const std::string kind : {"static", "dynamic"})
        for (const std::string& shape :
             {std::string("\"plane\""), field, std::string("\"sphere\""), std::string("\"box\""),
              std::string("\"capsule\""), std::string("\"cylinder\""), std::string("\"cone\""),
              std::string("\"ellipsoid\""), convex, mesh}) {
            if (kind == "dynamic" && n % 10 < 2 && n >= 10) {
                ++n;
                continue;
            }
            const std::string body = shape[0] == '{' ? shape : "{\"type\": " + shape + "}";
            text += (n++ ? "," : "") + std::string("{\"kind\": \"") + kind + "\", \"shape\": " + body + "}";
        }
    EXPECT_EQ(error_of(text + "]}"), "");
}

TEST(Build, an_open_mesh_is_refused_with_its_place) {
    const std::string error =
        error_of(R"({"impuls": 1, "bodies": [{"kind": "static", "shape": {"type": "mesh",
        "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [0,1,2]}}]})");
    EXPECT_NE(error.find("the mesh is open at the edge"), std::string::npos) << error;
}

TEST(Build, a_lonely_shape_may_be_of_any_kind) {
    EXPECT_EQ(error_of(R"({"impuls": 1, "bodies": [{"shape": {"type": "ellipsoid"}}]})"), "");
}

TEST(Build, a_point_cannot_hang_away_from_itself) {
    const std::string head = R"({"impuls": 1, "bodies": [{"name": "p", "mass": 1, "shape": {"type": "point"},
                                 "position": [1, 0, 0]}], "joints": [{"name": "j", "b": "p", "type": "ball", "anchor": )";
    EXPECT_NE(error_of(head + "[0, 0, 0]}]}").find("a point cannot turn"), std::string::npos);
    EXPECT_EQ(error_of(head + "[1, 0, 0]}]}"), "");
}

// A nail and a mass point: the point falls, the nail stays.
TEST(Build, mass_points_fall_and_nails_stay) {
    World world(parse_scene(R"({"impuls": 1, "bodies": [
        {"name": "nail", "kind": "static", "shape": {"type": "point"}},
        {"name": "point", "mass": 2, "shape": {"type": "point"}}]})"));
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(world.pose(world.find_body("point")).position.y, -0.5 * 9.81, 1e-12);
    EXPECT_EQ(world.pose(world.find_body("nail")).position, Vec3{});
    EXPECT_NEAR(world.frame().energy.kinetic, 0.5 * 2 * 9.81 * 9.81, 1e-9);
}

// A cone's centre of mass is h/4 above its base: velocity is the centre's, position the frame's.
TEST(Build, position_is_of_the_frame_and_velocity_of_the_centre) {
    Scene scene;
    scene.settings.gravity = {};
    BodyDesc cone;
    cone.name = "cone", cone.shape = Cone{1, 4}, cone.angular_velocity = {0, 0, 1};
    scene.bodies.push_back(cone);
    World world(scene);
    const Pose before = world.pose(world.find_body("cone"));
    EXPECT_EQ(before.position, Vec3{});
    for (int k = 0; k < 314; ++k) world.step();
    // Half a turn about the centre at y = -1 carries the frame's origin from above to below it.
    EXPECT_NEAR(world.pose(world.find_body("cone")).position.y, -1 + std::cos(3.14), 1e-6);
    EXPECT_EQ(world.velocity(world.find_body("cone")), Vec3{});
}

TEST(Build, says_that_the_velocity_stepper_knows_newtons_law_only) {
    Scene scene;
    scene.materials.emplace_back().name = "rubber";
    scene.contacts.emplace_back();
    scene.contacts[0].a = scene.contacts[0].b = "rubber";
    scene.contacts[0].restitution = 0.5, scene.contacts[0].restitution_law = RestitutionLaw::Poisson;
    EXPECT_TRUE(World(scene).warnings().empty());
    scene.settings.method = parse_method("erleben");
    ASSERT_EQ(World(scene).warnings().size(), 1u);
    EXPECT_EQ(World(scene).warnings()[0].kind, WarningKind::LawNotMet);
    EXPECT_NE(describe(World(scene).warnings()[0]).find("'rubber'"), std::string::npos);
}

TEST(Build, given_mass_scales_the_inertia) {
    Scene scene;
    scene.settings.gravity = {};
    BodyDesc ball;
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.mass = 3, ball.angular_velocity = {0, 2, 0};
    scene.bodies.push_back(ball);
    World world(scene);
    EXPECT_NEAR(world.frame().energy.kinetic, 0.5 * (0.4 * 3 * 0.25) * 4, 1e-12);
}

}  // namespace
}  // namespace impuls
