// `impuls list`, `info`, `schema`, `export`, `plot`, help and version.
#include <filesystem>
#include <set>
#include <variant>

#include "cli/program.h"
#include "impuls/command.h"
#include "impuls/export.h"
#include "impuls/joints.h"
#include "impuls/quantity.h"
#include "impuls/settings.h"
#include "impuls/shapes.h"

namespace impuls::test {
namespace {

using Names = std::set<std::string>;

template <class... T>
Names kinds(const std::variant<T...>*) {
    return {T::kType...};
}

template <class E>
Names enum_names() {
    return {EnumNames<E>::names.begin(), EnumNames<E>::names.end()};
}

Names listed(const Json::Value& family) {
    Names names;
    for (const Json::Value& entry : family) names.insert(entry["name"].asString());
    return names;
}

TEST_F(Cli, ListIsTheFamilyLists) {
    const Json::Value json = run_json({"list", "--json"});
    EXPECT_EQ(listed(json["shapes"]), kinds(static_cast<Shape*>(nullptr)));
    EXPECT_EQ(listed(json["joints"]), kinds(static_cast<Joint*>(nullptr)));
    EXPECT_EQ(listed(json["commands"]), kinds(static_cast<Command*>(nullptr)));
    EXPECT_EQ(listed(json["solvers"]), enum_names<Solver>());
    EXPECT_EQ(listed(json["steppers"]), kinds(static_cast<StepperFamily<Decided>*>(nullptr)));
    EXPECT_EQ(listed(json["integrators"]), enum_names<Integrator>());
    EXPECT_EQ(listed(json["impacts"]), enum_names<ImpactOrder>());
    EXPECT_EQ(listed(json["friction"]), enum_names<FrictionModel>());
    EXPECT_EQ(listed(json["broad_phases"]), enum_names<BroadPhaseKind>());
    Names presets, formats, quantities;
    for (const Method& method : method_presets()) presets.insert(method.preset);
    for (const Exporter& exporter : exporters()) formats.insert(exporter.name);
    for (const auto& [name, unit] : quantity_help()) quantities.insert(name);
    EXPECT_EQ(listed(json["presets"]), presets);
    EXPECT_EQ(listed(json["exporters"]), formats);
    EXPECT_EQ(listed(json["quantities"]), quantities);
    EXPECT_TRUE(listed(json["laws"]).count("free_fall"));
}

TEST_F(Cli, ListShowsFieldsWithUnitsAndRanges) {
    const Outcome text = run({"list", "shapes"});
    EXPECT_TRUE(contains(text.out, "number [m], > 0: radius of cylinder and caps")) << text.out;
    const Json::Value json = run_json({"list", "shapes", "--json"});
    EXPECT_EQ(json.getMemberNames(), std::vector<std::string>{"shapes"});
    const Json::Value& sphere = json["shapes"][0];
    EXPECT_EQ(sphere["name"].asString(), "sphere");
    EXPECT_EQ(sphere["fields"][0]["unit"].asString(), "m");
}

TEST_F(Cli, ListScenesShowsTitles) {
    std::filesystem::create_directories(path("scenes/sub"));
    write("scenes/sub/ball.json", kFallingBall);
    write("scenes/broken.json", "{");
    const Outcome text = run({"list", "scenes"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(contains(text.out, "scenes/sub/ball.json  Falling ball")) << text.out;
    EXPECT_TRUE(contains(text.out, "scenes/broken.json    (does not load")) << text.out;
}

TEST_F(Cli, InfoOnScenesAndRecordings) {
    const std::string scene = write("kick.json", kTimeline), file = path("kick.impuls");
    const Json::Value about_scene = run_json({"info", scene, "--json"});
    EXPECT_EQ(about_scene["type"].asString(), "scene");
    EXPECT_EQ(about_scene["title"].asString(), "Kicked ball");
    EXPECT_EQ(about_scene["bodies"].asInt(), 2);
    EXPECT_EQ(about_scene["kinds"]["static"].asInt(), 1);
    EXPECT_EQ(about_scene["timeline"].asInt(), 3);

    const Json::Value ran = run_json({"run", scene, "--json", "--record", file, "--frame-every", "5"});
    const Json::Value about = run_json({"info", file, "--json"});
    EXPECT_EQ(about["type"].asString(), "recording");
    EXPECT_EQ(about["steps"].asInt(), 150);
    EXPECT_EQ(about["frames"].asInt(), 31);
    EXPECT_NEAR(about["time_range"][1].asDouble(), 1.5, 1e-12);
    EXPECT_EQ(about["state_hash"], ran["state_hash"]);
    EXPECT_EQ(about["meta"]["status"].asString(), "complete");
    EXPECT_EQ(about["size"].asUInt64(), std::filesystem::file_size(file));
    EXPECT_TRUE(contains(run({"info", file}).out, "Kicked ball"));
}

// A ball that bounces: the touches of every frame, counted by kind.
// A block of 1000 kg/m^3: m = 6000 kg, m/12 (b^2 + c^2).
TEST_F(Cli, InfoTellsMassProperties) {
    const std::string scene =
        write("block.json", R"({"impuls": 1, "materials": [{"name": "water", "density": 1000}],
        "bodies": [{"name": "block", "material": "water", "shape": {"type": "box", "size": [1, 2, 3]}}]})");
    const Json::Value block = run_json({"info", scene, "--bodies", "--json"})["mass_properties"][0];
    EXPECT_EQ(block["name"].asString(), "block");
    EXPECT_NEAR(block["mass"].asDouble(), 6000, 1e-9);
    const double moments[] = {500.0 * (4 + 9), 500.0 * (1 + 9), 500.0 * (1 + 4)};
    for (Json::ArrayIndex k = 0; k < 3; ++k) {
        EXPECT_NEAR(block["inertia"][k].asDouble(), moments[k], 1e-8);
        EXPECT_EQ(block["products_of_inertia"][k].asDouble(), 0);
        EXPECT_EQ(block["center_of_mass"][k].asDouble(), 0);
    }
    EXPECT_TRUE(contains(run({"info", scene, "--bodies"}).out, "6500, 5000, 2500"));
    EXPECT_FALSE(run_json({"info", scene, "--json"}).isMember("mass_properties"));
}

TEST_F(Cli, InfoCountsEventsOfARecording) {
    const std::string scene = write("touch.json", R"({"impuls": 1,
      "settings": {"duration": 1, "events": ["touch_begin", "touch_end"]},
      "bodies": [{"name": "floor", "kind": "static", "shape": {"type": "plane"}},
                 {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0.2, 0]}]})");
    const std::string file = path("touch.impuls");
    ASSERT_EQ(run({"run", scene, "--record", file, "--frame-every", "1"}).code, 0);
    const Json::Value about = run_json({"info", file, "--json"});
    EXPECT_EQ(about["events"]["touch_begin"].asInt(), 1) << about;
    EXPECT_FALSE(about["events"].isMember("touch_persist"));
}

TEST_F(Cli, SchemaIsJson) {
    const Json::Value schema = run_json({"schema"});
    EXPECT_TRUE(schema.isMember("$schema"));
}

TEST_F(Cli, ExportAndPlot) {
    const std::string file = path("ball.impuls");
    ASSERT_EQ(
        run({"run", write("ball.json", kFallingBall), "--quiet", "--record", file, "--frame-every", "100"})
            .code,
        0);
    for (const char* format : {"csv", "json", "obj", "povray"}) {
        const std::string out = path(std::string("out.") + format);
        const Outcome outcome = run({"export", file, "--format", format, "-o", out});
        EXPECT_EQ(outcome.code, 0) << format << outcome.err;
        EXPECT_TRUE(std::filesystem::exists(out)) << format;
    }
    const Outcome unknown = run({"export", file, "--format", "cvs", "-o", path("x")});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.err, "csv")) << unknown.err;

    ASSERT_EQ(
        run({"plot", file, "--quantity", "energy.kinetic", "--quantity", "energy.total", "-o", path("e.svg")})
            .code,
        0);
    EXPECT_TRUE(contains(read_text(path("e.svg")), "<svg"));
    ASSERT_EQ(run({"plot", file, "-o", path("all.svg")}).code, 0);
    EXPECT_TRUE(contains(read_text(path("all.svg")), "height.y"));
    EXPECT_EQ(run({"plot", file, "--quantity", "energy.totl", "-o", path("x.svg")}).code, 2);
}

