// Who advanced the islands of a run, as `impuls run` and `impuls compare` tell it.
#include "cli/program.h"

namespace impuls::test {
namespace {

// A box that slides on a plane.
constexpr const char* kSlidingBox = R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 0.2}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    {"name": "box", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0.5, 0], "velocity": [5, 0, 0]}]})";

// Boxes with lively contacts: Newton's law for all contacts at once makes energy, which the velocity stepper
// does not give.
constexpr const char* kLivelyTower = R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 1},
    "materials": [{"name": "m", "restitution": 0.9, "friction": 1}], "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "material": "m"},
    {"name": "box", "shape": {"type": "box", "size": [1, 1, 1]}, "material": "m", "position": [0, 1, 0],
     "angular_velocity": [1, 0, 2], "repeat": {"count": [1, 6, 1], "spacing": [0.1, 1.01, 0]}}]})";

TEST_F(Cli, RunSaysWhoAdvancedTheIslands) {
    const std::string scene = write("pendulum.json", kPendulum);
    const Json::Value json = run_json({"run", scene, "--json", "--steps", "30"});
    const Json::Value& outcomes = json["outcomes"];
    EXPECT_EQ(outcomes["island_steps"]["articulated"].asInt(), 30);
    EXPECT_EQ(outcomes["island_steps"].size(), 1u);
    EXPECT_GE(outcomes["substeps_mean"].asDouble(), 1);
    EXPECT_GE(outcomes["iterations_mean"].asDouble(), 1);
    EXPECT_GE(outcomes["residual_max"].asDouble(), 0);
    EXPECT_EQ(outcomes["energy_removed"].asDouble(), 0);
    EXPECT_TRUE(outcomes["retries"].isInt());
    EXPECT_TRUE(outcomes["refused"].empty());
    EXPECT_TRUE(json["warnings"].empty());

    const Outcome text = run({"run", scene, "--steps", "30"});
    EXPECT_TRUE(contains(text.out, "island-steps  articulated 30, ")) << text.out;
    EXPECT_TRUE(contains(text.out, "0 J removed")) << text.out;
    EXPECT_FALSE(contains(text.err, "warning")) << text.err;
}

TEST_F(Cli, RunSaysWhyOthersDidNot) {
    const Json::Value refused =
        run_json({"run", write("box.json", kSlidingBox), "--json"})["outcomes"]["refused"];
    EXPECT_EQ(refused["articulated"]["has_no_joints"].asInt(), 20);
    EXPECT_EQ(refused["blocks"]["too_small"].asInt(), 20);
    EXPECT_EQ(refused["velocity"]["not_selected"].asInt(), 20);
    EXPECT_FALSE(refused.isMember("impulse"));
}

TEST_F(Cli, ProfileHasIslands) {
    const Outcome done =
        run({"run", write("box.json", kSlidingBox), "--method", "fast", "--profile", path("trace.json")});
    EXPECT_EQ(done.code, 0);
    for (const char* part : {"islands by stepper", "J removed", "blocks", "refused", "has_no_joints"})
        EXPECT_TRUE(contains(done.out, part)) << part << "\n" << done.out;
    EXPECT_FALSE(contains(done.out, "velocity  not_selected")) << "was not asked";
    const Json::Value trace = parse_json(read_text(path("trace.json")));
    int steps = 0;
    for (const Json::Value& event : trace["traceEvents"]) {
        if (event["name"].asString() != "step") continue;
        ++steps;
        EXPECT_EQ(event["args"]["blocks"].asInt(), 1);
        EXPECT_GT(event["args"]["substeps"].asInt(), 0);
        EXPECT_GT(event["args"]["iterations"].asInt(), 0);
        EXPECT_EQ(event["args"]["retries"].asInt(), 0);
        EXPECT_EQ(event["args"]["energy_removed"].asDouble(), 0);
    }
    EXPECT_EQ(steps, 20);
}

TEST_F(Cli, RunWarnsOfRemovedEnergy) {
    const std::string scene = write("tower.json", kLivelyTower);
    const Json::Value json = run_json({"run", scene, "--json", "--method", "erleben"});
    EXPECT_GT(json["outcomes"]["energy_removed"].asDouble(), 0);
    double removed = 0;
    std::string warning;
    for (const Json::Value& w : json["warnings"]) {
        if (w["kind"] != "energy_removed") continue;
        if (removed == 0) warning = w["text"].asString();
        removed += w["total"].asDouble();
    }
    EXPECT_NEAR(removed, json["outcomes"]["energy_removed"].asDouble(), 1e-6 * removed);
    EXPECT_TRUE(contains(warning, "energy taken out of the island of 'box[")) << warning;
    const Outcome text = run({"run", scene, "--method", "erleben"});
    EXPECT_TRUE(contains(text.err, "warning: energy taken out of the island of 'box[")) << text.err;
}

TEST_F(Cli, CompareShowsSteppers) {
    const std::string scene = write("box.json", kSlidingBox);
    const Json::Value json = run_json({"compare", scene, "--json", "--methods", "fast,default"});
    EXPECT_EQ(json["methods"][0]["outcomes"]["island_steps"]["blocks"].asInt(), 20);
    EXPECT_EQ(json["methods"][1]["outcomes"]["island_steps"]["impulse"].asInt(), 20);
    const Outcome table = run({"compare", scene, "--methods", "fast,default"});
    for (const char* part :
         {"steppers", "substeps", "residual", "retries", "energy removed", "blocks 100 %", "impulse 100 %"})
        EXPECT_TRUE(contains(table.out, part)) << part << "\n" << table.out;
    const std::string ball = write("ball.json", kFallingBall);
    EXPECT_TRUE(contains(run({"compare", ball, "--methods", "default"}).out, "none")) << "no islands";
}

// A recording holds the outcomes, and is verified as before.
TEST_F(Cli, RecordedOutcomesDoNotDisturbReplay) {
    const std::string scene = write("box.json", kSlidingBox);
    EXPECT_EQ(run({"run", scene, "--record", path("box.impuls")}).code, 0);
    EXPECT_EQ(run({"replay", path("box.impuls"), "--verify"}).code, 0);
}

}  // namespace
}  // namespace impuls::test
