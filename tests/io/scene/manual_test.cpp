// The example of the manual is a real scene: ten lines, 1000 cubes above a container.
#include <algorithm>

#include "io/scene/testing.h"
#include "support/places.h"

namespace impuls {
namespace {

TEST(SceneManual, ThousandCubesAboveAContainer) {
    const std::string manual = read_text(in_project("docs/manual/scene-files.md"));
    const std::size_t start = manual.find("```json\n") + 8;
    const std::string text = manual.substr(start, manual.find("```", start) - start);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 11);

    const Scene scene = expand(parse_scene(text, "manual.json"));
    int cubes = 0;
    for (const BodyDesc& body : scene.bodies) {
        if (body.name.compare(0, 5, "cubes") != 0) continue;
        ++cubes;
        // inside the walls (half width 1 m, half thickness 0.05 m) and above the floor, corners included
        const double reach = 0.05 * std::sqrt(3.0);
        EXPECT_LT(std::abs(body.position.x) + reach, 0.95);
        EXPECT_LT(std::abs(body.position.z) + reach, 0.95);
        EXPECT_GT(body.position.y - reach, 0);
    }
    EXPECT_EQ(cubes, 1000);
    ASSERT_EQ(scene.bodies.size(), 1005u);
    // The walls close: their inner faces are normal to their direction from the middle.
    for (std::size_t k = 1; k < 5; ++k) {
        const BodyDesc& wall = scene.bodies[k];
        const Vec3 outward = normalized(Vec3{wall.position.x, 0, wall.position.z});
        EXPECT_NEAR(std::abs(dot(rotate(wall.orientation, {0, 0, 1}), outward)), 1, 1e-12) << wall.name;
    }
}

}  // namespace
}  // namespace impuls