TEST_F(Cli, HelpAndVersion) {
    const Outcome help = run({"--help"});
    EXPECT_EQ(help.code, 0);
    for (const char* command : {"run", "check", "schema", "list", "info", "export", "plot", "replay",
                                "compare", "validate", "query"}) {
        EXPECT_TRUE(contains(help.out, std::string("  ") + command)) << command;
        const Outcome one = run({command, "--help"});
        EXPECT_EQ(one.code, 0) << command;
        EXPECT_TRUE(contains(one.out, std::string("Examples:\n  impuls ") + command)) << one.out;
    }
    const Outcome version = run({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_EQ(version.out.rfind("impuls ", 0), 0u) << version.out;
}

TEST_F(Cli, ListShowsOneOfAFamily) {
    const Json::Value json = run_json({"list", "joints", "hinge", "--json"});
    ASSERT_EQ(json["joints"].size(), 1u);
    EXPECT_EQ(json["joints"][0]["name"].asString(), "hinge");
    EXPECT_TRUE(contains(run({"list", "joints", "hinge"}).out, "anchor"));
    const Outcome other = run({"list", "joints", "revolute"});
    EXPECT_EQ(other.code, 2);
    EXPECT_TRUE(contains(other.err, "did you mean 'hinge'?")) << other.err;
}

}  // namespace
}  // namespace impuls::test
