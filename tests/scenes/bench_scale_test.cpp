// The scenes of the bench with the preset `fast`: lengths, velocities and gravity times 2^±7 at equal dt give
// the same bits, rescaled; so do three threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/places.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

// The kinds that these scenes have.
void scale_shape(Shape& shape, double scale) {
    if (auto* box = std::get_if<Box>(&shape)) box->size = box->size * scale;
    if (auto* sphere = std::get_if<Sphere>(&shape)) sphere->radius *= scale;
    if (auto* convex = std::get_if<Convex>(&shape))
        for (Vec3& p : convex->points) p = p * scale;
    if (auto* compound = std::get_if<Compound>(&shape))
        for (CompoundPart& part : compound->parts) {
            part.position = part.position * scale;
            std::get<Box>(part.shape).size = std::get<Box>(part.shape).size * scale;
        }
}

Scene rescaled(Scene scene, double scale) {
    scene.settings.gravity = scene.settings.gravity * scale;
    for (BodyDesc& body : scene.bodies) {
        scale_shape(body.shape, scale);
        body.position = body.position * scale, body.velocity = body.velocity * scale;
    }
    for (JointDesc& joint : scene.joints) {
        auto& ball = std::get<BallJoint>(joint.joint);
        ball.anchor = ball.anchor * scale;
    }
    return scene;
}

struct BenchCase {
    const char* name;
    const char* file;
    Overrides size;
};
const BenchCase kCases[] = {
    {"pyramid", "pyramid.json", {{"variables.n", kSlowBuild ? "6" : "12"}}},
    {"heavy_stack", "stack.json", {{"variables.n", "10"}, {"variables.top", "100"}}},
    {"funnel", "funnel.json", {{"variables.n", kSlowBuild ? "4" : "5"}}},
    {"polys", "polys.json", {{"variables.n", kSlowBuild ? "64" : "256"}}},
    {"spheres", "spheres.json", {{"variables.n", kSlowBuild ? "121" : "484"}}},
    {"drum", "drum.json", {{"variables.n", kSlowBuild ? "3" : "5"}}},
    {"ragdolls", "ragdolls.json", {{"variables.n", kSlowBuild ? "1" : "2"}}},
    {"joint_grid", "joint-grid.json", {{"variables.n", kSlowBuild ? "3" : "5"}}},
};

class BenchScene : public testing::TestWithParam<BenchCase> {};

void expect_same_at_scale(World& unit, World& large, World& small) {
    for (std::size_t k = 0; k < unit.frame().positions.size(); ++k) {
        ASSERT_EQ(large.frame().positions[k], unit.frame().positions[k] * 128) << k;
        ASSERT_EQ(small.frame().positions[k], unit.frame().positions[k] / 128) << k;
        ASSERT_EQ(large.frame().velocities[k], unit.frame().velocities[k] * 128) << k;
    }
}

TEST_P(BenchScene, is_scale_free_and_independent_of_threads_by_fast) {
    const BenchCase& c = GetParam();
    Scene scene = expand(load_scene(in_project(std::string("scenes/bench/") + c.file), c.size));
    scene.settings.method = parse_method("fast");
    World unit(scene), many(scene, std::make_shared<Executor>(3)), large(rescaled(scene, 128)),
        small(rescaled(scene, 1.0 / 128));
    // With joints and contacts alike the promise of scale ends where an island goes to the impulse stepper,
    // whose sweeps stop when changes in m/s and rad/s are small alike (docs/internals/blocks.md).
    const bool is_net = std::string(GetParam().name) == "joint_grid";  // hangs, and touches nothing
    const bool may_end = !scene.joints.empty() && !is_net;
    const auto is_impulse = [](const Outcome& o) { return o.stepper == IslandStepper::Impulse; };
    int compared = 0;
    bool is_promised = true;
    for (int k = 0; k < (kSlowBuild ? 90 : 120); ++k) {
        for (World* world : {&unit, &many, &large, &small}) ASSERT_TRUE(world->step().ok) << k;
        is_promised = is_promised &&
                      !(may_end && std::any_of(unit.outcomes().begin(), unit.outcomes().end(), is_impulse));
        if (!is_promised) continue;
        ASSERT_NO_FATAL_FAILURE(expect_same_at_scale(unit, large, small)) << k;
        ++compared;
    }
    EXPECT_GE(compared, may_end ? 15 : 90);
    EXPECT_EQ(unit.state_hash(), many.state_hash());
    EXPECT_TRUE(is_net || unit.frame().contacts.size() > 20);
}

INSTANTIATE_TEST_SUITE_P(All, BenchScene, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace impuls
