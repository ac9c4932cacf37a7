// --set path=value.
#include "io/scene/testing.h"

namespace impuls {
namespace {

const char* const kScene = R"({"impuls": 1, "variables": {"n": 3, "r": "n/10"},
 "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": "r"}, "mass": 2},
            {"name": "v1.2", "shape": {"type": "box"}, "position": [0, 1, 0]}],
 "materials": [{"name": "steel"}]})";

TEST(SceneOverrides, ReachEveryKindOfValue) {
    const Scene scene = parse_scene(kScene, "s.json",
                                    {{"settings.dt", "0.001"},
                                     {"variables.n", "20"},
                                     {"bodies.ball.mass", "3*n"},
                                     {"bodies.v1.2.position.y", "7"},
                                     {"bodies.1.position.0", "-1"},
                                     {"settings.gravity", "[0, 0, -1.62]"},
                                     {"settings.method", "accurate+substeps=16"},
                                     {"materials.steel.friction", "0.9"},
                                     {"title", "with {n}"},
                                     {"bodies.ball.collides", "false"}});
    EXPECT_EQ(scene.settings.dt, 0.001);
    EXPECT_EQ(scene.bodies[0].mass, 60);
    EXPECT_EQ(std::get<Sphere>(scene.bodies[0].shape).radius, 2);
    EXPECT_EQ(scene.bodies[1].position, (Vec3{-1, 7, 0}));
    EXPECT_EQ(scene.settings.gravity, (Vec3{0, 0, -1.62}));
    EXPECT_EQ(resolve(scene.settings.method).rows().substeps, 16);
    EXPECT_EQ(resolve(scene.settings.method).rows().iterations, 8);
    EXPECT_EQ(scene.materials[0].friction, 0.9);
    EXPECT_EQ(scene.title, "with 20");
    EXPECT_FALSE(scene.bodies[0].collides);
    EXPECT_EQ(scene.variables[0].name, "n");

    const Scene again = parse_scene(to_json(scene));
    EXPECT_EQ(again.settings.dt, 0.001);
    EXPECT_EQ(again.bodies[0].mass, 60);
}

TEST(SceneOverrides, Problems) {
    EXPECT_EQ(complaints(kScene, {{"setings.dt", "1"}}),
              "--set setings.dt=1: there is no 'setings' in a scene (did you mean 'settings'?)");
    EXPECT_EQ(complaints(kScene, {{"settings.dtt", "1"}}),
              "--set settings.dtt=1: /settings/dtt: unknown key (did you mean 'dt'?)");
    EXPECT_EQ(complaints(kScene, {{"bodies.bal.mass", "1"}}),
              "--set bodies.bal.mass=1: there is no 'bal' in bodies (did you mean 'ball'?)");
    EXPECT_EQ(complaints(kScene, {{"variables.m", "1"}}),
              "--set variables.m=1: there is no 'm' in variables");
    EXPECT_EQ(complaints(kScene, {{"bodies.ball.mass", "-3"}}),
              "--set bodies.ball.mass=-3: /bodies/0/mass: -3 is not > 0");
    EXPECT_EQ(complaints(kScene, {{"bodies.ball.mass.x", "-3"}}),
              "--set bodies.ball.mass.x=-3: there is no 'x' in bodies.ball.mass");
    EXPECT_EQ(complaints(kScene, {{"joints.j.a", "ball"}}),
              "--set joints.j.a=ball: there is no 'j' in joints");
    EXPECT_EQ(complaints(kScene, {{"settings.dt", "fast"}}),
              "--set settings.dt=fast: /settings/dt: 'fast': unknown name 'fast' (no variable of the file, "
              "and no function)");
    EXPECT_EQ(complaints(kScene, {{"", "1"}}), "--set =1: the path is empty");
    EXPECT_EQ(complaints(kScene, {{"bodies", "[]"}, {"settings.method", "fst"}}),
              "--set settings.method=fst: /settings/method: unknown method 'fst' (did you mean 'fast'?)");
}

}  // namespace
}  // namespace impuls
