// `impuls query` against closed forms.
#include "cli/program.h"

namespace impuls::test {
namespace {

TEST_F(Cli, QueryTellsWhatARayHits) {
    const std::string file = write("drop.json", R"({"impuls": 1, "settings": {"dt": 0.01}, "bodies": [
        {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 9, 0]}]})");
    const Json::Value at_once = run_json({"query", file, "--ray", "0,20,0,0,-2,0", "--json"});
    ASSERT_EQ(at_once["hits"].size(), 2u);
    EXPECT_EQ(at_once["hits"][0]["body"], "ball");
    EXPECT_NEAR(at_once["hits"][0]["distance"].asDouble(), 10.5, 1e-12);
    EXPECT_EQ(at_once["hits"][1]["body"], "ground");
    EXPECT_NEAR(at_once["hits"][1]["distance"].asDouble(), 20, 1e-12);
    // After 1 s of free fall the ball's top is at 9.5 - g / 2.
    const Json::Value later = run_json({"query", file, "--ray", "0,20,0,0,-1,0", "--time", "1", "--json"});
    EXPECT_NEAR(later["time"].asDouble(), 1, 1e-12);
    EXPECT_NEAR(later["hits"][0]["distance"].asDouble(), 10.5 + 9.81 / 2, 1e-9);
    const Json::Value near = run_json({"query", file, "--point", "0,9.25,0", "--json"});
    EXPECT_NEAR(near["hits"][0]["distance"].asDouble(), -0.25, 1e-12);
    EXPECT_TRUE(near["hits"][0]["inside"].asBool());
    EXPECT_TRUE(contains(run({"query", file, "--ray", "0,20,0,0,-1,0"}).out, "ball"));
    const std::string rope = write("rope.json", R"({"impuls": 1, "bodies": [{"name": "rope", "mass": 1,
        "shape": {"type": "rope", "from": [0, 0, 0], "to": [2, 0, 0], "pieces": 4, "radius": 0.1}}]})");
    const Json::Value link = run_json({"query", rope, "--ray", "0.7,5,0,0,-1,0", "--json"})["hits"][0];
    EXPECT_EQ(link["body"], "rope");
    EXPECT_NEAR(link["distance"].asDouble(), 4.9, 1e-12);
    ASSERT_EQ(link["particles"].size(), 2u);
    EXPECT_EQ(link["particles"][0].asInt(), 1);
    EXPECT_EQ(link["particles"][1].asInt(), 2);
    EXPECT_TRUE(contains(run({"query", rope, "--point", "0.7,5,0"}).out, "link 1-2"));
    EXPECT_EQ(run({"query", file}).code, 2);
    EXPECT_EQ(run({"query", file, "--ray", "0,20,0,0,0,0"}).code, 2);
}

}  // namespace
}  // namespace impuls::test
