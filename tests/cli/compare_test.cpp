// `impuls compare` and `impuls validate`.
#include <cmath>

#include "cli/program.h"
#include "support/places.h"

namespace impuls::test {
namespace {

TEST_F(Cli, CompareUnderSeveralMethods) {
    const std::string scene = write("pendulum.json", kPendulum);
    const Json::Value json =
        run_json({"compare", scene, "--json", "--methods", "default,accurate,default+dt=0.001"});
    EXPECT_EQ(json["reference"].asString(), "accurate");
    const Json::Value& rows = json["methods"];
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0]["steps"].asInt(), 200);
    EXPECT_EQ(rows[2]["steps"].asInt(), 2000);
    EXPECT_NEAR(rows[2]["dt"].asDouble(), 0.001, 1e-15);
    EXPECT_EQ(rows[1]["difference"]["max"].asDouble(), 0);
    // Methods differ, but all of them swing on the same circle of 2 m across.
    EXPECT_GT(rows[0]["difference"]["max"].asDouble(), 0);
    EXPECT_LT(rows[0]["difference"]["max"].asDouble(), 2);
    EXPECT_NE(rows[0]["state_hash"], rows[1]["state_hash"]);
    for (const char* key :
         {"ms_per_step", "energy_max_drift_rel", "max_penetration", "max_joint_error", "status"}) {
        EXPECT_TRUE(rows[1].isMember(key)) << key;
    }
}

// Whatever the order; and of those the one that is nearest to a far finer run.
TEST_F(Cli, CompareTakesTheMostAccurateAsReference) {
    const std::string scene = write("pendulum.json", kPendulum);
    const auto reference = [&](const std::string& methods) {
        return run_json({"compare", scene, "--until", "0.1", "--json", "--methods", methods})["reference"]
            .asString();
    };
    EXPECT_EQ(reference("accurate,default,fast"), "accurate");
    EXPECT_EQ(reference("default+dt=0.002,default,fast"), "default+dt=0.002");
    EXPECT_EQ(reference("default,default+substeps=20"), "default+substeps=20");
    EXPECT_EQ(reference("accurate,accurate+dt=0.005,default+dt=0.001"), "accurate+dt=0.005");
    EXPECT_EQ(run_json({"compare", scene, "--until", "0.1", "--json"})["methods"].size(), 3u);
    const Json::Value rows =
        run_json({"compare", scene, "--json", "--methods", "accurate,default+dt=0.001,fast", "--reference",
                  "accurate+dt=0.0005"})["methods"];
    for (const Json::ArrayIndex k : {1, 2})
        EXPECT_LT(rows[0]["difference"]["max"].asDouble(), rows[k]["difference"]["max"].asDouble());
}

// What is told of the difference follows from the runs' own statistics; a stone falls alike in all of them.
TEST_F(Cli, CompareMeasuredQuantities) {
    const std::string scene = write("pendulum.json", R"({
        "impuls": 1, "settings": {"dt": 0.01, "duration": 2},
        "bodies": [{"name": "bob", "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 0, 0]},
                   {"name": "stone", "shape": {"type": "sphere", "radius": 0.1}, "position": [9, 0, 0]}],
        "joints": [{"name": "pivot", "type": "ball", "b": "bob", "anchor": [0, 0, 0]}],
        "measure": ["bodies.bob.position.x", "bodies.stone.position.y"]
    })");
    const Json::Value json =
        run_json({"compare", scene, "--json", "--methods", "erleben,default+dt=0.005,accurate"});
    const Json::Value& rows = json["methods"];
    const Json::Value& reference = rows[2]["statistics"]["bodies.bob.position.x"];
    for (const Json::ArrayIndex k : {0, 1}) {
        const Json::Value& ours = rows[k]["statistics"]["bodies.bob.position.x"];
        const Json::Value& off = ours["difference"];
        const double by = ours["final"].asDouble() - reference["final"].asDouble();
        EXPECT_DOUBLE_EQ(off["final"].asDouble(), by);
        EXPECT_GT(std::abs(by), 1e-7);
        EXPECT_DOUBLE_EQ(off["final_relative"].asDouble(), by);  // the pendulum starts at x = 1 m
        EXPECT_GE(off["most"].asDouble(), std::abs(by));
        // Over the whole fall, y = -g t^2 / 2: the mean over time is -g T^2 / 6.
        const Json::Value& fall = rows[k]["statistics"]["bodies.stone.position.y"];
        EXPECT_NEAR(fall["time_mean"].asDouble(), -9.81 * 4 / 6, 9.81 * 0.01 * 0.01);
        EXPECT_LT(fall["difference"]["most_relative"].asDouble(), 1e-9);
    }
    const std::string table = run({"compare", scene, "--methods", "accurate,erleben"}).out;
    EXPECT_TRUE(contains(table, "at most off by") && contains(table, "bodies.bob.position.x") &&
                contains(table, " %)"))
        << table;
}

