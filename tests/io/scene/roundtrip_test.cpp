// load -> save -> load: fields, expressions, generators and comments survive; saving twice changes nothing.
#include <fmt/format.h>

#include "io/scene/testing.h"
#include "scene/described.h"

namespace impuls {
namespace {

const char* const kFull = R"(// A pile of everything.
/* second
   comment */
{
  "impuls": 1, // version
  "title": "{n} cubes {{not an expression}}",
  "variables": {
    // how many
    "n": 4,
    "half": "size/2",  // used below
    "size": "0.1*n"
  },
  "settings": {"gravity": [0, "-9.81*2", 0], "dt": 0.005, "method": "accurate"},
  "materials": [{"name": "steel", "density": 7.8e3, "friction": 0.5}],
  "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    // the generator
    {
      "name": "cubes",
      "kind": "dynamic",
      "shape": {"type": "box", "size": ["size", "size", /* thin */ 0.01]},
      "material": "steel",
      "position": [0, "half + 1", 0.30000000000000004],
      "orientation": {"axis": [0, 0, 1], "angle": "pi/4 + 0.1*i"},
      "repeat": {"count": ["n", 1, 1], "spacing": [1.5, 0, 0], "where": "i != 2"} // a row
      // nothing more
    },
    {"name": "turned", "shape": {"type": "sphere"}, "orientation": [1, 1, 0, 0]}
  ],
  "joints": [{"type": "ball", "name": "links", "a": "cubes[{i}]", "b": "cubes[{i+1}]",
              "anchor": ["i", 0, 0], "repeat": {"count": ["n-2", 1, 1]}}],
  "timeline": [{"time": "2*size", "type": "set_body", "body": "turned", "velocity": [0, "size", 0]}],
  "measure": ["energy.total", {"quantity": "bodies.turned.position.y", "every": 3}]
}
// the end
)";

bool same_comments(const Scene& a, const Scene& b) {
    if (a.comments.size() != b.comments.size()) return false;
    for (const auto& [path, c] : a.comments) {
        const auto other = b.comments.find(path);
        if (other == b.comments.end()) return false;
        const Comments& d = other->second;
        if (c.before != d.before || c.same_line != d.same_line || c.after != d.after) return false;
    }
    return true;
}

void expect_round_trip(const std::string& text) {
    const Scene first = parse_scene(text, "s.json");
    const std::string saved = to_json(first);
    const Scene second = parse_scene(saved, "s.json");
    EXPECT_TRUE(same(first, second)) << saved;
    EXPECT_TRUE(same_comments(first, second)) << saved;
    EXPECT_EQ(first.spellings, second.spellings);
    EXPECT_EQ(to_json(second), saved);
}

TEST(SceneRoundTrip, Everything) {
    expect_round_trip(kFull);
    const Scene scene = parse_scene(kFull);
    EXPECT_EQ(scene.title, "4 cubes {not an expression}");
    EXPECT_EQ(scene.variables[0].name, "n");
    EXPECT_EQ(scene.variables[1].value, 0.1 * 4 / 2);
    EXPECT_EQ(scene.settings.gravity.y, -9.81 * 2);
    EXPECT_EQ(scene.comments.at("").before, "// A pile of everything.\n/* second\ncomment */");
    EXPECT_EQ(scene.comments.at("").after, "// the end");
    EXPECT_EQ(scene.comments.at("/impuls").same_line, "// version");
    EXPECT_EQ(scene.comments.at("/variables/half").same_line, "// used below");
    EXPECT_EQ(scene.comments.at("/bodies/1").before, "// the generator");
    EXPECT_EQ(scene.comments.at("/bodies/1/shape/size/2").before, "/* thin */");
    EXPECT_EQ(scene.comments.at("/bodies/1/repeat").same_line, "// a row");
    EXPECT_EQ(scene.comments.at("/bodies/1/repeat").after, "// nothing more");
    EXPECT_EQ(expand(scene).bodies.size(), 5u);
}

TEST(SceneRoundTrip, SavedTextKeepsExpressionsAndLayout) {
    const std::string saved = to_json(parse_scene(kFull));
    for (const char* part :
         {"// A pile of everything.\n/* second\n   comment */\n{\n  \"impuls\": 1, // version\n",
          "    // how many\n    \"n\": 4,\n    \"half\": \"size/2\", // used below\n    \"size\": "
          "\"0.1*n\"\n",
          "\"gravity\": [0, \"-9.81*2\", 0]", "\"method\": \"accurate\"", "\"kind\": \"dynamic\"",
          "\"density\": 7800", "0.30000000000000004",
          "\"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"pi/4 + 0.1*i\"}",
          "\"repeat\": {\"count\": [\"n\", 1, 1], \"spacing\": [1.5, 0, 0], \"where\": \"i != 2\"} // a row\n"
          "      // nothing more\n",
          "{\"name\": \"turned\", \"shape\": {\"type\": \"sphere\"}, \"orientation\": [1, 1, 0, 0]}",
          "\"a\": \"cubes[{i}]\"", "\"measure\": [\n    \"energy.total\",\n", "}\n// the end\n"}) {
        EXPECT_NE(saved.find(part), std::string::npos) << part << "\n--- in\n" << saved;
    }
    EXPECT_EQ(saved.find("collides"), std::string::npos) << "defaults are left out";
}

