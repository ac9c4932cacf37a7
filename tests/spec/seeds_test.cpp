// The scenes of the texts under scenes/seeds: what their head comments say comes true.
#include <gtest/gtest.h>

#include <filesystem>

#include "impuls/quantity.h"
#include "impuls/scene_file.h"
#include "stacks.h"
#include "support/places.h"

namespace impuls {
namespace {

const std::filesystem::path kFolder = in_project("scenes/seeds");

StackResult outcome_of(const std::string& file, const char* method, double seconds, double limit = 1e9) {
    Scene scene = load_scene((kFolder / file).string());
    if (method) scene.settings.method = parse_method(method);
    Watch watch(scene);
    const StackResult o = watch.run(seconds, limit);
    EXPECT_TRUE(watch.status.ok) << watch.status.message;
    return o;
}

TEST(SpecShock, T15_T16_T17_the_scenes_stand_as_they_are_shipped) {
    for (const char* file : {"box-tower.json", "brick-wall.json", "heavy-on-light.json", "ball-grid.json"}) {
        const StackResult o = outcome_of(file, nullptr, is_long() ? 30 : 2);
        EXPECT_LT(o.displacement, 0.02) << file;
        EXPECT_LT(o.depth, 1e-3) << file;
    }
}

TEST(SpecShock, T14_T17_the_scenes_fail_without_shock_propagation) {
    for (const auto& [file, seconds] :
         {std::pair{"box-tower.json", 2.0}, {"heavy-on-light.json", 2.0}, {"brick-wall.json", 1.0}}) {
        const double limit = 0.1;
        EXPECT_GT(outcome_of(file, "erleben+shock=off", seconds, limit).displacement, limit) << file;
    }
}

TEST(SpecShock, T29_a_quantity_tells_who_sleeps) {
    World world(load_scene((kFolder / "box-tower.json").string()));
    const Quantity asleep = find_quantity("bodies.boxes[24].asleep", *world.structure());
    double value = -1;
    asleep.read(world.frame(), &value);
    EXPECT_EQ(value, 0);
    for (int k = 0; k < 20; ++k) world.step();
    asleep.read(world.frame(), &value);
    EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace impuls
