// `impuls replay`: equal when nothing changed, and able to see that something did.
#include <sqlite3.h>

#include "cli/program.h"
#include "impuls/recording.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls::test {
namespace {

void execute(const std::string& file, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message ? message : "");
    sqlite3_free(message);
    sqlite3_close(db);
}

class ReplayTest : public Cli {
  protected:
    ReplayTest() : file(path("kick.impuls")) {
        EXPECT_EQ(run({"run", write("kick.json", kTimeline), "--quiet", "--record", file,
                       "--checkpoint-every", "40"})
                      .code,
                  0);
    }
    std::string file;
};

TEST_F(ReplayTest, TimelineWithAddedAndRemovedBodies) {
    const Outcome outcome = run({"replay", file, "--verify"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "steps 0 to 150 replayed, 151 states compared, all equal"))
        << outcome.out;
    const Outcome last = run({"replay", file, "--threads", "2"});
    EXPECT_EQ(last.code, 0);
    EXPECT_TRUE(contains(last.out, "1 state compared")) << last.out;
}

// A force that becomes no number while a world runs stops it with body, force and time; what was recorded
// until then is whole.
TEST_F(Cli, ARunThatStopsLeavesAWholeRecording) {
    const std::string scene =
        write("lost.json", R"({"impuls": 1, "settings": {"duration": 1, "method": "aero"},
        "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.1}}],
        "forces": [{"type": "constant", "name": "push", "b": "ball", "force": [1e300, 0, 0], "from": 0.25,
                    "magnitude": "1e10*t"}]})");
    const std::string file = path("lost.impuls");
    const Outcome stopped = run({"run", scene, "--quiet", "--record", file});
    EXPECT_EQ(stopped.code, 3);
    EXPECT_TRUE(contains(stopped.err, "body 'ball' is not finite after force 'push' at 0.25 s"))
        << stopped.err;
    const Outcome replayed = run({"replay", file, "--verify"});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_TRUE(contains(replayed.out, "steps 0 to 25 replayed, 26 states compared, all equal"))
        << replayed.out;
}

TEST_F(ReplayTest, FromTheCheckpointBefore) {
    const Outcome outcome = run({"replay", file, "--verify", "--from", "99"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "steps 80 to 150 replayed, 71 states compared")) << outcome.out;
}

TEST_F(ReplayTest, FirstDifferenceIsNamed) {
    execute(file, "UPDATE hashes SET hash = hash + 1 WHERE step >= 70");
    const Outcome outcome = run({"replay", file, "--verify"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(contains(outcome.out, "first difference at step 70")) << outcome.out;
    EXPECT_EQ(run({"replay", file}).code, 3);
}

TEST_F(ReplayTest, OtherBuildIsSaidFirst) {
    EXPECT_EQ(run({"replay", file}).out.find("differs"), std::string::npos);
    execute(file, "UPDATE meta SET value = 'Z80' WHERE key = 'cpu'");
    const Outcome outcome = run({"replay", file, "--verify"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out.rfind("cpu differs: recorded with Z80", 0), 0u) << outcome.out;
}

// Options of `run` are part of what is recorded.
TEST_F(ReplayTest, OverridesAreReplayed) {
    const std::string scene = write("p.json", R"({"impuls": 1, "variables": {"h": 0.02, "s": 4},
        "settings": {"dt": "h/2", "duration": 1, "method": {"preset": "default", "substeps": "2*s"}},
        "bodies": [{"name": "bob", "shape": {"type": "sphere"}, "position": [1, 0, 0]}],
        "joints": [{"type": "ball", "b": "bob"}]})");
    const std::string other = path("p.impuls");
    ASSERT_EQ(run({"run", scene, "--quiet", "--record", other, "--dt", "0.004", "--method", "accurate",
                   "--until", "0.8"})
                  .code,
              0);
    const Outcome outcome = run({"replay", other, "--verify"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "steps 0 to 200")) << outcome.out;
}

// What a program applied while running is in the recording and is applied again.
TEST_F(ReplayTest, AppliedCommands) {
    const Scene scene = parse_scene(kPendulum);
    const std::string other = path("applied.impuls");
    World world(scene);
    Recorder recorder(other, scene);
    recorder.add_hash(0, world.state_hash());
    for (int k = 0; k < 100; ++k) {
        if (k == 30) {
            const Command kick = ApplyImpulse{.body = "bob", .impulse = {0, 0, 2}};
            world.apply(kick);
            recorder.add_command(world.steps(), kick);
        }
        ASSERT_TRUE(world.step().ok);
        recorder.add_hash(world.steps(), world.state_hash());
    }
    recorder.close();
    EXPECT_EQ(run({"replay", other, "--verify"}).code, 0);
    execute(other, "UPDATE commands SET step = 31");
    const Outcome late = run({"replay", other, "--verify"});
    EXPECT_EQ(late.code, 3);
    EXPECT_TRUE(contains(late.out, "step 31")) << late.out;
}

// A door that a motor drives against its stop, a rope that breaks, a belt that is switched on: what axes do
// and what breaks is the same in the recording, in its replay from any checkpoint, and in what is exported.
const char* const kJoints = R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 1.5},
  "bodies": [
    {"name": "door", "shape": {"type": "box", "size": [1, 2, 0.1]}, "position": [0.5, 5, 0]},
    {"name": "load", "shape": {"type": "sphere", "radius": 0.2}, "mass": 3, "position": [5, 5, 0]},
    {"name": "belt", "kind": "static", "shape": {"type": "box", "size": [20, 1, 4]}, "position": [0, -0.5, 0]},
    {"name": "crate", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [-3, 0.5, 0]}],
  "joints": [
    {"name": "hinge", "type": "hinge", "b": "door", "anchor": [0, 5, 0], "axis": [0, 1, 0],
     "turn": {"upper": 0.8, "speed": 2, "max_force": 1e4}},
    {"name": "rope", "type": "ball", "b": "load", "anchor": [5, 6, 0], "break_force": 40}],
  "timeline": [
    {"time": 0.5, "type": "set_force", "body": "load", "force": [0, -20, 0]},
    {"time": 0.6, "type": "set_axis", "joint": "hinge", "axis": "turn", "speed": -2},
    {"time": 0.6, "type": "set_body", "body": "belt", "surface_velocity": [1, 0, 0]}],
  "measure": ["joints.hinge.turn.position"]})";

