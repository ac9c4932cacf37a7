// World files of AERO: what they say is in the scene, and mistakes are told by line. They are run by
// tests/scenes/spec_workbench_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/scene_file.h"
#include "io/scene/aero.h"
#include "support/places.h"

namespace impuls {
namespace {

std::string world_file(const std::string& name) {
    return in_project("scenes/aero/" + name + ".aero");
}

std::string complaints_of(const std::string& text) {
    try {
        read_aero(text, "w.aero");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(AeroFiles, SayEverything) {
    const Scene scene = load_scene(world_file("thrown"));
    ASSERT_EQ(scene.bodies.size(), 5u);
    EXPECT_EQ(scene.settings.seed, 7);
    EXPECT_EQ(scene.bodies[0].kind, BodyKind::Static);
    EXPECT_EQ(scene.bodies[2].material, "iron");
    EXPECT_EQ(scene.bodies[4].gravity_scale, 0);
    const auto& hammer = std::get<Compound>(scene.bodies[1].shape);
    ASSERT_EQ(hammer.parts.size(), 2u);
    EXPECT_NEAR(scene.bodies[1].position.x, 2 * 0.2 / 2.15, 1e-9);
    ASSERT_EQ(scene.forces.size(), 2u);
    EXPECT_EQ(scene.forces[0].from, 0);
    EXPECT_EQ(scene.forces[0].until, 1);
    EXPECT_EQ(std::get<PullForce>(scene.forces[0].force).force, 15);
    EXPECT_EQ(std::get<ConstantForce>(scene.forces[1].force).axes, ForceAxes::Body);
    // What has no counterpart is told by name.
    EXPECT_NE(scene.description.find("ray tracers (n)"), std::string::npos) << scene.description;
    EXPECT_NE(scene.description.find("1 later states"), std::string::npos) << scene.description;
    // It is a scene like others: written and read again.
    const Scene again = parse_scene(to_json(scene), "again.json");
    EXPECT_EQ(to_json(expand(again)), to_json(expand(scene)));
}

TEST(AeroFiles, MistakesAreToldByLine) {
    EXPECT_NE(complaints_of("K1 sphere 1 iron\n").find("w.aero:1:1: stands before the first state"),
              std::string::npos);
    const std::string all = complaints_of(
        "Z\nK1 sphre 1 iron\np 0 0\nK2 box 1 1 -1 iron\nK3 sphere 1 unobtanium\n"
        "y 3\nV1 K1 K7 spring\nF 3 1 K1 inertial 1 0 0\nm 1 2\n");
    EXPECT_NE(all.find("w.aero:2:1: 'sphre' is no type of body (did you mean 'sphere'?)"), std::string::npos)
        << all;
    EXPECT_NE(all.find("w.aero:3:1: position is missing"), std::string::npos) << all;
    EXPECT_NE(all.find("w.aero:4:1: width: -1 is not > 0"), std::string::npos) << all;
    EXPECT_NE(all.find("w.aero:5:1: material 'unobtanium' is not known"), std::string::npos) << all;
    EXPECT_NE(all.find("w.aero:6:1: 'y' is not known"), std::string::npos) << all;
    EXPECT_NE(all.find("w.aero:7:1: a spring needs a constant > 0"), std::string::npos) << all;
    EXPECT_NE(all.find("w.aero:8:1: the force ends before it begins"), std::string::npos) << all;
    EXPECT_NE(complaints_of("Z\nK1 sphere 1 iron\nV1 K1 K2 rod\n").find("w.aero:3:1: there is no body K2"),
              std::string::npos);
    EXPECT_NE(complaints_of("Z\nK1 composed\nE sphere 1 iron\n").find("has no end (X)"), std::string::npos);
    EXPECT_NE(complaints_of("# nothing\n").find("holds no state"), std::string::npos);
}

}  // namespace
}  // namespace impuls
