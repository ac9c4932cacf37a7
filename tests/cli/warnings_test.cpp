// Warnings as the command line tells them: on stderr, in the summary, as JSON, in recordings; --strict.
#include "cli/program.h"

namespace impuls::test {
namespace {

// Two boxes a fifth of a metre in each other.
constexpr const char* kOverlap = R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 0.2}, "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    {"name": "low", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0.5, 0]},
    {"name": "high", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 1.3, 0]}]})";

TEST_F(Cli, WarningsHaveBodyTimeAndNumber) {
    const std::string scene = write("overlap.json", kOverlap);
    const Outcome text = run({"run", scene});
    EXPECT_EQ(text.code, 0);
    EXPECT_TRUE(contains(text.err, "warning: initial overlap of 'low' and 'high': 0.2 m at 0 s")) << text.err;
    EXPECT_TRUE(contains(text.out, "1 initial_overlap")) << text.out;
    const Json::Value warning = run_json({"run", scene, "--json"})["warnings"][0];
    EXPECT_EQ(warning["kind"].asString(), "initial_overlap");
    EXPECT_EQ(warning["subject"].asString(), "low");
    EXPECT_EQ(warning["other"].asString(), "high");
    EXPECT_EQ(warning["time"].asDouble(), 0);
    EXPECT_NEAR(warning["value"].asDouble(), 0.2, 1e-12);
    EXPECT_EQ(warning["unit"].asString(), "m");
}

TEST_F(Cli, StrictRunsFailOnWarningsAlone) {
    const std::string bad = write("overlap.json", kOverlap), good = write("pendulum.json", kPendulum);
    EXPECT_EQ(run({"run", bad, "--strict"}).code, 3);
    EXPECT_EQ(run({"run", bad, "--strict", "--quiet"}).code, 3);
    EXPECT_EQ(run({"run", good, "--strict"}).code, 0);
    EXPECT_EQ(run({"compare", bad, "--methods", "default,fast"}).code, 0);
    EXPECT_EQ(run({"compare", bad, "--methods", "default,fast", "--strict"}).code, 3);
}

TEST_F(Cli, RecordingsKeepWarnings) {
    const std::string scene = write("overlap.json", kOverlap);
    EXPECT_EQ(run({"run", scene, "--record", path("overlap.impuls")}).code, 0);
    EXPECT_TRUE(contains(run({"info", path("overlap.impuls")}).out, "1 initial_overlap"));
    const Json::Value json = run_json({"info", path("overlap.impuls"), "--json"});
    EXPECT_EQ(json["warnings"][0]["subject"].asString(), "low");
    const Outcome replay = run({"replay", path("overlap.impuls"), "--verify"});
    EXPECT_EQ(replay.code, 0);
    EXPECT_TRUE(contains(replay.out, "warnings: 1 initial_overlap")) << replay.out;
}

}  // namespace
}  // namespace impuls::test
