// `impuls assemble`: a table, a scene that runs, and refusals.
#include "cli/program.h"
#include "support/places.h"

#include <filesystem>

namespace impuls::test {
namespace {

// A bar 1 m long whose left end belongs to a peg at the origin, and whose right end to one at x = `reach`.
std::string bar(double reach) {
    return R"({"impuls": 1, "bodies": [{"name": "bar", "collides": false, "shape": {"type": "box", "size": [1, 0.1, 0.1]},
        "position": [3, 2, 1]}], "joints": [
        {"type": "ball", "name": "left", "b": "bar", "anchor": [0, 0, 0], "at_b": {"position": [0.5, 0, 0]}},
        {"type": "ball", "name": "right", "b": "bar", "anchor": [)" +
           std::to_string(reach) + R"(, 0, 0], "at_b": {"position": [)" + std::to_string(reach - 0.5) +
           R"(, 0, 0]}}]})";
}

TEST_F(Cli, AssembleClosesJoints) {
    const Outcome outcome = run({"assemble", write("bar.json", bar(1)), "-o", path("out.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "left") && contains(outcome.out, "right")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "2 joints closed")) << outcome.out;
    const Json::Value summary = run_json({"run", path("out.json"), "--json", "--steps", "1"});
    EXPECT_LT(summary["max_joint_error"].asDouble(), 1e-9);
}

TEST_F(Cli, AssembleRefusesContradictions) {
    const Outcome outcome = run({"assemble", write("bar.json", bar(3)), "-o", path("out.json")});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(contains(outcome.err, "do not close")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("out.json")));
}

TEST_F(Cli, AssembleRefusesGears) {
    const Outcome outcome =
        run({"assemble", in_project("scenes/examples/gear-train.json"), "-o", path("out.json")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "gear")) << outcome.err;
}

}  // namespace
}  // namespace impuls::test