TEST(SceneRoundTrip, AnEditReplacesTheExpression) {
    Scene scene = parse_scene(kFull);
    scene.settings.gravity.y = -1.62;
    scene.bodies[1].position.y = 3;
    const Scene again = parse_scene(to_json(scene));
    EXPECT_EQ(again.settings.gravity.y, -1.62);
    EXPECT_EQ(again.bodies[1].position.y, 3);
    EXPECT_EQ(again.spellings.count("/settings/gravity/1"), 0u);
    EXPECT_EQ(again.spellings.count("/bodies/1/shape/size/0"), 1u);
}

TEST(SceneRoundTrip, ScenesMadeInCode) {
    Scene scene;
    scene.title = "{braces} and \"quotes\" \\ \n\t\x01 ü";
    scene.bodies.resize(2);
    scene.bodies[0].name = "a{1}";
    scene.bodies[0].position = {-0.0, 1e-310, 1.7976931348623157e308};
    scene.bodies[0].orientation = normalized(Quat{0.3, -0.2, 0.9, 0.1});
    scene.bodies[0].mass = 0.1 + 0.2;
    scene.bodies[1].shape = Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const std::string saved = to_json(scene);
    EXPECT_TRUE(same(parse_scene(saved), scene)) << saved;
    EXPECT_EQ(to_json(parse_scene(saved)), saved);
}

TEST(SceneRoundTrip, ExpandedScenes) {
    const Scene expanded = expand(parse_scene(kFull));
    EXPECT_TRUE(same(parse_scene(to_json(expanded)), expanded));
}

TEST(SceneRoundTrip, CommentsInOddPlaces) {
    for (const char* text :
         {"/* a */ {/* b */ \"impuls\" /* c */ : /* d */ 1 /* e */ , /* f */ \"title\": \"x\" /* g */ } /* h "
          "*/",
          "{\"impuls\": 1, \"bodies\": [ // none yet\n ] // z\n}",
          "{ // first\n \"impuls\": 1 }\n\n// x\n\n/* y */",
          "{\"impuls\": 1, \"settings\": {\"gravity\": [ // g\n 0, // x\n -1 /* y */, 0\n // after\n]}}",
          "{\"impuls\": 1, // \"not a string\n \"title\": \"// not a comment /* nor this */\"}",
          "{\r\n  // dos\r\n  \"impuls\": 1 // v\r\n}\r\n",
          "{\"impuls\": 1, \"view\": {\"camera\": [1, 2, 3] /* multi\n     line\n   * star */\n}}",
          "{\"impuls\": 1, \"bodies\": [{\"shape\": {\"type\": \"box\"}, \"orientation\": {\"axis\": [0, 1, "
          "0], // up\n"
          " \"angle\": /* rad */ 1}}]}",
          "{\"impuls\": 1, \"measure\": [// m\n\"time\"]}",
          "{\"impuls\": 1, \"settings\": {\"method\": {/* p */ \"preset\": \"fast\"}}}"}) {
        SCOPED_TRACE(text);
        expect_round_trip(text);
    }
}

TEST(SceneRoundTrip, LongListsAreFilled) {
    std::string heights;
    for (int k = 0; k < 400; ++k) heights += (k ? ", " : "") + fmt::format("{}", 0.01 * (k % 7));
    const std::string text = R"({"impuls": 1, "bodies": [{"kind": "static", "shape": {"type": "height_field",
        "columns": 20, "heights": [)" +
                             heights + "]}}]}";
    expect_round_trip(text);
    const std::string saved = to_json(parse_scene(text));
    std::istringstream lines(saved);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 100u);
    EXPECT_LT(count, 60u);
}

TEST(SceneRoundTrip, VariablesInAnyOrder) {
    const Scene scene = parse_scene(R"({"impuls": 1, "variables": {"c": "a+b", "b": "2*a", "a": 3}})");
    ASSERT_EQ(scene.variables.size(), 3u);
    EXPECT_EQ(scene.variables[0].value, 9);
    EXPECT_EQ(scene.variables[1].value, 6);
}

TEST(SceneRoundTrip, Rotations) {
    const Scene scene = parse_scene(R"({"impuls": 1, "bodies": [
        {"shape": {"type": "box"}, "orientation": [2, 0, 0, 0]},
        {"shape": {"type": "box"}, "orientation": [1e200, 1e200, 0, 0]},
        {"shape": {"type": "box"}, "orientation": {"axis": [0, 2, 0], "angle": "pi/3"}}]})");
    EXPECT_EQ(scene.bodies[0].orientation, (Quat{1, 0, 0, 0}));
    EXPECT_NEAR(scene.bodies[1].orientation.x, std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(scene.bodies[2].orientation.w, std::cos(std::acos(-1.0) / 6), 1e-15);
    EXPECT_NEAR(scene.bodies[2].orientation.y, 0.5, 1e-15);
}

}  // namespace
}  // namespace impuls