// Quantised frames are smaller, and what is compared is exact all the same.
TEST_F(Cli, QuantisedRecordingsAreReplayedBitForBit) {
    const std::string scene = write("joints.json", kJoints), exact = path("exact.impuls"),
                      small = path("q.impuls");
    ASSERT_EQ(run({"run", scene, "--quiet", "-o", exact}).code, 0);
    ASSERT_EQ(run({"run", scene, "--quiet", "-o", small, "--quantised", "--until", "1"}).code, 0);
    ASSERT_EQ(run({"run", "--resume", small, "--quiet", "--until", "1.5"}).code, 0);
    const Outcome outcome = run({"replay", small, "--verify"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(Recording(small).hashes(), Recording(exact).hashes());
    const Json::Value a = run_json({"info", exact, "--json"}), b = run_json({"info", small, "--json"});
    EXPECT_EQ(a["column_bytes"]["bodies.position"].asInt(), 151 * 4 * 24);
    EXPECT_LT(b["column_bytes"]["bodies.orientation"].asInt(), 151 * 4 * 32);
    EXPECT_EQ(b["meta"]["quantised"].asString(), "yes") << "also after it was taken up again";
    EXPECT_EQ(run({"run", scene, "--quantised"}).code, 2) << "needs --record";
}

TEST_F(Cli, ReplayAndExportOfAxesAndBreaks) {
    const std::string file = path("joints.impuls");
    ASSERT_EQ(
        run({"run", write("joints.json", kJoints), "--quiet", "--record", file, "--checkpoint-every", "20"})
            .code,
        0);
    for (const char* from : {"0", "55", "90"}) {
        const Outcome outcome = run({"replay", file, "--verify", "--from", from});
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    }
    ASSERT_EQ(run({"export", file, "--format", "json", "-o", path("frames.json")}).code, 0);
    const Json::Value frames = parse_json(read_text(path("frames.json")))["frames"];
    ASSERT_EQ(frames.size(), 151u);
    // The same world, stepped here.
    World world(parse_scene(kJoints));
    int breaks = 0;
    for (Json::ArrayIndex k = 1; k < frames.size(); ++k) {
        ASSERT_TRUE(world.step().ok);
        const Json::Value& turn = frames[k]["joints"][0]["turn"];
        ASSERT_EQ(turn["position"].asDouble(), world.frame().axes[0].position) << k;
        ASSERT_EQ(turn["force"].asDouble(), world.frame().axes[0].force) << k;
        for (const Json::Value& event : frames[k]["events"])
            if (event["kind"] == "joint_break") {
                ++breaks;
                EXPECT_EQ(event["joint"].asString(), "rope");
                EXPECT_EQ(k, 51u);
            }
    }
    EXPECT_EQ(breaks, 1);
    EXPECT_NEAR(frames[55]["joints"][0]["turn"]["position"].asDouble(), 0.8, 1e-9);  // at the stop
    EXPECT_NEAR(frames[100]["bodies"][3]["velocity"][0].asDouble(), 1, 1e-9);        // with the belt
    ASSERT_EQ(run({"export", file, "--format", "csv", "-o", path("frames.csv")}).code, 0);
    const std::string samples = read_text(path("frames.csv.measurements.csv"));
    EXPECT_TRUE(contains(samples, "joints.hinge.turn.position,55,0.55,")) << samples;
}

}  // namespace
}  // namespace impuls::test
