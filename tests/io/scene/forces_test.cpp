// Forces in scene files: what is written comes back, parts are placed, and mistakes are told with their path.
#include "io/scene/testing.h"
#include "scene/described.h"

namespace impuls {
namespace {

const char* const kForces = R"({"impuls": 1, "variables": {"k": 50},
 "bodies": [{"name": "x", "shape": {"type": "sphere"}, "repeat": {"count": [3, 1, 1], "spacing": [2, 0, 0]}}],
 "forces": [
  {"type": "spring", "a": "x[{i}]", "b": "x[{i+1}]", "anchor_a": ["2*i", 0, 0], "anchor_b": ["2*i+2", 0, 0],
   "stiffness": "2*k", "damping": 1, "length": 1.5, "repeat": {"count": [2, 1, 1]}},
  {"type": "damper", "name": "d", "b": "x[0]", "damping": 2, "from": 1, "until": "1+0.5"},
  {"type": "rod", "b": "x[0]", "length": 0},
  {"type": "torsion_spring", "b": "x[1]", "axis": [0, 0, 2], "stiffness": 3, "rest": -0.5},
  {"type": "cable", "a": "x[0]", "b": "x[2]", "eyes": [[0, 3, 0], [4, 3, 0]]},
  {"type": "constant", "b": "x[1]", "anchor": [2, 0, 0], "force": [0, "k", 0], "axes": "body"},
  {"type": "torque", "b": "x[1]", "torque": [1, 2, 3], "enabled": false},
  {"type": "pull", "a": "x[0]", "b": "x[1]", "force": -4},
  {"type": "drag", "b": "x[1]", "wind": [1, 0, 0], "area": 0.5},
  {"type": "attraction", "a": "x[1]", "b": "x[2]", "constant": 1}]
})";

std::string with_force(const std::string& force) {
    return R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "sphere"}}, {"name": "c",
 "shape": {"type": "sphere"}}],
 "forces": [)" +
           force + "]}";
}

TEST(SceneForces, RoundTrip) {
    const Scene first = parse_scene(kForces, "s.json");
    ASSERT_EQ(first.forces.size(), 10u);
    const std::string saved = to_json(first);
    EXPECT_TRUE(same(parse_scene(saved, "s.json"), first)) << saved;
    EXPECT_NE(saved.find("\"2*k\""), std::string::npos) << saved;
}

TEST(SceneForces, Expand) {
    const Scene out = expand(parse_scene(kForces, "s.json"));
    ASSERT_EQ(out.forces.size(), 11u);
    EXPECT_EQ(out.forces[1].name, "force[1]");
    EXPECT_EQ(out.forces[1].a, "x[1]");
    EXPECT_EQ(out.forces[1].b, "x[2]");
    EXPECT_EQ(std::get<SpringForce>(out.forces[1].force).stiffness, 100);
    EXPECT_EQ(std::get<SpringForce>(out.forces[1].force).anchor_b, (Vec3{4, 0, 0}));
    EXPECT_EQ(out.forces[2].name, "d");
    EXPECT_EQ(*out.forces[2].until, 1.5);
    EXPECT_EQ(std::get<ConstantForce>(out.forces[6].force).axes, ForceAxes::Body);
    EXPECT_FALSE(out.forces[7].enabled);
}

using SceneForceIncludes = SceneFolder;

