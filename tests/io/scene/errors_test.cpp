// One test per class of error, with the exact message.
#include <cmath>

#include "io/scene/testing.h"

namespace impuls {
namespace {

std::string with_body(const std::string& body) {
    return "{\"impuls\": 1,\n \"bodies\": [\n  {" + body + "}]}";
}

TEST(SceneErrors, RangeNamesPlacePathValueAndBound) {
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "mass": -2)")),
              "s.json:3:38: /bodies/0/mass: -2 is not > 0");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box", "size": [1, 0, 1]})")),
              "s.json:3:41: /bodies/0/shape/size/1: 0 is not > 0");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"method": {"substeps": 0}}})"),
              "s.json:1:51: /settings/method/stepper/substeps: 0 is not between 1 and 10000");
    EXPECT_EQ(complaints(R"({"impuls": 2})"), "s.json:1:12: /impuls: 2 is not 1 (version of the format)");
}

TEST(SceneErrors, AllAtOnceInFileOrder) {
    EXPECT_EQ(
        complaints(R"({
  "settings": {"dt": 0, "graviti": [0, 0, 0]},
  "bodies": [
    {"name": "a", "shape": {"type": "spere"}, "mass": true},
    {"name": "ball", "shape": {"type": "sphere", "radius": -1}, "material": "wod"}
  ],
  "materials": [{"name": "wood"}],
  "joints": [{"type": "ball", "a": "bal", "b": "a"}]
})"),
        "s.json:1:1: 'impuls' is missing: a scene begins with \"impuls\": 1, the version of its format\n"
        "s.json:2:22: /settings/dt: 0 is not > 0\n"
        "s.json:2:36: /settings/graviti: unknown key (did you mean 'gravity'?)\n"
        "s.json:4:37: /bodies/0/shape/type: unknown type 'spere' (did you mean 'sphere'?)\n"
        "s.json:4:55: /bodies/0/mass: expected a number, not true\n"
        "s.json:5:60: /bodies/1/shape/radius: -1 is not > 0\n"
        "s.json:5:77: /bodies/1/material: unknown material 'wod' (did you mean 'wood'?)\n"
        "s.json:8:36: /joints/0/a: unknown body 'bal' (did you mean 'ball'?)");
}

TEST(SceneErrors, UnknownKeys) {
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "sphere", "raduis": 1})")),
              "s.json:3:42: /bodies/0/shape/raduis: unknown key (did you mean 'radius'?)");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "sphere"}, "a/b~c": 1)")),
              "s.json:3:42: /bodies/0/a~1b~0c: unknown key");
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}}],
 "joints": [{"type": "ball", "b": "a", "ancor": [0, 0, 0]}]})"),
              "s.json:2:49: /joints/0/ancor: unknown key (did you mean 'anchor'?)");
}

TEST(SceneErrors, WrongTypes) {
    EXPECT_EQ(complaints("[1]"), "s.json:1:1: expected an object, not a list of 1");
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": {}})"),
              "s.json:1:25: /bodies: expected a list, not an object");
    EXPECT_EQ(complaints(R"({"impuls": 1, "title": 3})"), "s.json:1:24: /title: expected a string, not 3");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": null})"),
              "s.json:1:27: /settings: expected an object, not null");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"gravity": [0, 0]}})"),
              "s.json:1:39: /settings/gravity: expected a list of 3 numbers, not a list of 2");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "collides": 1)")),
              "s.json:3:42: /bodies/0/collides: expected true or false, not 1");
    EXPECT_EQ(complaints(with_body(R"("shape": "box")")),
              "s.json:3:13: /bodies/0/shape: expected an object with a \"type\", such as {\"type\": "
              "\"box\"}, not a string");
    EXPECT_EQ(complaints(R"({"impuls": 1, "include": [3]})"),
              "s.json:1:27: /include/0: expected an object or a string, not 3");
}

TEST(SceneErrors, EnumsAndTypes) {
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "kind": "statc")")),
              "s.json:3:38: /bodies/0/kind: unknown value 'statc' (did you mean 'static'?)");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "kind": "frozen")")),
              "s.json:3:38: /bodies/0/kind: unknown value 'frozen' (one of dynamic, static, kinematic)");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "kind": 1)")),
              "s.json:3:38: /bodies/0/kind: expected one of dynamic, static, kinematic, not 1");
    EXPECT_EQ(
        complaints(R"({"impuls": 1, "joints": [{"b": "x"}]})"),
        "s.json:1:26: /joints/0: 'type' is missing (one of ball, hinge, slider, cylindrical, universal, "
        "hinge2, fixed, planar, distance, point_on_line, point_on_plane, screw, gear, rack_and_pinion, "
        "pulley, six_dof, rotation_3, rotation_2, rotation_1, rail, point_on_ellipsoid, point_on_torus, "
        "follower, drag)");
}

