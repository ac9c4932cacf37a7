// What the page is told of a scene: where each body and joint is written, also when bodies have come and
// gone.
#include <gtest/gtest.h>

#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "studio/structure.h"

namespace impuls::studio {
namespace {

const char* const kText = R"({
    "impuls": 1,
    "materials": [{"name": "red", "color": [1, 0, 0]}],
    "bodies": [
        {"shape": {"type": "sphere", "radius": 0.1}, "position": [0, 5, 0]},
        {"name": "row", "shape": {"type": "convex", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}, "material": "red",
         "position": [2, 0, 0], "repeat": {"count": [3, 1, 1], "spacing": [2, 0, 0], "where": "i != 1"}},
        {"name": "last", "shape": {"type": "box", "size": [1, 2, 3]}, "color": [0, 0, 1], "position": [0, 0, 9]}
    ],
    "joints": [{"name": "j", "type": "ball", "b": "last", "anchor": [0, 0, 9]}]
})";

TEST(StudioStructure, says_where_each_body_is_written) {
    const Scene scene = parse_scene(kText);
    const Structure structure = describe_structure(expand(scene), &scene);
    const Json::Value& bodies = structure.json["bodies"];
    ASSERT_EQ(bodies.size(), 4u);
    const int places[] = {0, 1, 1, 2};
    for (Json::ArrayIndex k = 0; k < 4; ++k) EXPECT_EQ(bodies[k]["written"].asInt(), places[k]) << k;
    EXPECT_TRUE(bodies[1]["copy"].asBool());
    EXPECT_FALSE(bodies[3]["copy"].asBool());
    EXPECT_EQ(bodies[1]["color"][0].asDouble(), 1);
    EXPECT_EQ(bodies[3]["color"][2].asDouble(), 1);
    EXPECT_EQ(bodies[3]["shape"]["size"][2].asDouble(), 3);
    EXPECT_EQ(structure.surfaces.size(), 1u);  // both copies share it
    EXPECT_EQ(bodies[2]["shape"]["surface"].asInt(), 0);
    EXPECT_EQ(structure.json["joints"][0]["b"].asInt(), 3);
    EXPECT_EQ(structure.json["joints"][0]["points"][0][2].asDouble(), 9);
}

TEST(StudioStructure, bodies_that_came_or_went_shift_no_others) {
    const Scene scene = parse_scene(kText);
    World world(scene);
    world.apply(Remove{.bodies = {"row[0]"}});
    BodyDesc added;
    added.name = "new";
    added.shape = Sphere{};
    added.position = {0, 20, 0};
    world.apply(Put{.bodies = {added}});
    ASSERT_TRUE(world.step().ok);
    const Structure structure = describe_structure(*world.structure(), &scene);
    std::map<std::string, int> places;
    for (const Json::Value& body : structure.json["bodies"])
        places[body["name"].asString()] = body["written"].asInt();
    EXPECT_EQ(places, (std::map<std::string, int>{{"body[0]", 0}, {"row[1]", 1}, {"last", 2}, {"new", -1}}));
    for (const Json::Value& body : describe_structure(*world.structure(), nullptr).json["bodies"])
        EXPECT_EQ(body["written"].asInt(), -1);
}

}  // namespace
}  // namespace impuls::studio
