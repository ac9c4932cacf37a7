// The scenes of the bench with the preset `fast`: lengths, velocities and gravity times 2^±7 at equal dt give
// the same bits, rescaled; so do three threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Velocities that only rounding made (m/s, at the scale 1): as floats of lanes they lose digits below 2^-126,
// at another scale sooner.
constexpr double kNoise = 0x1p-100;

Vec3 without_noise(const Vec3& v, double scale) {
    const auto part = [&](double x) { return std::abs(x) < kNoise * scale ? 0 : x; };
    return {part(v.x), part(v.y), part(v.z)};
}

void expect_same_at_scale(World& unit, World& scaled, double scale) {
    for (std::size_t k = 0; k < unit.frame().positions.size(); ++k) {
        ASSERT_EQ(scaled.frame().positions[k], unit.frame().positions[k] * scale) << scale << " " << k;
        ASSERT_EQ(without_noise(scaled.frame().velocities[k], scale),
                  without_noise(unit.frame().velocities[k], 1) * scale)
            << scale << " " << k;
    }
}

// Symmetric figures have such velocities, and joints make larger ones of them.
bool is_underflowing(const Frame& frame) {
    const auto is_tiny = [](double v) { return v != 0 && std::abs(v) < kNoise; };
    return std::any_of(frame.velocities.begin(), frame.velocities.end(),
                       [&](const Vec3& v) { return is_tiny(v.x) || is_tiny(v.y) || is_tiny(v.z); });
}

TEST_P(BenchScene, is_scale_free_and_independent_of_threads_by_fast) {
    const BenchCase& c = GetParam();
    Scene scene = expand(load_scene(in_project(std::string("scenes/bench/") + c.file), c.size));
    scene.settings.method = parse_method("fast");
    World unit(scene), many(scene, std::make_shared<Executor>(3)), large(rescaled(scene, 128)),
        small(rescaled(scene, 1.0 / 128));
    const bool is_net = std::string(GetParam().name) == "joint_grid";  // hangs, and touches nothing
    const bool has_joints = !scene.joints.empty();
    bool is_promised = true;
    int compared = 0;
    for (int k = 0; k < (kSlowBuild ? 90 : 120); ++k) {
        for (World* world : {&unit, &many, &large, &small}) ASSERT_TRUE(world->step().ok) << k;
        ASSERT_NO_FATAL_FAILURE(expect_same_at_scale(unit, large, 128)) << k;
        is_promised = is_promised && !(has_joints && is_underflowing(unit.frame()));
        if (!is_promised) continue;
        ASSERT_NO_FATAL_FAILURE(expect_same_at_scale(unit, small, 1.0 / 128)) << k;
        ++compared;
    }
    EXPECT_GE(compared, !has_joints ? 90 : kSlowBuild ? 5 : 15);  // the small ones are symmetric
    EXPECT_EQ(unit.state_hash(), many.state_hash());
    EXPECT_TRUE(is_net || unit.frame().contacts.size() > 20);
}

INSTANTIATE_TEST_SUITE_P(All, BenchScene, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace impuls