TEST(SceneErrors, MissingKeys) {
    EXPECT_EQ(
        complaints("{}"),
        "s.json:1:1: 'impuls' is missing: a scene begins with \"impuls\": 1, the version of its format");
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": [{"name": "a"}]})"),
              "s.json:1:26: /bodies/0: 'shape' is missing");
    EXPECT_EQ(complaints(R"({"impuls": 1, "materials": [{"density": 3}]})"),
              "s.json:1:29: /materials/0: 'name' is missing");
}

TEST(SceneErrors, NumbersThatAreNone) {
    EXPECT_EQ(complaints("{\"impuls\": 1,\n\"settings\": {\"dt\": 1e999}}"),
              "s.json:2:20: /settings/dt: 1e999 is not a finite number");
    EXPECT_EQ(complaints("{\"impuls\": 1, \"settings\": {\"dt\": NaN}}"),
              "s.json:1:34: /settings/dt: NaN is not a finite number");
    EXPECT_EQ(complaints("{\"impuls\": 1, \"settings\": {\"gravity\": [0, -Infinity, 0]}}"),
              "s.json:1:43: /settings/gravity/1: -Infinity is not a finite number");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"dt": "1/0"}})"),
              "s.json:1:34: /settings/dt: '1/0' is inf, not a finite number");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"dt": +1}})"),
              "s.json:1:34: /settings/dt: +1 is not written as JSON writes numbers");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"dt": 01}})"),
              "s.json:1:34: /settings/dt: 01 is not written as JSON writes numbers");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"method": {"substeps": 1.5}}})"),
              "s.json:1:51: /settings/method/stepper/substeps: 1.5 is not a whole number");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"method": {"substeps": "7/2"}}})"),
              "s.json:1:51: /settings/method/stepper/substeps: 3.5 is not a whole number");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"method": {"substeps": 1e30}}})"),
              "s.json:1:51: /settings/method/stepper/substeps: 1e+30 is too large");
}

TEST(SceneErrors, Expressions) {
    EXPECT_EQ(complaints(R"({"impuls": 1, "variables": {"size": 2}, "settings": {"dt": "sice/2"}})"),
              "s.json:1:60: /settings/dt: 'sice/2': unknown name 'sice' (did you mean 'size'?)");
    EXPECT_EQ(complaints(R"({"impuls": 1, "title": "n is {n}"})"),
              "s.json:1:24: /title: 'n': unknown name 'n' (no variable of the file, and no function)");
    EXPECT_EQ(complaints(R"({"impuls": 1, "variables": {"a": "b", "b": "c+1", "c": "a*2", "d": "a"}})"),
              "s.json:1:56: /variables/c: refers to itself: a -> b -> c -> a");
    EXPECT_EQ(complaints(R"({"impuls": 1, "variables": {"i": 1, "2x": 2, "ok": [3]}})"),
              "s.json:1:34: /variables/i: is a name with a fixed meaning\n"
              "s.json:1:43: /variables/2x: is not a name made of letters, digits and _\n"
              "s.json:1:52: /variables/ok: expected a number or an expression");
    EXPECT_EQ(complaints(R"({"impuls": 1, "settings": {"dt": "i"}})"),
              "s.json:1:34: /settings/dt: 'i': 'i' is known only inside a repeat");
}

TEST(SceneErrors, Names) {
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": [{"name": "a", "shape": {"type": "box"}},
  {"name": "a", "shape": {"type": "box"}}]})"),
              "s.json:2:12: /bodies/1/name: the name 'a' is taken by s.json:1:26: /bodies/0");
    EXPECT_EQ(
        complaints(
            R"({"impuls": 1, "bodies": [{"name": "c", "shape": {"type": "box"}, "repeat": {"count": [9, 1, 1]}},
  {"name": "c[8]", "shape": {"type": "box"}}]})"),
        "s.json:2:12: /bodies/1/name: the name 'c[8]' is taken by s.json:1:26: /bodies/0");
    EXPECT_EQ(complaints(R"({"impuls": 1, "materials": [{"name": "m"}, {"name": "m"}]})"),
              "s.json:1:53: /materials/1/name: there is another material 'm'");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "name": "a\u0007")")),
              "s.json:3:38: /bodies/0/name: a name may not hold control characters");
}

