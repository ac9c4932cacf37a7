// Measurements by expressions, commands by condition, runs that end by themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

const double kGravity = 9.81;

Scene falling_ball_scene(const std::string& more) {
    return parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 1)" + more, "test.json");
}
const std::string kBodies =
    R"("bodies": [{"name": "ball", "shape": {"type": "sphere"}, "position": [0, 10, 0]},
                  {"name": "my-box[0]", "kind": "static", "shape": {"type": "box"}, "position": [3, 10, 0],
                   "orientation": {"axis": [0, 1, 0], "angle": 0.5}}])";

double last_value(const RunSummary& summary, std::size_t column) {
    return summary.samples.at(column).values.back();
}

TEST(QuantityExpressions, AreArithmeticOfQuantities) {
    World world(falling_ball_scene("}, " + kBodies + R"j(, "measure": [
        "0.5*bodies.ball.speed^2 + 9.81*bodies.ball.position.y", "distance(ball, my-box[0])", "angle(ball, 'my-box[0]')",
        "min(bodies.ball.position.y)", "max(bodies.ball.speed)", "mean(t)", "rms(bodies.ball.velocity.y)",
        "first_time(bodies.ball.position.y < 9)", "max(t, 0.2)", "contact_force(ball, my-box[0])",
        "crossing_time(bodies.ball.position.y - 9)", "crossing_time(bodies.ball.position.y)"]})j"));
    RunOptions options;
    options.keep_samples = true;
    const RunSummary summary = run(world, options);
    const double fall = 0.5 * kGravity;
    EXPECT_NEAR(last_value(summary, 0), kGravity * 10, 1e-9);
    EXPECT_NEAR(last_value(summary, 1), std::hypot(3, fall), 1e-9);
    EXPECT_NEAR(last_value(summary, 2), 0.5, 1e-12);
    EXPECT_NEAR(last_value(summary, 3), 10 - fall, 1e-9);
    EXPECT_NEAR(last_value(summary, 4), kGravity, 1e-9);
    EXPECT_NEAR(last_value(summary, 5), 0.5, 1e-12);
    EXPECT_NEAR(last_value(summary, 6), kGravity * std::sqrt(1e-4 * 100 * 201 / 6), 1e-9);
    EXPECT_NEAR(last_value(summary, 7), std::sqrt(2 / kGravity), 0.01);
    EXPECT_EQ(last_value(summary, 8), 1);
    EXPECT_EQ(last_value(summary, 9), 0);
    EXPECT_EQ(summary.samples[1].unit, "m");
    EXPECT_NEAR(last_value(summary, 10), std::sqrt(2 / kGravity), 1e-10);
    const std::vector<double>& never = summary.samples.at(11).values;
    EXPECT_TRUE(never.empty());
}

// Sampled every tenth step, they still see every step.
TEST(QuantityExpressions, SumOverAllSteps) {
    World world(
        falling_ball_scene("}, " + kBodies + R"j(, "measure": [{"quantity": "mean(t)", "every": 100}]})j"));
    RunOptions options;
    options.keep_samples = true;
    EXPECT_NEAR(last_value(run(world, options), 0), 0.5, 1e-12);
}

TEST(QuantityExpressions, MistakesAreRefusedWithTheirPlace) {
    const auto refused = [](const std::string& rest, const std::string& path, const std::string& message) {
        try {
            falling_ball_scene(rest);
            ADD_FAILURE() << rest;
        } catch (const InputError& error) {
            EXPECT_EQ(error.issues().front().path, path);
            EXPECT_NE(error.issues().front().message.find(message), std::string::npos)
                << error.issues().front().message;
        }
    };
    const auto measure = [](const std::string& what) {
        return "}, " + kBodies + R"(, "measure": [")" + what + R"("]})";
    };
    refused(measure("distance(ball, bill)"), "/measure/0/quantity", "did you mean");
    refused(measure("max(bodies.ball.sped)"), "/measure/0/quantity", "sped");
    refused(measure("1 + bodies.ball.position"), "/measure/0/quantity", "3 numbers");
    refused(measure("1 + + * 2"), "/measure/0/quantity", "unexpected");
    refused(R"(, "stop_when": "max(bodies.ball.speed) > 1"}, )" + kBodies + "}", "/settings/stop_when",
            "sum over time");
    refused(
        "}, " + kBodies +
            R"(, "timeline": [{"when": "bodies.bull.speed > 1", "type": "set_gravity", "gravity": [0, 0, 0]}]})",
        "/timeline/0/when", "bull");
    refused("}, " + kBodies + R"(, "timeline": [{"type": "set_gravity", "gravity": [0, 0, 0]}]})",
            "/timeline/0", "'time' is missing");
}

TEST(Conditions, GiveACommandOnceItHolds) {
    const Scene scene = falling_ball_scene("}, " + kBodies + R"(, "timeline": [
        {"when": "bodies.ball.position.y < 9", "type": "set_gravity", "gravity": [0, 0, 0]},
        {"time": 0.8, "when": "bodies.ball.position.y < 9.5", "type": "set_body", "body": "ball", "velocity": [1, 0, 0]}]})");
    World world(scene);
    const BodyId ball = world.find_body("ball");
    double speed = 0;
    while (world.time() < 1 - 1e-9) {
        if (world.pose(ball).position.y >= 9) speed = -world.velocity(ball).y + kGravity * world.dt();
        ASSERT_TRUE(world.step().ok);
        if (world.time() < 0.8 + 1e-9) {
            EXPECT_NEAR(-world.velocity(ball).y, std::min(speed, kGravity * world.time()), 1e-9);
        }
    }
    EXPECT_EQ(world.velocity(ball), (Vec3{1, 0, 0}));
    // Once: nothing happens again after a checkpoint, or in a branch.
    World other(scene);
    other.restore(world.checkpoint());
    World branch = world.branch(scene);
    for (World* w : {&other, &branch}) {
        SetBody set;
        set.body = "ball";
        set.velocity = Vec3{0, 2, 0};
        w->apply(set);
        ASSERT_TRUE(w->step().ok);
        ASSERT_TRUE(w->step().ok);
        EXPECT_EQ(w->velocity(w->find_body("ball")), (Vec3{0, 2, 0}));
    }
}

TEST(Conditions, EndARun) {
    World world(falling_ball_scene(R"(, "stop_when": "bodies.ball.position.y < 9"}, )" + kBodies + "}"));
    const RunSummary summary = run(world, {});
    EXPECT_TRUE(summary.status.ok);
    EXPECT_EQ(summary.steps, static_cast<std::int64_t>(std::floor(std::sqrt(2 / kGravity) / 0.01)) + 1);
    EXPECT_NE(summary.status.message.find("stopped at"), std::string::npos);
}

}  // namespace
}  // namespace impuls
