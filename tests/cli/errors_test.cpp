// Exit codes and messages: 2 bad input, 3 simulation failed, 4 file or disk.
#include "cli/program.h"
#include "impuls/recording.h"

namespace impuls::test {
namespace {

TEST_F(Cli, MissingFilesAreBadInput) {
    const std::vector<std::vector<std::string>> commands{
        {"run", "nothing.json"},
        {"check", "nothing.json"},
        {"info", "nothing.json"},
        {"replay", "nothing.impuls"},
        {"export", "nothing.impuls", "--format", "csv", "-o", "x.csv"},
        {"plot", "nothing.impuls", "-o", "x.svg"},
        {"compare", "nothing.json", "--methods", "default"},
        {"assemble", "nothing.json", "-o", "x.json"},
    };
    for (const auto& command : commands) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 2) << command[0];
        EXPECT_TRUE(contains(outcome.err, "nothing.")) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
}

TEST_F(Cli, UnknownCommandsAndOptionsSuggestTheRightOne) {
    const Outcome command = run({"rnu", "x.json"});
    EXPECT_EQ(command.code, 2);
    EXPECT_TRUE(contains(command.err, "did you mean 'run'")) << command.err;
    const Outcome option = run({"run", write("ball.json", kFallingBall), "--thraeds", "2"});
    EXPECT_EQ(option.code, 2);
    EXPECT_TRUE(contains(option.err, "--thraeds") && contains(option.err, "--threads")) << option.err;
    EXPECT_EQ(run({}).code, 2);
    EXPECT_EQ(run({"run"}).code, 2);
    EXPECT_EQ(run({"list", "shpaes"}).code, 2);
    EXPECT_TRUE(contains(run({"list", "shpaes"}).err, "shapes"));
    EXPECT_EQ(run({"validate", "--law", "gravity?"}).code, 2);
}

TEST_F(Cli, BadOptionValuesAreBadInput) {
    const std::string scene = write("ball.json", kFallingBall);
    for (const std::vector<std::string>& tail : std::vector<std::vector<std::string>>{
             {"--dt", "-1"},
             {"--dt", "fast"},
             {"--dt", "nan"},
             {"--until", "inf"},
             {"--until", "-1"},
             {"--steps", "-1"},
             {"--threads", "-1"},
             {"--method", "nonsense"},
             {"--set", "settings.dt"},
             {"--set", "settings.dtt=1"},
             {"--frame-every", "2"},
             {"--record", "x.impuls", "--frame-every", "0"},
             {"--json", "--quiet"},
         }) {
        std::vector<std::string> all{"run", scene};
        all.insert(all.end(), tail.begin(), tail.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.code, 2) << tail[0] << " " << (tail.size() > 1 ? tail[1] : "") << "\n"
                                   << outcome.err;
        EXPECT_FALSE(outcome.err.empty());
    }
}

TEST_F(Cli, CheckReportsEveryProblemOfEveryFile) {
    const std::string good = write("good.json", kPendulum);
    const std::string bad = write("bad.json", R"({"impuls": 1, "bodies": [
        {"name": "a", "shape": {"type": "sphere", "radius": -1}},
        {"name": "b", "shape": {"type": "sphere"}, "masss": 2}]})");
    const Outcome outcome = run({"check", bad, good});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, bad + ":2:")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "/bodies/0/shape/radius")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "mass")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "ok: 1 body, 1 joint")) << outcome.out;
}

TEST_F(Cli, CheckFindsUnknownMeasurements) {
    const std::string scene = write("m.json", R"({"impuls": 1,
        "bodies": [{"name": "ball", "shape": {"type": "sphere"}}], "measure": [{"quantity": "bodies.bal.speed"}]})");
    for (const char* command : {"check", "run"}) {
        const Outcome outcome = run({command, scene});
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_TRUE(contains(outcome.err, "ball")) << outcome.err;
    }
}

