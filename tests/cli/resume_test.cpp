// `impuls run --resume`: a run that was killed anywhere goes on bit for bit, a branch differs only from its
// beginning on, and what cannot be taken up again is refused with a reason.
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <thread>

#include "cli/program.h"
#include "impuls/recording.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls::test {
namespace {

void alter(const std::string& file, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
}

// A tower that falls over while the timeline adds and removes bodies and drives a motor; each step takes long
// enough to be killed in.
const char* const kTower = R"({
    "impuls": 1, "title": "Tower",
    "settings": {"dt": 0.005, "duration": 1.5, "method": "default+substeps=40+blocks_from=0"},
    "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "brick", "shape": {"type": "box", "size": [0.5, 0.2, 0.3]},
         "position": ["0.04*iy", "0.1 + 0.201*iy", 0], "repeat": {"count": [1, 9, 1]}},
        {"name": "arm", "shape": {"type": "box", "size": [1, 0.1, 0.1]}, "position": [-1.2, 1, 0]}
    ],
    "joints": [{"name": "motor", "type": "hinge", "b": "arm", "anchor": [-1.7, 1, 0], "axis": [0, 0, 1],
                "turn": {"speed": 3, "max_force": 20}}],
    "timeline": [
        {"time": 0.4, "type": "put", "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2},
                                                   "position": [0, 3, 0]}]},
        {"time": 0.7, "type": "set_axis", "joint": "motor", "axis": "turn", "speed": -4},
        {"time": 0.9, "type": "remove", "bodies": ["brick[3]"]}
    ],
    "measure": ["bodies.arm.position.y", {"quantity": "energy.total", "every": 3}]
})";

class ResumeCommand : public Cli {
  protected:
    ResumeCommand() : scene(write("tower.json", kTower)) {}
    // Starts, and ends with SIGKILL after a time; whether the process was killed before it was done.
    bool run_and_kill(std::vector<std::string> arguments, int milliseconds) const {
        arguments.insert(arguments.begin(), built_program());
        Started run(folder(), arguments);
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        kill(run.pid(), SIGKILL);
        return run.wait().code == -SIGKILL;
    }
    std::string scene;
};

// Kills come at random times and in random places of the file; a run that goes on may be killed again.
TEST_F(ResumeCommand, AfterAnyKillItEndsInTheSameState) {
    const std::string until = kSlowBuild ? "0.15" : "1.5";
    const std::size_t steps = kSlowBuild ? 30 : 300;
    const std::string whole = run_json({"run", scene, "--json", "--until", until})["state_hash"].asString();
    const int kills = is_long() ? 50 : kSlowBuild ? 2 : 3;
    std::mt19937 random(7);
    int killed = 0;
    for (int attempt = 0; killed < kills && attempt < 10 * kills; ++attempt) {
        const std::string file = path("killed" + std::to_string(attempt) + ".impuls");
        const int wait = static_cast<int>(random() % 900);
        const std::string every = std::to_string(1 + random() % 60);
        if (!run_and_kill({"run", scene, "--quiet", "--until", until, "--record", file, "--frame-every", "2",
                           "--checkpoint-every", every},
                          wait))
            continue;
        if (!std::filesystem::exists(file)) continue;  // killed before it was made
        ++killed;
        if (random() % 2 == 0) run_and_kill({"run", "--resume", file, "--quiet"}, wait / 2);
        const Outcome resumed = run({"run", "--resume", file, "--json"});
        ASSERT_EQ(resumed.code, 0) << resumed.err;
        EXPECT_EQ(parse_json(resumed.out)["state_hash"].asString(), whole);
        const Recording recording(file);
        EXPECT_EQ(recording.hashes().size(), steps + 1);
        EXPECT_EQ(recording.frame_steps().size(), steps / 2 + 1);
        EXPECT_EQ(recording.samples("energy.total").size(), steps / 3 + 1);
        EXPECT_EQ(recording.meta("status"), "complete");
    }
    EXPECT_EQ(killed, kills);
}