TEST(SceneErrors, References) {
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": [{"shape": {"type": "box"}, "material": "stel"}],
 "materials": [{"name": "steel"}]})"),
              "s.json:1:65: /bodies/0/material: unknown material 'stel' (did you mean 'steel'?)");
    const std::string cubes =
        R"({"impuls": 1, "bodies": [{"name": "cubes", "shape": {"type": "box"}, "repeat": {"count": [3, 1, 1]}}],)";
    EXPECT_EQ(complaints(cubes + R"("joints": [{"type": "ball", "a": "cubes[0]", "b": "cubes[3]"}]})"),
              "s.json:1:153: /joints/0/b: unknown body 'cubes[3]' (the last one is cubes[2])");
    EXPECT_EQ(complaints(cubes + R"("joints": [{"type": "ball", "a": "cubes[0]", "b": "cubes[2]"}]})"), "");
    EXPECT_EQ(complaints(cubes + R"(
 "joints": [{"type": "ball", "a": "cubes[{i}]", "b": "cubes[{i+1}]", "repeat": {"count": [3, 1, 1]}}]})"),
              "s.json:2:54: /joints/0/b: with i = 2: unknown body 'cubes[3]' (the last one is cubes[2])");
    EXPECT_EQ(complaints(R"({"impuls": 1, "timeline": [{"time": 1, "type": "set_force", "body": "ball"},
 {"time": 0, "type": "add_body", "body": {"name": "bal", "shape": {"type": "box"}}}]})"),
              "s.json:1:69: /timeline/0/body: unknown body 'ball'");
    EXPECT_EQ(complaints(R"({"impuls": 1, "timeline": [{"time": 1, "type": "set_force", "body": "ball"},
 {"time": 0, "type": "add_body", "body": {"name": "ball", "shape": {"type": "box"}}}]})"),
              "");
}

TEST(SceneErrors, Quantities) {
    EXPECT_EQ(complaints(with_body(
                  R"("name": "ball", "shape": {"type": "box"}}], "measure": [{"quantity": "energy.total")")),
              "");
    EXPECT_EQ(complaints(R"({"impuls": 1, "bodies": [{"name": "ball", "shape": {"type": "box"}}],
 "measure": ["bodies.ball.position.y", "energy.total"]})"),
              "");
    const std::string text =
        complaints(R"({"impuls": 1, "bodies": [{"name": "ball", "shape": {"type": "box"}}],
 "measure": ["bodies.bal.position.y"]})");
    EXPECT_EQ(text.substr(0, 34), "s.json:2:14: /measure/0/quantity: ") << text;
    EXPECT_NE(text.find("(did you mean 'ball'?)"), std::string::npos) << text;
}

TEST(SceneErrors, Shapes) {
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "plane"})")),
              "s.json:3:13: /bodies/0/shape: a plane has no mass: its body must be static or kinematic");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "point"})")),
              "s.json:3:3: /bodies/0: a dynamic point needs a mass");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "point"}, "kind": "static")")), "");
    EXPECT_NE(
        complaints(with_body(R"("shape": {"type": "convex", "points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]})")),
        "");
    EXPECT_EQ(
        complaints(with_body(R"("shape": {"type": "convex", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})")),
        "");
    EXPECT_EQ(
        complaints(with_body(
            R"("kind": "dynamic", "shape": {"type": "height_field", "columns": 2, "heights": [0, 0, 0, 0]})")),
        "s.json:3:32: /bodies/0/shape: a height_field has no mass: its body must be static or kinematic");
}

TEST(SceneErrors, Rotations) {
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "orientation": [0, 0, 0, 0])")),
              "s.json:3:45: /bodies/0/orientation: a rotation of length zero has no direction");
    EXPECT_EQ(
        complaints(with_body(R"("shape": {"type": "box"}, "orientation": {"axis": [0, 0, 0], "angle": 1})")),
        "s.json:3:45: /bodies/0/orientation: an axis of length zero has no direction");
    EXPECT_EQ(
        complaints(with_body(R"("shape": {"type": "box"}, "orientation": {"axis": [0, 0, 1], "angel": 1})")),
        "s.json:3:45: /bodies/0/orientation: 'angle' is missing\n"
        "s.json:3:74: /bodies/0/orientation/angel: unknown key (did you mean 'angle'?)");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "orientation": [1, 0, 0])")),
              "s.json:3:45: /bodies/0/orientation: expected [w, x, y, z], {\"axis\": [x, y, z], \"angle\": "
              "radians} or {\"euler\": [x, y, z]}, not a list of 3");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "orientation": [1, 0, "x", 0])")),
              "s.json:3:52: /bodies/0/orientation/2: 'x': unknown name 'x' (no variable of the file, and no "
              "function)");
}