TEST_F(Cli, ExpandPrintsASceneThatRunsTheSame) {
    const std::string scene = write("grid.json", R"({"impuls": 1, "variables": {"n": 3}, "bodies": [
        {"name": "cubes", "shape": {"type": "box"}, "repeat": {"count": ["n", 2, 1], "spacing": [2, 2, 2]}}]})");
    const Outcome expanded = run({"check", "--expand", scene});
    ASSERT_EQ(expanded.code, 0) << expanded.err;
    EXPECT_TRUE(contains(expanded.out, "cubes[5]"));
    const std::string copy = write("expanded.json", expanded.out);
    EXPECT_EQ(run_json({"run", copy, "--json"})["state_hash"],
              run_json({"run", scene, "--json"})["state_hash"]);
    EXPECT_TRUE(contains(run({"check", scene, "--set", "variables.n=5"}).out, "10 bodies"));
}

// What follows from shapes and materials stands in the expanded scene, and changes nothing.
TEST_F(Cli, ExpandTellsMassProperties) {
    const std::string scene = write("bodies.json", R"({"impuls": 1,
        "materials": [{"name": "wood", "density": 600}],
        "bodies": [{"name": "box", "shape": {"type": "box", "size": [1, 2, 3]}, "material": "wood"},
                   {"name": "cone", "shape": {"type": "cone", "radius": 1, "height": 2}, "density": 3, "position": [5, 0, 0]},
                   {"name": "mace", "shape": {"type": "compound", "parts": [{"type": "sphere", "radius": 0.5, "position": [1, 1, 0]},
                     {"type": "box"}]}, "mass": 7, "position": [9, 0, 0], "angular_velocity": [1, 2, 3]},
                   {"name": "nail", "shape": {"type": "point"}, "mass": 2, "position": [0, 9, 0]},
                   {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "position": [0, -9, 0]}]})");
    const Outcome expanded = run({"check", "--expand", scene});
    ASSERT_EQ(expanded.code, 0) << expanded.err;
    const Json::Value bodies = parse_json(expanded.out)["bodies"];
    EXPECT_DOUBLE_EQ(bodies[0]["mass"].asDouble(), 3600);  // 600 * 6, and m (b^2 + c^2) / 12
    EXPECT_DOUBLE_EQ(bodies[0]["inertia"][0].asDouble(), 3600 * (4 + 9) / 12.0);
    EXPECT_FALSE(bodies[0].isMember("center_of_mass"));
    EXPECT_NEAR(bodies[1]["mass"].asDouble(), 2 * 3.14159265358979, 1e-12);  // 3 pi r^2 h / 3
    EXPECT_DOUBLE_EQ(bodies[1]["center_of_mass"][1].asDouble(), -0.5);       // a quarter of the height
    EXPECT_EQ(bodies[2]["mass"].asDouble(), 7);
    EXPECT_LT(bodies[2]["products_of_inertia"][0].asDouble(), 0);  // -integral of x y
    EXPECT_FALSE(bodies[3].isMember("inertia"));
    EXPECT_FALSE(bodies[4].isMember("mass"));
    const std::string copy = write("expanded.json", expanded.out);
    EXPECT_EQ(run_json({"run", copy, "--json"})["state_hash"],
              run_json({"run", scene, "--json"})["state_hash"]);
}

TEST_F(Cli, CheckWarnsOfOverlappingParts) {
    const std::string scene = write("twins.json", R"({"impuls": 1, "bodies": [{"name": "twins", "shape":
        {"type": "compound", "parts": [{"type": "box"}, {"type": "box", "position": [0.5, 0, 0]}]}}]})");
    const Outcome outcome = run({"check", scene});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "overlapping parts that weigh twice") &&
                contains(outcome.err, "'twins'"))
        << outcome.err;
}

// Gravity so strong that the speed leaves the range of a double within a few steps.
TEST_F(Cli, NonFiniteStateExitsWith3) {
    const std::string scene = write("huge.json", R"({"impuls": 1,
        "settings": {"gravity": [0, -1e300, 0], "dt": 1000, "duration": 1e9},
        "bodies": [{"name": "ball", "shape": {"type": "sphere"}}]})");
    const Outcome outcome = run({"run", scene, "--json", "--record", path("huge.impuls")});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "ball")) << outcome.err;
    const Json::Value json = parse_json(outcome.out);
    EXPECT_EQ(json["status"].asString(), "failed");
    EXPECT_LT(json["steps"].asInt64(), 1000000);
    EXPECT_EQ(run({"info", path("huge.impuls")}).code, 0);
}

