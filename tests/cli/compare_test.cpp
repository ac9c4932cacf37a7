// `impuls compare` and `impuls validate`.
#include "cli/program.h"
#include "support/places.h"

namespace impuls::test {
namespace {

TEST_F(Cli, CompareUnderSeveralMethods) {
    const std::string scene = write("pendulum.json", kPendulum);
    const Json::Value json =
        run_json({"compare", scene, "--json", "--methods", "default,accurate,default+dt=0.001"});
    EXPECT_EQ(json["reference"].asString(), "default+dt=0.001");
    const Json::Value& rows = json["methods"];
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0]["steps"].asInt(), 200);
    EXPECT_EQ(rows[2]["steps"].asInt(), 2000);
    EXPECT_NEAR(rows[2]["dt"].asDouble(), 0.001, 1e-15);
    EXPECT_EQ(rows[2]["difference"]["max"].asDouble(), 0);
    // Methods differ, but all of them swing on the same circle of 2 m across.
    EXPECT_GT(rows[0]["difference"]["max"].asDouble(), 0);
    EXPECT_LT(rows[0]["difference"]["max"].asDouble(), 2);
    EXPECT_NE(rows[0]["state_hash"], rows[1]["state_hash"]);
    for (const char* key :
         {"ms_per_step", "energy_max_drift_rel", "max_penetration", "max_joint_error", "status"}) {
        EXPECT_TRUE(rows[1].isMember(key)) << key;
    }
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
    EXPECT_EQ(run({"compare", scene}).code, 2);
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