TEST(SceneErrors, Syntax) {
    EXPECT_EQ(complaints(""), "s.json:1:1: unexpected end of the text");
    EXPECT_EQ(complaints("{\"impuls\": 1,\n \"title\": \"x\n"),
              "s.json:2:11: /title: the string does not end");
    EXPECT_EQ(complaints("{\"impuls\": 1 /* x"), "s.json:1:14: /impuls: the comment does not end");
    EXPECT_EQ(complaints("{\"impuls\": 1 /*/"), "s.json:1:14: /impuls: the comment does not end");
    EXPECT_EQ(complaints("{\"$schema\": \"impuls.json\", \"impuls\": 1, \"bodies\": [],}"), "");
    EXPECT_NE(complaints("{\"impuls\": 1,,}"), "");
    EXPECT_NE(complaints("{\"impuls\": 1, \"bodies\": [,]}"), "");
    EXPECT_EQ(
        complaints("SQLite format 3 and more"),
        "s.json: this is a recording, not a scene (impuls info shows what is in it, impuls show draws it, "
        "impuls replay simulates it again, impuls run --resume goes on)");
    EXPECT_EQ(complaints("{\"impuls\": 1, \"impuls\": 1}"), "s.json:1:15: duplicate key: 'impuls'");
    EXPECT_EQ(complaints("{\"impuls\": 1} x"), "s.json:1:15: Extra non-whitespace after JSON value");
    EXPECT_EQ(complaints("{\"impuls\": tru}"), "s.json:1:12: /impuls: expected a value, not 'tru'");
    EXPECT_EQ(complaints("{\"impuls\": 1, \"bodies\": [1 2]}"),
              "s.json:1:28: /bodies/0: missing ',' or ']' in array declaration");
}

TEST(SceneErrors, DeepNesting) {
    EXPECT_EQ(complaints("{\"a\":" + std::string(200, '[')), "s.json:1:105: nested more than 100 deep");
    EXPECT_EQ(complaints(std::string(10'000'000, '[')), "s.json:1:101: nested more than 100 deep");
}

TEST(SceneErrors, AbsurdCounts) {
    const std::string message = "brings the number of bodies to ";
    EXPECT_EQ(
        complaints(with_body(R"("shape": {"type": "box"}, "repeat": {"count": [1e4, 1e4, 1e4]})")),
        "s.json:3:50: /bodies/0/repeat/count: " + message + "1000000000000; at most 10000000 are possible");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "repeat": {"count": ["1e200", 1e200, 1]})")),
              "s.json:3:50: /bodies/0/repeat/count: " + message + "inf; at most 10000000 are possible");
    EXPECT_EQ(complaints(with_body(R"("shape": {"type": "box"}, "repeat": {"count": [0, 1, 1]})")),
              "s.json:3:51: /bodies/0/repeat/count/0: 0 is not >= 1");
    EXPECT_EQ(
        complaints(
            with_body(
                R"("kind": "static", "shape": {"type": "height_field", "columns": 1000000000000, "heights": [0]})"))
            .substr(0, 6),
        "s.json");
}

TEST(SceneErrors, GeneratorsNameTheCopy) {
    EXPECT_EQ(
        complaints(with_body(
            R"("name": "a", "shape": {"type": "sphere", "radius": "0.3-0.1*i"}, "repeat": {"count": [9, 1, 1]})")),
        "s.json:3:55: /bodies/0/shape/radius: with i = 3: " +
            std::string(0.3 - 0.1 * 3 == 0 ? "0 is not > 0" : "-5.551115123125783e-17 is not > 0"));
    EXPECT_EQ(complaints(with_body(
                  R"("shape": {"type": "box"}, "mass": "1/(i-4)^2", "repeat": {"count": [9, 1, 1]})")),
              "s.json:3:38: /bodies/0/mass: with i = 4: '1/(i-4)^2' is inf, not a finite number");
    EXPECT_EQ(
        complaints(with_body(R"("shape": {"type": "box"}, "repeat": {"count": [9, 1, 1], "where": "j>1"})")),
        "s.json:3:70: /bodies/0/repeat/where: 'j>1': unknown name 'j' (no variable of the file, and no "
        "function)");
    // What a filter leaves out need not be right.
    EXPECT_EQ(
        complaints(with_body(
            R"("shape": {"type": "sphere", "radius": "0.1*i"}, "repeat": {"count": [9, 1, 1], "where": "i>0"})")),
        "");
}

TEST(SceneErrors, MissingFile) {
    EXPECT_EQ(file_complaints("/nowhere/s.json"), "/nowhere/s.json: no such file");
    EXPECT_EQ(file_complaints("/tmp"), "/tmp: is not a file");
}

}  // namespace
}  // namespace impuls