// A force whose size becomes infinite after a while, and one that throws its body out of all numbers: the run
// stops and names body, force and time; what was recorded until then is whole.
TEST_F(Cli, ForcesThatAreNotFiniteAnyMoreStopTheRun) {
    const auto scene = [&](const std::string& force) {
        return write(
            "force.json",
            R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 0.5, "method": "aero", "gravity": [0, 0, 0]},
            "bodies": [{"name": "sun", "mass": 1, "shape": {"type": "sphere"}, "collides": false, "position": [0, 0, 0]},
                       {"name": "ball", "mass": 1, "collides": false, "shape": {"type": "sphere"}, "position": [1e-3, 0, 0]}],
            "forces": [)" +
                force + "]}");
    };
    const auto stops = [&](const Outcome& outcome, const std::string& file, double until) {
        EXPECT_EQ(outcome.code, 3) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "body 'ball'")) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, " s")) << outcome.err;
        const Recording recording(file);
        EXPECT_EQ(recording.meta("status").substr(0, 6), "failed");
        EXPECT_NEAR(recording.frame(recording.frame_steps().back()).time, until, 0.011);
        EXPECT_EQ(run({"replay", file}).code, 0);
    };
    // Sound for as long as the scene lasts; going on leads beyond.
    const std::string push = path("push.impuls"), blast = path("blast.impuls");
    ASSERT_EQ(run({"run", scene(R"j({"type": "constant", "name": "push", "b": "ball", "force": [1, 0, 0],
                                    "magnitude": "sqrt(1 - t)"})j"),
                   "--quiet", "--record", push})
                  .code,
              0);
    const Outcome longer = run({"run", "--resume", push, "--until", "2"});
    stops(longer, push, 1);
    EXPECT_TRUE(contains(longer.err, "'push'")) << longer.err;
    stops(run({"run", scene(R"j({"type": "constant", "name": "blast", "b": "ball", "force": [1, 0, 0],
                               "magnitude": "exp(1400*t)"})j"),
               "--quiet", "--record", blast}),
          blast, 0.25);
}

TEST_F(Cli, BadNumbersOfForcesAreRefusedWithTheirPath) {
    const auto complaint = [&](const std::string& body, const std::string& force) {
        const Outcome outcome =
            run({"check", write("bad.json", R"({"impuls": 1, "settings": {"duration": 2},
            "bodies": [{"name": "a", "shape": {"type": "sphere"})" +
                                                body + R"(}], "forces": [{"b": "a", )" + force + "}]}")});
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        return outcome.err;
    };
    const auto expect = [&](const std::string& text, const char* path) {
        EXPECT_TRUE(contains(text, path)) << text;
    };
    const std::string push = R"("type": "constant", "force": [1, 0, 0])";
    expect(complaint("", R"("type": "spring", "stiffness": -5)"), "/forces/0/stiffness: -5 is not");
    expect(complaint(R"(, "mass": 0)", push), "/bodies/0/mass: 0 is not");
    expect(complaint("", push + R"(, "from": 3, "until": 1)"), "/forces/0/until: is not after from");
    expect(complaint("", push + R"j(, "magnitude": "1/(t - 1)")j"), "/forces/0/magnitude:");
    expect(complaint("", push + R"j(, "magnitude": "1/(t - 1)")j"), "t = 1.0");
}

TEST_F(Cli, UnwritablePlacesExitWith4) {
    const std::string scene = write("ball.json", kFallingBall), recording = path("ball.impuls");
    for (const std::string& place : {path("no/such/folder/x.impuls"), std::string("/proc/x.impuls")}) {
        const Outcome outcome = run({"run", scene, "--record", place});
        EXPECT_EQ(outcome.code, 4) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, place)) << outcome.err;
    }
    ASSERT_EQ(run({"run", scene, "--quiet", "--record", recording}).code, 0);
    EXPECT_EQ(run({"plot", recording, "-o", path("no/x.svg")}).code, 4);
    EXPECT_EQ(run({"export", recording, "--format", "csv", "-o", path("no/x.csv")}).code, 4);
    EXPECT_EQ(bash("\"$impuls\" list shapes > /dev/full").code, 4);
}

TEST_F(Cli, FilesThatAreNotWhatTheyShouldBe) {
    const std::string text = write("text.impuls", "this is no recording");
    EXPECT_EQ(run({"replay", text}).code, 4);
    EXPECT_EQ(run({"info", text}).code, 2);
}

}  // namespace
}  // namespace impuls::test