// What a killed recording holds is a beginning for branches as well: at a time before the kill, and with
// changes.
TEST_F(ResumeCommand, ABranchMayBeginInAKilledRecording) {
    const std::string whole = path("whole.impuls"), killed = path("killed.impuls");
    ASSERT_EQ(run({"run", scene, "--quiet", "--until", "0.2", "--record", whole}).code, 0);
    bool was_killed = false;
    for (int wait = 400; wait < 10000 && !was_killed; wait *= 2) {
        std::filesystem::remove(killed);
        was_killed = run_and_kill({"run", scene, "--quiet", "--until", "1e6", "--overwrite", "--record",
                                   killed, "--checkpoint-every", "5"},
                                  wait) &&
                     std::filesystem::exists(killed) && !Recording(killed).checkpoint_steps().empty() &&
                     Recording(killed).checkpoint_steps().back() >= 20;
    }
    ASSERT_TRUE(was_killed);
    const auto branch = [&](const std::string& from, const std::string& to) {
        const Outcome made = run({"run", "--resume", from, "--at", "0.1", "--until", "0.2", "--set",
                                  "bodies.arm.mass=9", "-o", path(to), "--json"});
        EXPECT_EQ(made.code, 0) << made.err;
        return parse_json(made.out)["state_hash"].asString();
    };
    EXPECT_EQ(branch(killed, "a.impuls"), branch(whole, "b.impuls"));
    EXPECT_EQ(Recording(path("a.impuls")).meta("parent_step"), "20");
}

TEST_F(ResumeCommand, AfterASignalItGoesOnWhereItStopped) {
    const std::string file = path("stopped.impuls"), ball = write("ball.json", kFallingBall);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        Started started(folder(), {built_program(), "run", ball, "--quiet", "--until", "1e9", "--record",
                                   file, "--frame-every", "100", "--overwrite"});
        for (int k = 0; k < 1000 && !std::filesystem::exists(file); ++k)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        kill(started.pid(), signal);
        ASSERT_EQ(started.wait().code, 130);
        const std::int64_t last = Recording(file).hashes().back().first;
        EXPECT_EQ(Recording(file).checkpoint_steps().back(), last) << "so that nothing is simulated again";
        const Json::Value more = run_json({"run", "--resume", file, "--json", "--steps", "5"});
        EXPECT_EQ(more["first_step"].asInt64(), last);
        EXPECT_EQ(more["steps"].asInt(), 5);
        EXPECT_EQ(Recording(file).hashes().back().first, last + 5);
        std::filesystem::remove(file);
    }
}

// A ball of 2 kg is pushed with 4 N: a = 2 m/s^2, and 0.5 m/s^2 from the time on at which it weighs 8 kg.
const char* const kPushed = R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 2, "gravity": [0, 0, 0]},
    "bodies": [{"name": "ball", "shape": {"type": "sphere"}, "mass": 2}],
    "timeline": [{"time": 0, "type": "set_force", "body": "ball", "force": [4, 0, 0]}]})";

