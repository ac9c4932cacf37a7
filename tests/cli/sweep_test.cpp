// `impuls sweep`: the table, failed runs, seeds, and going on after a kill.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "cli/program.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls::test {
namespace {

const char* const kDrop = R"({
    "impuls": 1,
    "title": "Drop",
    "variables": {"h": 100, "g": 10},
    "settings": {"dt": 0.01, "duration": 2, "gravity": [0, "-g", 0]},
    "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 2, "position": [0, "h", 0]}],
    "measure": [{"quantity": "bodies.ball.position.y", "name": "height"}]
})";

// Cells of a table without quoted ones, by rows.
std::vector<std::vector<std::string>> cells(const std::string& file) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(read_text(file));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream row(line);
        rows.emplace_back();
        for (std::string cell; std::getline(row, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

std::size_t column(const std::vector<std::vector<std::string>>& rows, const std::string& name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name);
    EXPECT_NE(at, rows[0].end()) << name;
    return static_cast<std::size_t>(at - rows[0].begin());
}

TEST_F(Cli, SweepReadsListsAndRanges) {
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    const auto values = [&](const std::string& text) {
        EXPECT_EQ(run({"sweep", scene, "--until", "0", "--vary", text, "--overwrite", "-o", table}).code, 0)
            << text;
        std::vector<std::string> values;
        for (const auto& row : cells(table)) values.push_back(row[1]);
        values.erase(values.begin());
        return values;
    };
    EXPECT_EQ(values("variables.g=1,2"), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(values("variables.g=0:1:3,7"), (std::vector<std::string>{"0", "0.5", "1", "7"}));
    EXPECT_EQ(values("variables.h=1:1000:4:log"), (std::vector<std::string>{"1", "10", "100", "1000"}));
    EXPECT_EQ(values("settings.gravity=[0,-1,0],[0,-2,0]").size(), 2u);
    for (const char* bad :
         {"a", "=1", "a=", "a=1,,2", "a=0:1", "a=0:1:1", "a=0:1:2.5", "a=0:1:3:log", "a=0:1:3:cubic"})
        EXPECT_EQ(run({"sweep", scene, "--vary", bad, "-o", table, "--overwrite"}).code, 2) << bad;
    EXPECT_EQ(run({"sweep", scene, "--vary", "variables.g=1", "--vary", "variables.g=2", "-o", table,
                   "--overwrite"})
                  .code,
              2);
}

// Free fall is exact in every method: after 2 s by g 2^2/2 lower.
TEST_F(Cli, SweepMakesATableOfClosedForms) {
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    const Outcome outcome = run({"sweep", scene, "--vary", "variables.h=100:300:3", "--vary",
                                 "variables.g=1,10", "-o", table, "--plot", path("plot.svg")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = cells(table);
    ASSERT_EQ(rows.size(), 7u);
    for (std::size_t k = 1; k < rows.size(); ++k) {
        const double h = std::stod(rows[k][1]), g = std::stod(rows[k][2]);
        EXPECT_EQ(h, 100.0 * static_cast<double>((k + 1) / 2));
        EXPECT_EQ(g, k % 2 ? 1 : 10);
        EXPECT_EQ(rows[k][column(rows, "status")], "complete");
        EXPECT_NEAR(std::stod(rows[k][column(rows, "height.final")]), h - 2 * g, 1e-9);
        EXPECT_NEAR(std::stod(rows[k][column(rows, "height.min")]), h - 2 * g, 1e-9);
        EXPECT_EQ(std::stod(rows[k][column(rows, "height.max")]), h);
        EXPECT_EQ(std::stod(rows[k][column(rows, "height.max_time")]), 0);
        // 201 samples of h - g t^2/2, t = k/100: the mean of t^2 is 4 (1/3 + 1/(6 200)).
        EXPECT_NEAR(std::stod(rows[k][column(rows, "height.mean")]), h - g / 2 * 4 * (1. / 3 + 1. / 1200),
                    1e-9);
    }
    EXPECT_TRUE(contains(read_text(path("plot.svg")), "variables.h"));
    EXPECT_FALSE(std::filesystem::exists(table + ".sweep"));
    EXPECT_EQ(run({"sweep", scene, "--vary", "variables.g=1", "-o", table}).code, 4);  // exists
}

TEST_F(Cli, SweepTellsOfRunsThatFail) {
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    const Outcome outcome = run({"sweep", scene, "--vary", "bodies.0.mass=2,-1", "-o", table});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "1 of them failed")) << outcome.out;
    const std::string text = read_text(table);
    EXPECT_TRUE(contains(text, "1,-1,bad input,")) << text;
    EXPECT_TRUE(contains(text, "mass")) << text;
    // One that is killed is a row, too, and the others go on.
    const Outcome killed = bash("$impuls sweep " + scene + " --until 1e7 -j 1 --vary variables.g=0 -o " +
                                path("k.csv") + " & sleep 0.5; pkill -9 -P $!; wait $!");
    EXPECT_EQ(killed.code, 3) << killed.err;
    EXPECT_TRUE(contains(read_text(path("k.csv")), "killed by signal 9")) << read_text(path("k.csv"));
}

TEST_F(Cli, SweepRefusesWhatCannotBeMeant) {
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    EXPECT_EQ(run({"sweep", scene, "-o", table}).code, 2);
    EXPECT_EQ(run({"sweep", scene, "--vary", "variables.g=1,2"}).code, 2);
    EXPECT_EQ(run({"sweep", scene, "--vary", "variables.nothing=1,2", "-o", table}).code, 2);
    EXPECT_EQ(run({"sweep", scene, "--vary", "variables.g=1,2", "-o", scene, "--overwrite"}).code, 2);
    const Outcome seeds = run({"sweep", scene, "--seeds", "3", "-o", table});
    EXPECT_EQ(seeds.code, 2);
    EXPECT_TRUE(contains(seeds.err, "at random")) << seeds.err;
    EXPECT_FALSE(std::filesystem::exists(table));
}

TEST_F(Cli, TimesAreRefusedInWords) {
    const std::string scene = write("drop.json", kDrop);
    EXPECT_TRUE(contains(run({"run", scene, "--dt", "0"}).err, "--dt: 0 s: it must be above 0"));
    EXPECT_TRUE(contains(run({"run", scene, "--until", "-1"}).err, "--until: -1 s: it must be at least 0"));
    EXPECT_TRUE(contains(run({"run", scene, "--until", "abc"}).err, "'abc' is not a number of seconds"));
}

TEST_F(Cli, SweepDrawsAnewForEachSeed) {
    std::string jittered = kDrop;
    jittered.replace(jittered.find("\"mass\""), 6,
                     R"("repeat": {"count": [1, 1, 2], "spacing": [0, 0, 5], "jitter": 0.1}, "mass")");
    jittered.replace(jittered.find("bodies.ball.position.y"), 22, "bodies.ball[0].position.y");
    const std::string scene = write("drop.json", jittered), table = path("table.csv");
    ASSERT_EQ(run({"sweep", scene, "--seeds", "3", "-o", table}).code, 0);
    const auto rows = cells(table);
    ASSERT_EQ(rows.size(), 4u);
    const std::size_t hash = column(rows, "hash"), first = column(rows, "height.max");
    EXPECT_EQ(rows[1][hash], run_json({"run", scene, "--json"})["state_hash"].asString())
        << "seed 0 is as written";
    EXPECT_NE(rows[1][hash], rows[2][hash]);
    EXPECT_NE(rows[2][hash], rows[3][hash]);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(std::stod(rows[k][first]), 100, 0.1 + 1e-12);
}

// Killed five times, with whatever it had under way; the table is that of a sweep that nobody disturbed.
TEST_F(Cli, SweepGoesOnAfterKills) {
    const int runs = is_long() ? 200 : 40;
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    const std::string values = "variables.g=1:10:" + std::to_string(runs);
    ASSERT_EQ(run({"sweep", scene, "--vary", values, "-o", path("whole.csv")}).code, 0);
    const std::vector<std::string> command{built_program(), "sweep", scene, "--vary", values, "-o", table};
    for (int k = 0; k < 5; ++k) {
        Started sweep(folder(), command);
        std::this_thread::sleep_for(std::chrono::milliseconds(60 + 40 * k));
        kill(sweep.pid(), SIGKILL);
        sweep.wait();
        // A line that was cut off while it was written.
        if (k == 2 && std::filesystem::exists(table + ".sweep"))
            bash("printf '{\"row\":{\"sta' >> " + table + ".sweep");
    }
    if (std::filesystem::exists(table + ".sweep")) {
        const Outcome other = run({"sweep", scene, "--vary", values + ",11", "-o", table});
        EXPECT_EQ(other.code, 2) << other.err;
        EXPECT_TRUE(contains(other.err, "another sweep")) << other.err;
        ASSERT_EQ(Started(folder(), command).wait().code, 0);
    }
    EXPECT_EQ(read_text(table), read_text(path("whole.csv")));
    EXPECT_EQ(cells(table).size(), static_cast<std::size_t>(runs) + 1);
    EXPECT_FALSE(std::filesystem::exists(table + ".sweep"));
}

TEST_F(Cli, SweepStopsWhenAsked) {
    const std::string scene = write("drop.json", kDrop), table = path("table.csv");
    Started sweep(folder(), {built_program(), "sweep", scene, "--until", "1e7", "--vary", "variables.g=0,0.1",
                             "-o", table});
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    kill(sweep.pid(), SIGTERM);
    const Outcome outcome = sweep.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "0 of 2 runs")) << outcome.err;
}

}  // namespace
}  // namespace impuls::test
