// Signals, terminals and pipes.
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/program.h"
#include "impuls/recording.h"
#include "support/places.h"

namespace impuls::test {
namespace {

void wait_for_file(const std::string& file) {
    for (int k = 0; k < 1000 && !std::filesystem::exists(file); ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

class Interrupted : public Cli, public ::testing::WithParamInterface<int> {};

TEST_P(Interrupted, RunEndsWith130AndAWholeRecording) {
    const std::string scene = write("ball.json", kFallingBall), file = path("long.impuls");
    Started run(folder(), {built_program(), "run", scene, "--json", "--until", "1e9", "--record", file,
                           "--frame-every", "50"});
    wait_for_file(file);
    kill(run.pid(), GetParam());
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "interrupted after step")) << outcome.err;
    const Json::Value json = parse_json(outcome.out);
    EXPECT_EQ(json["status"].asString(), "interrupted");
    EXPECT_GT(json["steps"].asInt64(), 0);

    EXPECT_FALSE(std::filesystem::exists(file + "-wal"));
    const Recording recording(file);
    EXPECT_EQ(recording.meta("status"), "interrupted");
    EXPECT_EQ(recording.hashes().back().first, json["steps"].asInt64());
    const Frame last = recording.frame(recording.frame_steps().back());
    EXPECT_NEAR(last.positions.at(0).y, 100 - 0.5 * 9.81 * last.time * last.time,
                1e-9 * last.time * last.time);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

// One step of many seconds: it is given up, and the recording ends with the step before it.
TEST_P(Interrupted, LongStepIsGivenUpWithinASecond) {
    const std::string file = path("long.impuls");
    Started run(folder(), {built_program(), "run", in_project("scenes/examples/pyramid.json"), "--quiet",
                           "--method", "default+substeps=10000+blocks_from=0", "--record", file});
    wait_for_file(file);
    const auto start = std::chrono::steady_clock::now();
    kill(run.pid(), GetParam());
    const Outcome outcome = run.wait();
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(file + "-wal"));
    const Recording recording(file);
    EXPECT_EQ(recording.meta("status"), "interrupted");
    EXPECT_EQ(recording.hashes().size(), 1u) << "only of the start";
}

// Both the terminal and the shell may tell of a hangup; and nohup keeps it away.
TEST_F(Cli, HangupsMayComeTwiceAndMayBeIgnored) {
    write("ball.json", kFallingBall);
    const std::string tail =
        " run ball.json --quiet --until 1e9 --record long.impuls --overwrite & p=$!; sleep 1; ";
    EXPECT_EQ(bash("\"$impuls\"" + tail + "kill -HUP $p; kill -HUP $p; wait $p").code, 130);
    EXPECT_EQ(Recording(path("long.impuls")).meta("status"), "interrupted");
    EXPECT_EQ(
        bash("nohup \"$impuls\"" + tail + "kill -HUP $p; sleep 0.5; kill -0 $p && kill -TERM $p; wait $p")
            .code,
        130);
    EXPECT_EQ(Recording(path("long.impuls")).meta("status"), "interrupted");
}

// What was written to a terminal at the given end.
std::string read_terminal(int fd) {
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    return text;
}

TEST_F(Cli, ProgressBarOnATerminalLeavesNoTrace) {
    int master = -1, slave = -1;
    ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    const std::string scene = write("ball.json", kFallingBall);
    Started run(folder(), {built_program(), "run", scene}, slave);
    EXPECT_EQ(run.wait().code, 0);
    close(slave);
    const std::string shown = read_terminal(master);
    close(master);
    EXPECT_TRUE(contains(shown, "[")) << shown;
    EXPECT_TRUE(contains(shown, "step 1 of 200")) << shown;
    EXPECT_TRUE(contains(shown, " left")) << shown;
    const std::string erase = "\r\033[K";
    ASSERT_GE(shown.size(), erase.size());
    EXPECT_EQ(shown.substr(shown.size() - erase.size()), erase);
}

TEST_F(Cli, ClosedPipeIsNoError) {
    const Outcome head = bash("\"$impuls\" list --json | head -n 1");
    EXPECT_EQ(head.code, 0);
    EXPECT_EQ(head.out, "{\n");
    EXPECT_EQ(head.err, "");
    EXPECT_EQ(bash("\"$impuls\" schema | true").code, 0);
    const std::string scene = write("ball.json", kFallingBall);
    EXPECT_EQ(bash("\"$impuls\" run ball.json --record x.impuls | true").code, 0);
    EXPECT_EQ(Recording(path("x.impuls")).meta("status"), "complete");
}

}  // namespace
}  // namespace impuls::test
