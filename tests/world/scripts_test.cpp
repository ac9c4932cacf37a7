// Bodies that move by script in worlds: where they are, what they do to others, and that they can be set
// back.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "impuls/impuls.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

Scene scripted_scene(const std::string& body, const std::string& rest = "",
                     const std::string& settings = "") {
    return parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 2)" + settings +
                           R"(}, "bodies": [)" + body + "]" + rest + "}",
                       "test.json");
}

const char* const kShaker =
    R"j({"name": "shaker", "kind": "kinematic", "shape": {"type": "box", "size": [2, 0.2, 2]}, "position": [0, -0.1, 0],
        "motion": {"place": {"type": "expression", "x": "0.05*sin(3*t)"}, "turn": {"type": "expression", "angle": "0.5*t"}}})j";

void run_script(World& world, double time) {
    while (world.time() < time - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

TEST(Scripts, AreWhereTheirExpressionsSay) {
    for (const char* preset : {"default", "accurate", "fast", "erleben"}) {
        Scene scene = scripted_scene(kShaker);
        scene.settings.method.preset = preset;
        World world(scene);
        const BodyId body = world.find_body("shaker");
        for (int k = 0; k < 100; ++k) {
            ASSERT_TRUE(world.step().ok);
            const double t = world.time();
            EXPECT_NEAR(world.pose(body).position.x, 0.05 * std::sin(3 * t), 1e-15);
            EXPECT_NEAR(world.velocity(body).x, 0.15 * std::cos(3 * t), 1e-14);
            EXPECT_NEAR(world.angular_velocity(body).y, 0.5, 1e-14);
        }
    }
}

// A cube that sticks to a platform goes where its surface goes, by every stepper: it slips less than one
// substep's way.
TEST(Scripts, CarryWhatLiesOnThem) {
    const std::string cube =
        R"(, {"name": "cube", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0.5, 0.05, 0], "material": "rubber"})";
    for (const char* preset : {"default", "accurate", "fast", "erleben"}) {
        Scene scene = scripted_scene(kShaker + cube);
        scene.settings.method.preset = preset;
        World world(scene);
        ASSERT_NO_FATAL_FAILURE(run_script(world, 2));
        const Pose X_WS = world.pose(world.find_body("shaker"));
        const Vec3 p = inverse(X_WS) * world.pose(world.find_body("cube")).position;
        EXPECT_LT(length(p - Vec3{0.5, 0.15, 0}), 0.01) << preset << " " << p.x << " " << p.y << " " << p.z;
    }
}

// A platform that rests, with a sleeper on it, wakes it as it starts.
TEST(Scripts, WakeWhatSleepsOnThem) {
    Scene scene = scripted_scene(
        R"({"name": "lift", "kind": "kinematic", "shape": {"type": "box", "size": [1, 0.2, 1]}, "position": [0, -0.1, 0],
            "motion": {"start": 5, "place": {"type": "keys", "keys": [{"time": 0, "position": [0, 0, 0]}, {"time": 1, "position": [0, 1, 0]}]}}},
           {"name": "cube", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0, 0.05, 0]})");
    scene.settings.method = parse_method("default+sleep=on");
    World world(scene);
    ASSERT_NO_FATAL_FAILURE(run_script(world, 4.9));
    EXPECT_TRUE(world.is_asleep(world.find_body("cube")));
    ASSERT_NO_FATAL_FAILURE(run_script(world, 6.5));
    EXPECT_NEAR(world.pose(world.find_body("cube")).position.y, 1.05, 0.002);
}

TEST(Scripts, GoOnFromACheckpointAndInABranch) {
    const std::string cube =
        R"(, {"name": "cube", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0.5, 0.05, 0]})";
    const Scene scene = scripted_scene(kShaker + cube);
    World world(scene), other(scene);
    ASSERT_NO_FATAL_FAILURE(run_script(world, 0.7));
    other.restore(world.checkpoint());
    World branch = world.branch(scene);
    EXPECT_EQ(other.state_hash(), world.state_hash());
    for (World* w : {&world, &other, &branch}) ASSERT_NO_FATAL_FAILURE(run_script(*w, 1.4));
    EXPECT_EQ(other.state_hash(), world.state_hash());
    EXPECT_EQ(branch.state_hash(), world.state_hash());
    // Another script holds from the branch on.
    Scene changed = scene;
    std::get<FormulaPlace>(*changed.bodies[0].motion->place).x = Course(0.3);
    World moved = world.branch(changed);
    EXPECT_NEAR(moved.pose(moved.find_body("shaker")).position.x, 0.3, 1e-15);
}

TEST(Scripts, AreNotSetByCommands) {
    World world(scripted_scene(kShaker));
    SetBody set;
    set.body = "shaker";
    set.position = Vec3{1, 2, 3};
    EXPECT_THROW(world.apply(set), InputError);
}

