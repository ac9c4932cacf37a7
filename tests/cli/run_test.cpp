// `impuls run`: the numbers of its summary against closed forms, its options, its recording.
#include <filesystem>
#include <fstream>

#include "cli/program.h"
#include "impuls/recording.h"

namespace impuls::test {
namespace {

constexpr double kG = 9.81;

TEST_F(Cli, RunJsonHasThePromisedKeys) {
    const Json::Value json = run_json({"run", write("ball.json", kFallingBall), "--json"});
    for (const char* key : {"scene", "method", "status", "steps", "time", "dt", "threads", "bodies",
                            "contacts_max", "wall_s", "ms_per_step", "energy", "momentum", "max_penetration",
                            "max_joint_error", "state_hash", "stage_ms", "warnings"}) {
        EXPECT_TRUE(json.isMember(key)) << key;
    }
    for (const char* key : {"mean", "median", "p99"})
        EXPECT_GT(json["ms_per_step"][key].asDouble(), 0) << key;
    EXPECT_LE(json["ms_per_step"]["median"].asDouble(), json["ms_per_step"]["p99"].asDouble());
    EXPECT_TRUE(json["warnings"].isArray());
    EXPECT_EQ(json["state_hash"].asString().size(), 16u);
    EXPECT_EQ(json["status"].asString(), "complete");
}

TEST_F(Cli, RunWritesAProfile) {
    const Outcome done = run(
        {"run", write("ball.json", kFallingBall), "--steps", "20", "--profile", folder() + "/trace.json"});
    EXPECT_EQ(done.code, 0);
    EXPECT_NE(done.out.find("share %"), std::string::npos);
    std::ifstream in(folder() + "/trace.json");
    Json::Value json;
    in >> json;
    int steps = 0;
    double end = 0, inside = 0, whole = 0;
    for (const Json::Value& event : json["traceEvents"]) {
        EXPECT_EQ(event["ph"].asString(), "X");
        if (event["name"].asString() == "step") {
            ++steps;
            EXPECT_GE(event["ts"].asDouble(), end - 1e-2);
            end = event["ts"].asDouble() + event["dur"].asDouble();
            whole += event["dur"].asDouble();
        } else {
            inside += event["dur"].asDouble();
        }
    }
    EXPECT_EQ(steps, 20);
    EXPECT_NEAR(inside, whole, 1);
    EXPECT_NE(run({"run", write("b.json", kFallingBall), "--profile", "/nowhere/x.json"}).code, 0);
}

TEST_F(Cli, RunAgreesWithFreeFall) {
    const Json::Value json = run_json({"run", write("ball.json", kFallingBall), "--json"});
    EXPECT_EQ(json["steps"].asInt(), 200);
    EXPECT_NEAR(json["time"].asDouble(), 2, 1e-12);
    EXPECT_EQ(json["bodies"].asInt(), 1);
    EXPECT_EQ(json["contacts_max"].asInt(), 0);
    EXPECT_NEAR(json["energy"]["initial"].asDouble(), 2 * kG * 100, 1e-9);
    EXPECT_NEAR(json["energy"]["final"].asDouble(), 2 * kG * 100, 1e-9);
    EXPECT_LT(json["energy"]["max_drift_rel"].asDouble(), 1e-12);
    EXPECT_NEAR(json["momentum"]["linear"][1].asDouble(), -2 * kG * 2, 1e-9);
    EXPECT_NEAR(json["measure"]["height.y"].asDouble(), 100 - 0.5 * kG * 4, 1e-9);
}

// Dropped from 1 m (centre at 1.1 m) onto a floor that swallows everything: E0 = m g 1.1, at last m g 0.1.
TEST_F(Cli, EnergyDriftIsRelativeToTheInitialEnergy) {
    const std::string scene =
        write("drop.json", R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 2}, "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "mass": 3, "position": [0, 1.1, 0]}]})");
    const Json::Value json = run_json({"run", scene, "--json"});
    EXPECT_NEAR(json["energy"]["max_drift_rel"].asDouble(), 1 / 1.1, 0.02);
    EXPECT_NEAR(json["energy"]["final"].asDouble(), 3 * kG * 0.1, 0.05);
    EXPECT_EQ(json["contacts_max"].asInt(), 1);
}

TEST_F(Cli, OptionsChangeTheRun) {
    const std::string scene = write("ball.json", kFallingBall);
    const Json::Value until = run_json({"run", scene, "--json", "--until", "0.3", "--dt", "0.005"});
    EXPECT_EQ(until["steps"].asInt(), 60);
    EXPECT_NEAR(until["time"].asDouble(), 0.3, 1e-12);
    const Json::Value steps = run_json({"run", scene, "--json", "--steps", "7", "--threads", "2"});
    EXPECT_EQ(steps["steps"].asInt(), 7);
    EXPECT_EQ(steps["threads"].asInt(), 2);
    const Json::Value set = run_json({"run", scene, "--json", "--set", "settings.gravity=[0,-1,0]", "--set",
                                      "bodies.0.mass=5", "--method", "default+substeps=3+blocks_from=0"});
    EXPECT_NEAR(set["momentum"]["linear"][1].asDouble(), -5 * 2, 1e-9);
    EXPECT_TRUE(contains(set["method"].asString(), "+substeps=3")) << set["method"];
}

// 0.3 / 0.1 is a little less than 3 in floating point, 1 / 0.3 needs a fourth step.
TEST_F(Cli, DurationIsReachedInWholeSteps) {
    const std::string scene = write("ball.json", kFallingBall);
    EXPECT_EQ(run_json({"run", scene, "--json", "--until", "0.3", "--dt", "0.1"})["steps"].asInt(), 3);
    EXPECT_EQ(run_json({"run", scene, "--json", "--until", "1", "--dt", "0.3"})["steps"].asInt(), 4);
    EXPECT_EQ(run_json({"run", scene, "--json", "--until", "0"})["steps"].asInt(), 0);
}

TEST_F(Cli, TableAndQuiet) {
    const std::string scene = write("ball.json", kFallingBall);
    const Outcome table = run({"run", scene});
    EXPECT_EQ(table.code, 0);
    for (const char* part : {"Falling ball", "200 steps", "energy", "state hash", "height.y", " m at 2 s"}) {
        EXPECT_TRUE(contains(table.out, part)) << part << "\n" << table.out;
    }
    EXPECT_EQ(table.err, "");
    const Outcome quiet = run({"run", scene, "--quiet"});
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Cli, RecordingHoldsWhatWasAskedFor) {
    const std::string scene = write("ball.json", kFallingBall), file = path("ball.impuls");
    const Json::Value json = run_json({"run", scene, "--json", "--record", file, "--frame-every", "50",
                                       "--checkpoint-every", "80", "--no-contacts"});
    const Recording recording(file);
    EXPECT_EQ(recording.frame_steps(), (std::vector<std::int64_t>{0, 50, 100, 150, 200}));
    EXPECT_EQ(recording.checkpoint_steps(), (std::vector<std::int64_t>{0, 80, 160}));
    EXPECT_EQ(recording.hashes().size(), 201u);
    EXPECT_EQ(recording.meta("status"), "complete");
    EXPECT_EQ(recording.meta("method"), json["method"].asString());
    const auto heights = recording.samples("height.y");
    ASSERT_EQ(heights.size(), 21u);
    for (const auto& s : heights) EXPECT_NEAR(s.value, 100 - 0.5 * kG * s.time * s.time, 1e-9);
    EXPECT_EQ(recording.samples("energy.total").size(), 201u);
}

TEST_F(Cli, RecordingDoesNotChangeTheRun) {
    const std::string scene = write("kick.json", kTimeline);
    const std::string plain = run_json({"run", scene, "--json"})["state_hash"].asString();
    EXPECT_EQ(run_json({"run", scene, "--json", "--record", path("a.impuls")})["state_hash"].asString(),
              plain);
    EXPECT_EQ(run_json({"run", scene, "--json", "--threads", "2"})["state_hash"].asString(), plain);
    EXPECT_NE(run_json({"run", scene, "--json", "--dt", "0.005"})["state_hash"].asString(), plain);
}

TEST_F(Cli, ExistingRecordingIsReplacedOnlyWhenAsked) {
    const std::string scene = write("ball.json", kFallingBall), file = path("ball.impuls");
    ASSERT_EQ(run({"run", scene, "--quiet", "--record", file}).code, 0);
    const Outcome refused = run({"run", scene, "--quiet", "--steps", "3", "--record", file});
    EXPECT_EQ(refused.code, 4);
    EXPECT_TRUE(contains(refused.err, file)) << refused.err;
    EXPECT_EQ(Recording(file).hashes().size(), 201u);
    ASSERT_EQ(run({"run", scene, "--quiet", "--steps", "3", "--record", file, "--overwrite"}).code, 0);
    EXPECT_EQ(Recording(file).hashes().size(), 4u);
}

}  // namespace
}  // namespace impuls::test
