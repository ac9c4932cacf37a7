// Scripts as scenes describe them: velocities against differences, and what is refused.
#include "math/motion/script.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/course.h"
#include "math/motion/rotation_spline.h"

namespace impuls {
namespace {

Course expression(const std::string& text) {
    Course course;
    course.expression = text;
    return course;
}

MotionDesc along_spline() {
    MotionDesc motion;
    motion.start = 0.5;
    SplinePlace place;
    place.points = {{0, 0, 0}, {1, 0.2, 0}, {2, 0, 1}, {2, 1, 2}};
    place.duration = 3;
    place.ease = 0.25;
    motion.place = place;
    motion.turn = TangentTurn{};
    return motion;
}

MotionDesc by_expressions() {
    MotionDesc motion;
    FormulaPlace place;
    place.x = expression("cos(2*t)");
    place.y = expression("0.1*t^2");
    place.z = 3;
    motion.place = place;
    motion.turn = LookAtTurn{{5, 5, 5}, {0, 1, 0}};
    return motion;
}

MotionDesc by_keys() {
    MotionDesc motion;
    motion.place = KeyPlace{
        {{0, {0, 0, 0}, Easing::Smoother}, {1, {1, 0, 0}, Easing::Linear}, {2, {1, 2, 0}, Easing::In}}};
    motion.turn = SplineTurn{
        {{0, {}, {}}, {1, from_axis_angle({0, 1, 0}, 1), {}}, {2.5, from_axis_angle({1, 0, 0}, 2), {}}}};
    return motion;
}

MotionDesc by_table() {
    MotionDesc motion;
    motion.place = TablePlace{"", {0, 1, 2}, {{0, 0, 0}, {1, 1, 0}, {0, 2, 3}}, Between::Cubic};
    FormulaTurn turn;
    turn.axis = {1, 2, 0};
    turn.angle = expression("3*sin(t)");
    motion.turn = turn;
    return motion;
}

TEST(Script, VelocitiesAreThoseOfTheMotion) {
    const Pose placed{{1, 2, 3}, from_axis_angle({0, 0, 1}, 0.7)};
    for (const MotionDesc& motion : {along_spline(), by_expressions(), by_keys(), by_table()}) {
        ASSERT_TRUE(script_problems(motion, 4, 400).empty()) << script_problems(motion, 4, 400)[0].message;
        const Script script(motion, placed);
        for (double t = 0.6312; t < 3.3; t += 0.137) {
            const double h = 1e-5;
            const Script::State now = script.at(t), before = script.at(t - h), after = script.at(t + h);
            const Vec3 v = (after.place.value - before.place.value) / (2 * h);
            EXPECT_LT(length(now.place.first - v), 1e-6 * (1 + length(v))) << t;
            const Vec3 w =
                log_of(normalized(after.turn.rotation * conjugate(before.turn.rotation))) / (2 * h);
            EXPECT_LT(length(now.turn.angular_velocity - w), 1e-6 * (1 + length(w))) << t;
        }
    }
}

// Given in the frame in which the scene places the body.
TEST(Script, StartsWhereTheSceneSays) {
    const Pose placed{{1, 2, 3}, from_axis_angle({0, 0, 1}, 0.7)};
    const Script script(by_keys(), placed);
    EXPECT_EQ(script.at(-1).place.value, placed.position);
    EXPECT_LT(length(script.at(5).place.value - placed * Vec3{1, 2, 0}), 1e-15);
    EXPECT_EQ(script.at(5).place.first, Vec3{});
}

// Where the direction vanishes the frame is the one that was last, whenever it is asked.
TEST(Script, KeepsItsFrameWhereThereIsNoDirection) {
    MotionDesc motion;
    FormulaPlace place;
    place.x = expression("t < 1 ? t - t^2/2 : 0.5");  // comes to rest at 1
    motion.place = place;
    motion.turn = TangentTurn{};
    const Script script(motion, {});
    EXPECT_TRUE(script.at(2).turn.is_degenerate);
    EXPECT_EQ(script.at(2).turn.angular_velocity, Vec3{});
    EXPECT_LT(length(rotate(script.at(2).turn.rotation, {1, 0, 0}) - Vec3{1, 0, 0}), 1e-12);
    EXPECT_EQ(script.at(2).turn.rotation, script.at(1.5).turn.rotation);
}

std::string problem_of(const MotionDesc& motion) {
    const auto problems = script_problems(motion, 2, 200);
    return problems.empty() ? "" : problems[0].path + " " + problems[0].message;
}

TEST(SpecConstraints, T19_degenerate_scripts_are_refused) {
    EXPECT_NE(problem_of({}).find("neither"), std::string::npos);
    MotionDesc motion = along_spline();
    std::get<SplinePlace>(*motion.place).points[1] = {0, 0, 0};
    EXPECT_EQ(problem_of(motion), "/place/points/1 is the same as the point before it");
    motion = along_spline();
    std::get<SplinePlace>(*motion.place).through = false;
    std::get<SplinePlace>(*motion.place).points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0},
                                                   {1, 0, 0}, {2, 1, 0}, {3, 0, 0}};
    EXPECT_NE(problem_of(motion).find("cusp"), std::string::npos);
    motion = along_spline();
    std::get<SplinePlace>(*motion.place).course = {{0, 0}, {1, 1}, {1, 2}, {2, 3}};
    EXPECT_EQ(problem_of(motion), "/place/course/2/time is not after the time before it");
    motion = by_keys();
    std::get<SplineTurn>(*motion.turn).keys[2].time = 1;
    EXPECT_EQ(problem_of(motion), "/turn/keys/2/time is not after the time before it");
    motion = by_expressions();
    std::get<FormulaPlace>(*motion.place).y = expression("1/(1 - t)");
    EXPECT_NE(problem_of(motion).find("/place/y '1/(1 - t)' at t = 1"), std::string::npos)
        << problem_of(motion);
    motion = {};
    motion.turn = TangentTurn{};
    EXPECT_NE(problem_of(motion).find("nothing moves"), std::string::npos);
    motion = by_table();
    std::get<TablePlace>(*motion.place).positions.pop_back();
    EXPECT_EQ(problem_of(motion), "/place/positions is not as long as times");
}

}  // namespace
}  // namespace impuls