// Free fall is exact in every method, so all of them end at the same place.
TEST_F(Cli, CompareAgreesOnFreeFall) {
    const std::string scene = write("ball.json", kFallingBall);
    const Json::Value json = run_json(
        {"compare", scene, "--json", "--methods", "fast,default+dt=0.002", "--reference", "accurate"});
    ASSERT_EQ(json["methods"].size(), 3u);
    EXPECT_EQ(json["reference"].asString(), "accurate");
    for (const Json::Value& row : json["methods"])
        EXPECT_LT(row["difference"]["max"].asDouble(), 1e-9) << row;
}

TEST_F(Cli, CompareTableAndErrors) {
    const std::string scene = write("ball.json", kFallingBall);
    const Outcome table = run({"compare", scene, "--methods", "default,fast"});
    EXPECT_EQ(table.code, 0);
    EXPECT_TRUE(contains(table.out, "energy drift") && contains(table.out, "(reference)")) << table.out;
    EXPECT_EQ(run({"compare", scene, "--methods", "default,accurat"}).code, 2);
    EXPECT_EQ(run({"compare", scene, "--methods", "default+dt=x"}).code, 2);
    EXPECT_EQ(run({"compare", scene, "--methods", "default+dt=-1"}).code, 2);
}

// The scenes that must stand: with twice the substeps `default` has everything in the same place, ten plain
// sweeps do not hold them up.
TEST_F(Cli, CompareWhatStandsAndWhatFalls) {
    const std::string folder = in_project("scenes/seeds/");
    for (const auto& [scene, size] :
         {std::pair{"heavy-top.json", 1.0}, {"card-house.json", 0.1}, {"arch.json", 0.2}}) {
        const Json::Value json = run_json({"compare", folder + scene, "--json", "--until", "0.5", "--methods",
                                           "default+substeps=16+blocks_from=0,erleben+shock=off+solver=pgs",
                                           "--reference", "default"});
        const Json::Value& rows = json["methods"];
        ASSERT_EQ(rows.size(), 3u);
        EXPECT_LT(rows[0]["difference"]["max"].asDouble(), 0.01 * size) << scene;
        EXPECT_GT(rows[1]["difference"]["max"].asDouble(), 0.2 * size) << scene;
    }
}

TEST_F(Cli, ValidateReportsLaws) {
    const Json::Value json = run_json({"validate", "--law", "free_fall", "--json"});
    ASSERT_GE(json["laws"].size(), 1u);
    for (const Json::Value& law : json["laws"]) {
        for (const char* key : {"name", "preset", "analytic", "value", "rel_error", "bound", "dt", "ok"}) {
            EXPECT_TRUE(law.isMember(key)) << key;
        }
        EXPECT_TRUE(law["ok"].asBool());
        EXPECT_LE(law["rel_error"].asDouble(), law["bound"].asDouble());
    }
    EXPECT_NEAR(json["laws"][0]["analytic"].asDouble(), 0.5 * 9.81 * 16, 1e-9);
    EXPECT_TRUE(contains(run({"validate", "--law", "free_fall"}).out, "analytic"));
    const std::string verdict = json["verdict"].asString();
    EXPECT_TRUE(verdict.starts_with("default ") && verdict.ends_with(" laws within bounds")) << verdict;
    EXPECT_TRUE(run({"validate", "--law", "free_fall"}).out.ends_with("\nverdict: " + verdict + "\n"));
}

}  // namespace
}  // namespace impuls::test
