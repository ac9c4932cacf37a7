// Units behind the numbers of scene files: read, kept as written, and refused where they do not fit.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/errors.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

std::string scene_with(const std::string& body) {
    return R"({"impuls": 1, "variables": {"r": "10 cm"}, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": "2 * r"})" +
           body + "}]}";
}
std::string problem_of(const std::string& body) {
    try {
        parse_scene(scene_with(body));
    } catch (const InputError& error) {
        return error.issues().front().message;
    }
    return "";
}

TEST(SceneUnits, in_scene_files) {
    const Scene scene = parse_scene(scene_with(
        R"(, "position": ["20 cm", 1, "r"], "mass": "500 g", "orientation": {"axis": [0, 0, 1], "angle": "90 deg"}, "velocity": ["18 km/h", 0, 0])"));
    const BodyDesc& body = scene.bodies[0];
    EXPECT_DOUBLE_EQ(std::get<Sphere>(body.shape).radius, 0.2);
    EXPECT_DOUBLE_EQ(body.position.x, 0.2);
    EXPECT_DOUBLE_EQ(body.position.z, 0.1);
    EXPECT_DOUBLE_EQ(*body.mass, 0.5);
    EXPECT_DOUBLE_EQ(body.velocity.x, 5);
    EXPECT_NEAR(body.orientation.z, std::sqrt(0.5), 1e-15);
    // As written, so they are saved.
    EXPECT_NE(to_json(scene).find("\"500 g\""), std::string::npos);
}

TEST(SceneUnits, that_do_not_fit_are_refused) {
    EXPECT_EQ(problem_of(R"(, "mass": "20 cm")"), "'20 cm': cm cannot be kg, which is wanted here");
    EXPECT_EQ(problem_of(R"(, "position": [0, "3 kg", 0])"), "'3 kg': kg cannot be m, which is wanted here");
    EXPECT_EQ(problem_of(R"(, "orientation": {"axis": [0, 0, 1], "angle": "3 m"})"),
              "'3 m': m cannot be rad, which is wanted here");
    EXPECT_EQ(problem_of(R"(, "color": ["1 m", 0, 0])"), "'1 m': a plain number is wanted here, without m");
    EXPECT_EQ(problem_of(R"(, "position": [0, "3 m", 0])"), "");
}

}  // namespace
}  // namespace impuls
