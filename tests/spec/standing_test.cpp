// What must stand: heavy tops, a house of cards, an arch of wedges (scenes/seeds). For a minute each with
// IMPULS_LONG.
//
// Plain projected Gauss-Seidel from nothing must fail: news travels one contact a sweep, and with n light
// bodies under one r times as heavy a sweep leaves 1 - 1/(n r) of the error (T9: r/(r + 1) for n = 1). After
// k sweeps 1 - (r/(r + 1))^k of the load is held, 1 % for r = 1000, k = 10; what is not held falls. `default`
// goes on from the impulses of the last substep, and solves the equations of what carries where the load is
// too much for sweeps (solvers/active_set.h).
#include <gtest/gtest.h>

#include <filesystem>

#include "impuls/scene_file.h"
#include "stacks.h"
#include "support/places.h"

namespace impuls {
namespace {

Scene seed(const char* name, const std::string& method,
           const std::vector<std::pair<std::string, std::string>>& overrides = {}) {
    const auto path = std::filesystem::path(in_project("scenes/seeds")) / name;
    Scene scene = load_scene(path.string(), overrides);
    scene.settings.method = parse_method(method);
    return scene;
}

const std::string kPlainPgs = "erleben+sleep=off+shock=off+solver=pgs";

// Farther than 1 % of a body from its place is not standing.
struct Case {
    const char* file;
    double size;     // m, of a body
    double seconds;  // until the plain method has failed
};
constexpr Case kCases[] = {{"heavy-top.json", 1, 1}, {"card-house.json", 0.1, 2}, {"arch.json", 0.2, 1}};

TEST(Standing, for_a_minute) {
    for (const Case& c : kCases) {
        Watch watch(seed(c.file, "default"));
        const StackResult o = watch.run(is_long() ? 60 : 1);
        EXPECT_TRUE(watch.status.ok) << c.file;
        EXPECT_LT(o.displacement, 0.01 * c.size) << c.file;
        EXPECT_LT(o.depth, 1e-3 * c.size) << c.file;
    }
}

TEST(Standing, not_with_ten_plain_sweeps) {
    for (const Case& c : kCases) {
        const double limit = 0.2 * c.size;
        EXPECT_GT(Watch(seed(c.file, kPlainPgs)).run(c.seconds, limit).displacement, limit) << c.file;
    }
}

// Ten sweeps hold 1 % of a load of a thousand cubes: the top falls almost freely.
TEST(Standing, plain_sweeps_hold_the_share_that_theory_says) {
    Scene scene = stone_floor(kPlainPgs + "+correction=none", 0, 0);
    scene.bodies.push_back(some_body("light", Sphere{0.5}, {0, 0.5, 0}));
    scene.bodies.push_back(some_body("heavy", Sphere{0.5}, {0, 1.5, 0}));
    scene.bodies.back().density = 1000 * 10;
    World world(scene);
    world.step();
    // In the first step, from rest: v = -(1 - share) g h of the heavy one.
    const double share = 1 - std::pow(1000.0 / 1001, 10);
    EXPECT_NEAR(world.velocity(world.find_body("heavy")).y / (-9.81 * 0.01), 1 - share, 1e-3);
}

// A half circle stands from t/r = 0.1075 on (Heyman): no sooner, no later.
TEST(Standing, an_arch_from_its_least_thickness_on) {
    const double seconds = is_long() ? 20 : 1;
    const auto moved = [&](const char* thickness) {
        return Watch(seed("arch.json", "default", {{"variables.t", thickness}}))
            .run(seconds, 0.05)
            .displacement;
    };
    EXPECT_GT(moved("0.10"), 0.05);
    EXPECT_LT(moved("0.115"), 0.002);
}

// The floor carries every column, whatever is on top.
TEST(Standing, the_floor_carries_the_weight) {
    World world(seed("heavy-top.json", "default"));
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(world.step().ok);
    double carried = 0;
    const Frame& f = world.frame();
    for (const Contact& c : f.contacts)
        if (c.a == 0 || c.b == 0) carried += std::abs(c.force.y);
    const double weight = 9.81 * 10 * (3 * 5 + 10 + 100 + 1000);
    EXPECT_NEAR(carried, weight, 0.01 * weight);
}

}  // namespace
}  // namespace impuls
