// Contact over areas as a scene file asks for it: at a body, and at a pair of materials with an exception; a
// block sinks into its layer as deep as Hooke's law says. What is wrong in it is refused with its place.
#include <set>

#include "cli/program.h"

namespace impuls::test {
namespace {

// m = 8 kg on 0.04 m^2 of a layer of 10 mm, E = 1e6, nu = 0.4: k = K / b.
constexpr double kGravity = 9.81, kModulus = 1e6 * 0.6 / (1.4 * 0.2), kLayer = 0.01, kArea = 0.04,
                 kPressure = 8 * kGravity / kArea, kDepth = kPressure * kLayer / kModulus;

std::string block_scene(const std::string& at_body, const std::string& at_pair,
                        const std::string& nu = "0.4") {
    return R"({"impuls": 1, "settings": {"dt": 0.005, "duration": 0.4, "gravity": [0, -9.81, 0]},
        "materials": [{"name": "rubber", "friction": 0.5, "restitution": 0, "youngs_modulus": 1e6, "poisson_ratio": )" +
           nu + R"(}, {"name": "rock", "friction": 0.5, "restitution": 0}],)" + at_pair + R"(
        "bodies": [{"name": "floor", "kind": "static", "material": "rock", "shape": {"type": "plane"}},
            {"name": "block", "material": "rubber", "mass": 8, "shape": {"type": "box", "size": [0.2, 0.1, 0.2]},
             "position": [0, 0.05, 0])" +
           at_body + R"(}],
        "measure": ["bodies.block.position.y", "patches.area.sum", "patches.pressure.max", "patches.count"]})";
}

TEST_F(Cli, AreasOfContactComeFromTheSceneFile) {
    const std::string areal = R"("contact": {"type": "areal", "layer": 0.01})",
                      pair = R"("contacts": [{"a": "rubber", "b": "rock", )";
    for (const std::string& scene : {block_scene(", " + areal, ""), block_scene("", pair + areal + "}],")}) {
        const Json::Value json = run_json({"run", write("block.json", scene), "--json", "--strict"});
        EXPECT_NEAR((0.05 - json["measure"]["bodies.block.position.y"].asDouble()) / kDepth, 1, 0.01);
        EXPECT_NEAR(json["measure"]["patches.area.sum"].asDouble(), kArea, 1e-6 * kArea);
        EXPECT_NEAR(json["measure"]["patches.pressure.max"].asDouble() / kPressure, 1, 0.02);
        EXPECT_EQ(json["measure"]["patches.count"].asDouble(), 1);
    }
    const std::string points = block_scene(", " + areal, pair + R"("contact": {"type": "points"}}],)");
    const Json::Value json = run_json({"run", write("points.json", points), "--json"});
    EXPECT_EQ(json["measure"]["patches.count"].asDouble(), 0) << "an exception";
    EXPECT_GT(json["contacts_max"].asInt(), 0);
}

TEST_F(Cli, AreasOfContactThatMakeNoSenseAreRefused) {
    const auto refused = [&](const std::string& scene, const std::string& word) {
        const Outcome outcome = run({"run", write("bad.json", scene)});
        EXPECT_EQ(outcome.code, 2) << scene;
        EXPECT_TRUE(contains(outcome.err, word)) << outcome.err;
    };
    refused(block_scene(R"(, "contact": {"type": "areal", "layer": -1})", ""), "/bodies/1/contact");
    refused(block_scene(R"(, "contact": {"type": "areal", "layers": 1})", ""), "layers");
    refused(block_scene(R"(, "contact": {"type": "area"})", ""), "/bodies/1/contact");
    refused(block_scene(R"(, "contact": {"type": "areal", "layer": 0.01})", "", "0.47"), "poisson_ratio");
}

// Each where its cause is, and only it: a layer of 1 um under 37 um of depth, a ball of few facets on a hard
// layer, a pebble inside a block.
TEST_F(Cli, AreasOfContactWarn) {
    const auto kinds = [&](const std::string& bodies, const char* modulus) {
        const std::string scene =
            R"({"impuls": 1, "settings": {"dt": 0.002, "duration": 0.02}, "materials": [{"name": "soft",
                "density": 1000, "restitution": 0, "poisson_ratio": 0.3, "youngs_modulus": )" +
            std::string(modulus) + R"(}], "bodies": [)" + bodies + "]}";
        const Json::Value json = run_json({"run", write("warn.json", scene), "--json"});
        std::set<std::string> found;
        for (const Json::Value& w : json["warnings"]) found.insert(w["kind"].asString());
        return found;
    };
    const std::string floor =
        R"({"name": "floor", "kind": "static", "material": "soft", "shape": {"type": "plane"}},)";
    using Kinds = std::set<std::string>;
    EXPECT_EQ(
        kinds(floor +
                  R"({"name": "block", "material": "soft", "shape": {"type": "box", "size": [0.2, 0.1, 0.2]},
                        "position": [0, 0.05, 0], "contact": {"type": "areal", "layer": 1e-6}})",
              "20"),
        Kinds{"layer_depth"});
    EXPECT_EQ(
        kinds(floor + R"({"name": "ball", "material": "soft", "shape": {"type": "sphere", "radius": 0.05},
                        "position": [0, 0.0499, 0], "contact": {"type": "areal", "layer": 0.01, "resolution": 0.02}})",
              "1e9"),
        Kinds{"unresolved"});
    EXPECT_EQ(kinds(R"({"name": "block", "kind": "static", "material": "soft", "shape": {"type": "box"},
                        "contact": {"type": "areal", "layer": 0.01}},
                       {"name": "pebble", "material": "soft", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}})",
                    "1e6"),
              Kinds{"immersed"});
}

}  // namespace
}  // namespace impuls::test
