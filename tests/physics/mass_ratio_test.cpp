// Much on little: what carries a load a million times its own weight neither sinks in nor is thrown away, by
// every preset; the ground feels all of it (statics).
#include "physics/contact_scenes.h"

namespace impuls {
namespace {

MaterialDesc rough() {
    MaterialDesc m;
    m.friction = 0.5;
    return m;
}

BodyDesc box_of(const std::string& name, double mass, const Vec3& size, const Vec3& at) {
    BodyDesc body = body_of(name, Box{size}, at);
    body.mass = mass;
    return body;
}

// Rests for a while; `top` stays where it is, and the ground carries everything. By `fast` contacts may sag
// under their loads by 1.6e-3 of the size (steppers/blocks/tuning.h).
void expect_stands(const Scene& scene, const char* preset, double weight) {
    Scene s = scene;
    s.settings.method = parse_method(preset);
    World world(s);
    const double height = world.pose(world.find_body("top")).position.y;
    double deepest = 0;
    const double sag = std::string(preset) == "fast" ? 1.6e-3 : 1e-4;
    while (world.time() < (is_long() ? 10 : kSlowBuild ? 0.1 : 0.5)) {
        ASSERT_TRUE(world.step().ok);
        deepest = std::max(deepest, world.frame().max_penetration);
    }
    EXPECT_NEAR(world.pose(world.find_body("top")).position.y, height, sag) << preset;
    EXPECT_LT(deepest, sag) << preset;
    EXPECT_NEAR(-force_on(world, "ground").y / (weight * kG), 1, 1e-3) << preset;
}

class MassRatio : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Presets, MassRatio, testing::Values("default", "accurate", "fast"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(MassRatio, towers_of_light_boxes_carry_heavy_ones) {
    for (const auto& [count, heavy] : {std::pair{2, 1e6}, {3, 1e8}, {5, 1e4}, {9, 1e6}}) {
        SCOPED_TRACE(std::to_string(count) + " boxes, " + std::to_string(heavy) + " kg");
        Scene scene = scene_of(rough(), true);
        for (int k = 0; k < count; ++k)
            scene.bodies.push_back(box_of("light" + std::to_string(k), 1, {1, 1, 1},
                                          {k % 2 ? 0.03 : 0.0, 0.5 + k, 0.01 * (k % 3)}));
        scene.bodies.push_back(box_of("top", heavy, {1, 1, 1}, {0, 0.5 + count, 0}));
        expect_stands(scene, GetParam(), count + heavy);
    }
}

TEST_P(MassRatio, a_slab_rests_on_four_light_legs) {
    Scene scene = scene_of(rough(), true);
    int legs = 0;
    for (const double x : {-1.0, 1.0})
        for (const double z : {-0.7, 0.8})
            scene.bodies.push_back(box_of("leg" + std::to_string(legs++), 0.1, {0.1, 1, 0.1}, {x, 0.5, z}));
    scene.bodies.push_back(box_of("top", 1e4, {3, 0.2, 2}, {0.1, 1.1, 0}));
    expect_stands(scene, GetParam(), 1e4 + 0.4);
}

TEST_P(MassRatio, a_ball_of_a_ton_rests_on_a_tile) {
    Scene scene = scene_of(rough(), true);
    scene.bodies.push_back(box_of("tile", 0.05, {0.3, 0.02, 0.3}, {0, 0.01, 0}));
    BodyDesc ball = body_of("top", Sphere{0.5}, {0, 0.52, 0});
    ball.mass = 1000;
    scene.bodies.push_back(ball);
    expect_stands(scene, GetParam(), 1000.05);
}

}  // namespace
}  // namespace impuls