TEST_F(ResumeCommand, ABranchWithAnotherMassDiffersOnlyAfterItsBeginning) {
    const std::string parent = path("parent.impuls"), branch = path("branch.impuls");
    ASSERT_EQ(run({"run", write("pushed.json", kPushed), "--quiet", "--record", parent}).code, 0);
    const Outcome made =
        run({"run", "--resume", parent, "--at", "1", "--set", "bodies.ball.mass=8", "-o", branch, "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Recording old(parent), changed(branch);
    EXPECT_EQ(old.hashes().size(), 201u) << "the parent is left alone";
    EXPECT_EQ(changed.hashes().front(), old.hashes().at(100));
    EXPECT_EQ(changed.frame_steps().front(), 100);
    const Frame a = old.frame(100), b = changed.frame(100);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    for (std::size_t k = 1; k <= 100; ++k)
        EXPECT_NE(changed.hashes().at(k).second, old.hashes().at(100 + k).second);
    const Frame last = changed.frame(200);
    EXPECT_NEAR(last.positions[0].x, 1 + 2 * 1 + 0.5 * 0.5 * 1, 1e-9);
    EXPECT_NEAR(last.velocities[0].x, 2 + 0.5, 1e-9);
    EXPECT_NEAR(old.frame(200).positions[0].x, 0.5 * 2 * 4, 1e-9);

    EXPECT_EQ(changed.meta("parent"), std::filesystem::absolute(parent).string());
    EXPECT_EQ(changed.meta("parent_time"), "1");
    EXPECT_EQ(changed.meta("parent_step"), "100");
    const Json::Value info = run_json({"info", branch, "--json"});
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016lx", static_cast<unsigned long>(old.hashes().at(100).second));
    EXPECT_EQ(info["meta"]["parent_hash"].asString(), hash);

    const Outcome replay = run({"replay", branch, "--verify"});
    EXPECT_EQ(replay.code, 0) << replay.out << replay.err;
    EXPECT_TRUE(contains(replay.out, "steps 100 to 200 replayed, 101 states compared")) << replay.out;
    // A branch can be taken up again itself, also in another file.
    const std::string longer = path("longer.impuls");
    ASSERT_EQ(run({"run", "--resume", branch, "--until", "3", "-o", longer, "--quiet"}).code, 0);
    EXPECT_NEAR(Recording(longer).frame(300).velocities[0].x, 2 + 0.5 * 2, 1e-9);
    EXPECT_EQ(Recording(longer).meta("parent_step"), "200");
}

TEST_F(ResumeCommand, ABranchMayHaveAnotherTimeStepAndMethod) {
    const std::string parent = path("parent.impuls"), branch = path("branch.impuls");
    ASSERT_EQ(run({"run", write("kick.json", kTimeline), "--quiet", "--record", parent}).code, 0);
    ASSERT_EQ(run({"run", "--resume", parent, "--at", "0.6", "--dt", "0.0025", "--method", "accurate", "-o",
                   branch, "--quiet"})
                  .code,
              0);
    const Recording changed(branch);
    EXPECT_EQ(changed.hashes().front().first, 240);
    EXPECT_EQ(changed.hashes().back().first, 600);
    EXPECT_EQ(changed.scene().settings.dt, 0.0025);
    EXPECT_EQ(changed.frame(240).positions, Recording(parent).frame(60).positions);
    EXPECT_EQ(changed.frame(600).bodies.size(), 2u) << "the timeline goes on: the second ball was removed";
    EXPECT_EQ(run({"replay", branch, "--verify"}).code, 0);
    // Without changes it is the same run again.
    const std::string same = path("same.impuls");
    ASSERT_EQ(run({"run", "--resume", parent, "--at", "0.6", "-o", same, "--quiet"}).code, 0);
    EXPECT_EQ(Recording(same).hashes().back(), Recording(parent).hashes().back());
}

TEST_F(ResumeCommand, WhatCannotBeTakenUpIsRefusedWithAReason) {
    const std::string file = path("run.impuls");
    ASSERT_EQ(run({"run", write("kick.json", kTimeline), "--quiet", "--record", file}).code, 0);
    const auto expect_refused = [&](int code, const std::string& why, std::vector<std::string> options) {
        options.insert(options.begin(), {"run", "--resume", file});
        const Outcome outcome = run(options);
        EXPECT_EQ(outcome.code, code) << why;
        EXPECT_TRUE(contains(outcome.err, why)) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    };
    const std::string b = path("b.impuls");
    expect_refused(2, "the recording ends at 1.5 s", {"--at", "1.6", "-o", b});
    expect_refused(2, "name it with -o FILE", {"--at", "1"});
    expect_refused(2, "name it with -o FILE", {"--set", "bodies.ball.mass=3"});
    expect_refused(2, "name it with -o FILE", {"--dt", "0.001"});
    expect_refused(2, "name it with -o FILE", {"--method", "fast"});
    expect_refused(2, "--until 1: the recording already reaches 1.5 s", {"--until", "1"});
    expect_refused(2, "is what is read", {"--at", "1", "-o", file, "--overwrite"});
    expect_refused(2, "leave SCENE out", {path("kick.json")});
    expect_refused(2, "no whole number of steps", {"--at", "1", "--dt", "0.003", "-o", b});
    expect_refused(2, "bodies.ball.mas", {"--set", "bodies.ball.mas=3", "-o", b});
    expect_refused(2, "not in both scenes", {"--set", "bodies.floor.name=\"other\"", "-o", b});
    EXPECT_FALSE(std::filesystem::exists(b));
    write("b.impuls", "no recording");
    expect_refused(4, "is not an Impuls recording", {"--at", "1", "-o", b, "--overwrite"});
    std::filesystem::remove(b);
    ASSERT_EQ(run({"run", "--resume", file, "--at", "1", "-o", b, "--quiet"}).code, 0);
    expect_refused(4, "exists already; only --overwrite replaces it", {"--at", "1", "-o", b});
    ASSERT_EQ(run({"run", "--resume", file, "--at", "1", "-o", b, "--quiet", "--overwrite"}).code, 0);
    alter(file, "UPDATE hashes SET hash = hash + 1 WHERE step = 150");
    expect_refused(3, "step 150 differs", {"--until", "2"});
    alter(file, "UPDATE meta SET value = '0.0.7' WHERE key = 'engine'");
    expect_refused(2, "was recorded by Impuls 0.0.7", {"--until", "2"});
    alter(file, "UPDATE meta SET value = '" + Recording(b).meta("engine") +
                    "' WHERE key = 'engine'; DELETE FROM checkpoints");
    expect_refused(2, "has no checkpoint", {"--until", "2"});
    const Outcome none = run({"run", "--resume", path("none.impuls")});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "no such file")) << none.err;
    EXPECT_EQ(run({"run", "--at", "1"}).code, 2);
    std::filesystem::permissions(b, std::filesystem::perms::owner_read);
    if (geteuid() == 0) return;  // who may write everything
    EXPECT_EQ(run({"run", "--resume", b, "--until", "2"}).code, 4);
}

}  // namespace
}  // namespace impuls::test
