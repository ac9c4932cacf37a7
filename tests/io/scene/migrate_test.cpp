// Older forms of scenes and commands load, and mean what they meant.
#include "io/scene/testing.h"
#include "scene/described.h"

namespace impuls {
namespace {

Method method_of(const std::string& json) {
    return resolve(
        parse_scene(R"({"impuls": 1, "settings": {"method": )" + json + "}}", "old.json").settings.method);
}

void expect_method(const std::string& old, const std::string& text) {
    EXPECT_EQ(method_text(method_of(old)), method_text(resolve(parse_method(text)))) << old;
}

TEST(Migrate, MethodsWithOptionsBesideEachOther) {
    expect_method(R"({"substeps": 20})", "default+substeps=20");
    expect_method(R"({"preset": "fast", "integrator": "rk4", "substeps": "2+2"})",
                  "fast+integrator=rk4+substeps=4");
    expect_method(R"({"preset": "erleben", "shock": "off", "weight": 0.5, "sleep": "off"})",
                  "erleben+shock=off+weight=0.5+sleep=off");
    expect_method(R"({"stepper": "velocity", "iterations": 5})", "default+stepper=velocity+iterations=5");
    expect_method(R"({"stepper": "force", "tolerance": 1e-9})", "default+stepper=force+tolerance=1e-9");
    expect_method(R"({"preset": "aero", "contact": "hertz", "substeps": 3, "iterations": 5})",
                  "aero+contact=hertz+substeps=3");
    expect_method(R"({"sleep": "on"})", "default+sleep=on");
    expect_method(R"({"preset": "erleben", "stepper": {"weight": 0.5}})", "erleben+weight=0.5");
    expect_method(R"("accurate+substeps=16")", "accurate+substeps=16");
    // What never did anything does so no longer.
    expect_method(R"({"preset": "erleben", "closure": "preview", "iterations": 7})", "erleben+iterations=7");
}

TEST(Migrate, MethodsAreWrittenByStepper) {
    const Scene scene = parse_scene(R"({"impuls": 1, "settings": {"method": {"substeps": 20}}})", "old.json");
    const std::string text = to_json(scene);
    EXPECT_NE(text.find(R"("stepper")"), std::string::npos) << text;
    const Scene again = parse_scene(text, "new.json");
    EXPECT_TRUE(same(again.settings, scene.settings)) << text;
    EXPECT_EQ(to_json(again), text);
}

TEST(Migrate, MistakesInMethodsAreReportedAtTheirPlace) {
    const auto complaint = [](const std::string& json) -> std::string {
        try {
            method_of(json);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(complaint(R"({"substeps": 0})").find("/settings/method/stepper/substeps: 0 is not between 1"),
              std::string::npos)
        << complaint(R"({"substeps": 0})");
    EXPECT_NE(complaint(R"({"substep": 4})").find("/settings/method/substep: unknown key"),
              std::string::npos);
    EXPECT_NE(complaint(R"({"stepper": {"type": "velocity", "impacts": "propagating"}})")
                  .find("/settings/method/stepper/impacts: unknown key"),
              std::string::npos)
        << "an option that means nothing cannot be written";
    EXPECT_NE(
        complaint(R"({"stepper": "velocty"})").find("unknown type 'velocty' (did you mean 'velocity'?)"),
        std::string::npos);
}

void expect_command(const std::string& old, const Command& now) {
    EXPECT_EQ(to_json(parse_command(old)), to_json(now)) << old;
}

TEST(Migrate, Commands) {
    BodyDesc ball;
    ball.name = "ball";
    ball.shape = Sphere{0.2};
    expect_command(
        R"({"type": "add_body", "body": {"name": "ball", "shape": {"type": "sphere", "radius": 0.2}}})",
        Put{.bodies = {ball}});
    ball.name = "body[0]";
    expect_command(R"({"type": "add_body", "body": {"shape": {"type": "sphere", "radius": 0.2}}})",
                   Put{.bodies = {ball}});
    expect_command(R"({"type": "remove_body", "body": "ball"})", Remove{.bodies = {"ball"}});
    JointDesc joint;
    joint.name = "j", joint.b = "ball", joint.joint = BallJoint{{1, 2, 3}};
    expect_command(
        R"({"type": "add_joint", "joint": {"name": "j", "b": "ball", "type": "ball", "anchor": [1, 2, 3]}})",
        Put{.joints = {joint}});
    expect_command(R"({"type": "remove_joint", "joint": "j"})", Remove{.joints = {"j"}});
    ForceDesc force;
    force.name = "f", force.b = "ball", force.force = TorqueForce{{1, 0, 0}};
    expect_command(
        R"({"type": "add_force", "force": {"name": "f", "b": "ball", "type": "torque", "torque": [1, 0, 0]}})",
        Put{.forces = {force}});
    expect_command(R"({"type": "remove_force", "name": "f"})", Remove{.forces = {"f"}});
    expect_command(R"({"type": "set_material", "material": {"name": "ice", "friction": 0}})",
                   Put{.materials = {{.name = "ice", .friction = 0}}});
    expect_command(R"({"type": "set_contact", "contact": {"a": "ice", "b": "ice", "friction": 0.1}})",
                   Put{.contacts = {{.a = "ice", .b = "ice", .friction = 0.1}}});
    expect_command(R"({"type": "set_gravity", "gravity": [0, 1, 0]})", SetSettings{.gravity = Vec3{0, 1, 0}});
}

TEST(Migrate, TimelinesAreWrittenAnew) {
    const Scene scene = parse_scene(R"({"impuls": 1,
        "variables": {"r": 0.2},
        "timeline": [
            {"time": 1, "type": "add_body", "body": {"name": "late", "shape": {"type": "sphere", "radius": "2*r"}}},
            {"time": 2, "type": "remove_body", "body": "late"}
        ]})",
                                    "old.json");
    ASSERT_EQ(scene.timeline.size(), 2u);
    const auto& put = std::get<Put>(scene.timeline[0].command);
    EXPECT_EQ(std::get<Sphere>(put.bodies.at(0).shape).radius, 0.4);
    EXPECT_EQ(std::get<Remove>(scene.timeline[1].command).bodies, std::vector<std::string>{"late"});
    const std::string text = to_json(scene);
    EXPECT_NE(text.find(R"("2*r")"), std::string::npos) << "how it was written is kept: " << text;
    EXPECT_EQ(text.find("add_body"), std::string::npos);
    EXPECT_EQ(to_json(parse_scene(text, "new.json")), text);
}

}  // namespace
}  // namespace impuls