TEST(Scripts, AreRefusedWithTheirPlace) {
    const auto refused = [](const std::string& motion, const std::string& kind, const std::string& path,
                            const std::string& message) {
        try {
            scripted_scene(R"({"name": "b", "kind": ")" + kind +
                           R"(", "shape": {"type": "sphere"}, "motion": )" + motion + "}");
            ADD_FAILURE() << motion;
        } catch (const InputError& error) {
            const Issue& issue = error.issues().front();
            EXPECT_EQ(issue.path, path) << issue.message;
            EXPECT_NE(issue.message.find(message), std::string::npos) << issue.message;
        }
    };
    const std::string good = R"({"place": {"type": "expression", "x": "t"}})";
    refused(good, "dynamic", "/bodies/0/motion", "kinematic");
    refused(R"j({"place": {"type": "expression", "x": "1/(t - 1)"}})j", "kinematic",
            "/bodies/0/motion/place/x", "t = 1");
    refused(R"({"place": {"type": "expression", "x": "2*tt*t"}})", "kinematic", "/bodies/0/motion/place/x",
            "tt");
    refused(R"({"place": {"type": "keys", "keys": []}})", "kinematic", "/bodies/0/motion/place/keys",
            "empty");
    refused(R"({"place": {"type": "spline", "points": [[0,0,0]]}})", "kinematic",
            "/bodies/0/motion/place/points", "at least 2");
    refused(R"({"place": {"type": "table", "file": "not-there.csv"}})", "kinematic",
            "/bodies/0/motion/place/file", "not-there");
}

// The world stops before it, says who and when, and stays as it was.
TEST(Scripts, ThatBecomeInfiniteStopTheWorld) {
    Scene scene = scripted_scene(
        R"j({"name": "b", "kind": "kinematic", "shape": {"type": "sphere"}, "motion": {"place": {"type": "expression", "x": "sqrt(3 - t)"}}})j");
    World world(scene);
    ASSERT_NO_FATAL_FAILURE(run_script(world, 2.9));
    StepStatus status;
    for (int k = 0; k < 20 && status.ok; ++k) status = world.step();
    EXPECT_FALSE(status.ok);
    EXPECT_NE(status.message.find("body 'b': motion is not finite at t = 3"), std::string::npos)
        << status.message;
    EXPECT_LT(world.time(), 3.005);
    EXPECT_TRUE(std::isfinite(world.pose(world.find_body("b")).position.x));
}

TEST(Scripts, ComeFromFiles) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("impuls-scripts-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder / name) << text;
    };
    const auto load = [&] { return load_scene((folder / "scene.json").string()); };
    write(
        "scene.json",
        R"({"impuls": 1, "bodies": [{"name": "b", "kind": "kinematic", "shape": {"type": "sphere"}, "motion": {
        "place": {"type": "table", "file": "way.csv", "between": "linear"}, "turn": {"type": "table", "file": "turns.csv"}}}]})");
    write("way.csv", "t, x, y, z\n0, 0, 0, 0\n# half way\n1, 2, 0, 0\n2; 2; 4; 0\n");
    write("turns.csv", "0 1 0 0 0\n2 0 0 1 0\n");
    const Scene scene = load();
    World world(scene);
    ASSERT_NO_FATAL_FAILURE(run_script(world, 1.5));
    EXPECT_LT(length(world.pose(world.find_body("b")).position - Vec3{2, 2, 0}), 1e-12);
    EXPECT_EQ(to_json(scene).find("positions"), std::string::npos);
    for (const auto& [text, where] :
         {std::pair{"0, 0, 0, 0\n1, 2, 0\n", 2}, {"0, 0, 0, 0\n1, a, 0, 0\n", 2}, {"", 0}}) {
        write("way.csv", text);
        try {
            load();
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            EXPECT_NE(error.issues().front().file.find("way.csv"), std::string::npos);
            EXPECT_EQ(error.issues().front().line, where);
        }
    }
    std::filesystem::remove_all(folder);
}

TEST(Scripts, SurviveLoadAndSave) {
    const std::string text =
        R"j({"impuls": 1, "variables": {"f": 2}, "bodies": [{"name": "b[{i}]", "kind": "kinematic",
        "shape": {"type": "sphere"}, "motion": {"start": 1, "place": {"type": "expression", "x": "0.1*i + sin(2*pi*f*t)", "y": 2},
        "turn": {"type": "keys", "keys": [{"time": 0, "orientation": {"axis": [0, 1, 0], "angle": "pi/2"}, "easing": "in"}]}},
        "repeat": {"count": [2, 1, 1]}}]})j";
    const Scene scene = parse_scene(text, "test.json");
    const Scene again = parse_scene(to_json(scene), "test.json");
    EXPECT_EQ(to_json(again), to_json(scene));
    const Scene expanded = expand(again);
    EXPECT_EQ(std::get<FormulaPlace>(*expanded.bodies[1].motion->place).x.expression,
              "0.1*(1) + sin(2*pi*(2)*t)");
    EXPECT_EQ(std::get<FormulaPlace>(*expanded.bodies[1].motion->place).y.value, 2);
}

}  // namespace
}  // namespace impuls