TEST_F(SceneForceIncludes, AreNamedAndPlaced) {
    write("part.json", R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "sphere"}}],
 "forces": [{"type": "constant", "name": "f", "b": "a", "anchor": [1, 0, 0], "force": [2, 0, 0]},
            {"type": "cable", "name": "c", "b": "a", "eyes": [[0, 1, 0]]}]})");
    const Scene scene = load_scene(write("main.json", R"({"impuls": 1, "include": [{"file": "part.json",
 "name": "p", "position": [0, 5, 0], "orientation": {"axis": [0, 0, 1], "angle": "pi/2"}}]})"));
    const Scene out = expand(scene);
    ASSERT_EQ(out.forces.size(), 2u);
    EXPECT_EQ(out.forces[0].name, "p/f");
    EXPECT_EQ(out.forces[0].b, "p/a");
    const auto& force = std::get<ConstantForce>(out.forces[0].force);
    EXPECT_LT(length(force.anchor - Vec3{0, 6, 0}), 1e-15);
    EXPECT_LT(length(force.force - Vec3{0, 2, 0}), 1e-15);
    EXPECT_LT(length(std::get<CableForce>(out.forces[1].force).eyes[0] - Vec3{-1, 5, 0}), 1e-15);
}

TEST(SceneForces, Mistakes) {
    EXPECT_EQ(complaints(with_force(R"({"type": "spring", "b": "a", "stiffness": -2})")),
              "s.json:3:55: /forces/0/stiffness: -2 is not > 0");
    EXPECT_EQ(complaints(with_force(R"({"type": "spring", "b": "a"})")),
              "s.json:3:13: /forces/0: 'stiffness' is missing");
    EXPECT_EQ(complaints(with_force(R"({"type": "torque", "b": "x", "torque": [1, 0, 0]})")),
              "s.json:3:37: /forces/0/b: unknown body 'x'");
    EXPECT_EQ(complaints(with_force(R"({"type": "pull", "a": "a", "b": "a", "force": 1})")),
              "s.json:3:45: /forces/0/b: acts between 'a' and itself");
    EXPECT_EQ(complaints(with_force(R"({"type": "damper", "b": "a", "damping": 1, "from": 2, "until": 2})")),
              "s.json:3:76: /forces/0/until: is not after from");
    EXPECT_EQ(complaints(with_force(R"({"type": "attraction", "b": "a"})")),
              "s.json:3:13: /forces/0/a: attraction is between two bodies: name both");
    EXPECT_EQ(
        complaints(with_force(R"({"type": "torsion_spring", "b": "a", "stiffness": 1, "axis": [0, 0, 0]})")),
        "s.json:3:74: /forces/0/axis: a direction of length zero");
    EXPECT_EQ(complaints(with_force(R"({"type": "torque", "b": "a", "torque": ["1/0", 0, 0]})")),
              "s.json:3:53: /forces/0/torque/0: '1/0' is inf, not a finite number");
    EXPECT_EQ(complaints(with_force(R"({"type": "sping", "b": "a"})")),
              "s.json:3:22: /forces/0/type: unknown type 'sping' (did you mean 'spring'?)");
    EXPECT_EQ(complaints(with_force(R"({"type": "torque", "name": "t", "b": "a", "torque": [1, 0, 0]},
 {"type": "torque", "name": "t", "b": "c", "torque": [1, 0, 0]})")),
              "s.json:4:29: /forces/1/name: the name 't' is taken by s.json:3:13: /forces/0");
}

TEST(SceneForces, TimelineKnowsThem) {
    const auto with_command = [](const std::string& command) {
        return R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "sphere"}}],
 "forces": [{"type": "torque", "name": "t", "b": "a", "torque": [1, 0, 0]}],
 "timeline": [)" +
               command + "]}";
    };
    EXPECT_EQ(
        complaints(with_command(R"({"time": 1, "type": "enable_force", "name": "t", "enabled": false})")),
        "");
    EXPECT_EQ(complaints(with_command(R"({"time": 1, "type": "remove_force", "name": "u"})")),
              "s.json:3:59: /timeline/0/forces/0: unknown force 'u'");
    EXPECT_EQ(
        complaints(with_command(R"({"time": 1, "type": "add_force", "force": {"type": "torque", "name": "t",
 "b": "z", "torque": [1, 0, 0]}})")),
        "s.json:4:7: /timeline/0/forces/0/b: unknown body 'z'");
}

}  // namespace
}  // namespace impuls
