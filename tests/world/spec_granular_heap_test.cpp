// Sweep and prune on boxes of bodies that a world moves: granular T7 and multibody T32. The laws of swaps for
// motion made up by the test are in tests/collision/spec_granular_broad_test.cpp.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "collision/broad/sweep_and_prune.h"
#include "collision/moving_grains.h"
#include "impuls/settings.h"
#include "running.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

// Counts swaps of the boxes that the world's own broad phase gets, of all bodies that move.
class SwapCounter {
  public:
    explicit SwapCounter(Running& world) : world_(world) { step(); }
    std::array<double, 3> step() {
        world_.step();
        look();
        return {double(phase_.swaps()[0]), double(phase_.swaps()[1]), double(phase_.swaps()[2])};
    }

  private:
    void look() {
        const WorldState& s = world_.s;
        boxes_.clear(), ids_.clear();
        for (std::size_t c = 0; c < s.colliders.boxes.size(); ++c)
            if (s.bodies.is_dynamic(s.numbers.body[c]))
                boxes_.push_back(s.colliders.boxes[c]), ids_.push_back(s.numbers.ids[c]);
        phase_.find_pairs(boxes_, ids_, *s.executor, pairs_);
    }

    Running& world_;
    SweepAndPrune phase_;
    std::vector<Aabb> boxes_;
    std::vector<std::uint64_t> ids_;
    std::vector<Pair> pairs_;
};

double sum(const std::array<double, 3>& swaps) {
    return swaps[0] + swaps[1] + swaps[2];
}

// Grains of random size fall into a box with rough walls and come to rest; nobody sleeps.
TEST(SpecGranular, T7_poured_heap_at_rest_is_cheapest) {
    Scene scene = scene_with_floor();
    scene.settings.method = parse_method("default+sleep=off");
    for (int k = 0; k < 4; ++k) {
        const double d = k % 2 ? 0.75 : -0.75;
        scene.bodies.push_back(some_body("wall" + std::to_string(k),
                                         Box{k < 2 ? Vec3{0.5, 8, 2} : Vec3{2, 8, 0.5}},
                                         k < 2 ? Vec3{d, 4, 0} : Vec3{0, 4, d}, BodyKind::Static));
    }
    Rng rng(7, 1);
    const int count = kSlowBuild ? 25 : 50;
    for (int k = 0; k < count; ++k) {
        const double size = rng.uniform(0.07, 0.12), x = rng.uniform(-0.03, 0.03),
                     z = rng.uniform(-0.03, 0.03);
        BodyDesc grain =
            some_body("g" + std::to_string(k), Box{{size, 0.8 * size, 0.7 * size}},
                      {0.16 * (k % 5 - 2) + x, 0.1 + 0.16 * (k / 25), 0.16 * (k / 5 % 5 - 2) + z});
        grain.orientation = rng.rotation();
        scene.bodies.push_back(grain);
    }
    Running world(scene);
    SwapCounter counter(world);
    double pouring = 0, resting = 0;
    constexpr int kPouring = 40, kSettling = 300, kResting = 40;
    for (int k = 0; k < kPouring; ++k) pouring += sum(counter.step()) / kPouring;
    for (int k = 0; k < kSettling; ++k) counter.step();
    for (int k = 0; k < kResting; ++k) resting += sum(counter.step()) / kResting;
    EXPECT_GT(pouring, 0.5 * count);

    EXPECT_LE(resting, 0.01 * pouring);
}

// A column of n bouncing balls in free fall: neighbours meet and part all along it.
TEST(SpecMultibody, T32_swaps_of_a_falling_stack_are_linear) {
    std::vector<double> sizes, swaps;
    for (const int n : {25, 50, 100, 200}) {
        Scene scene = scene_with_floor();
        scene.settings.method = parse_method("default+sleep=off");
        MaterialDesc bouncy;
        bouncy.name = "bouncy", bouncy.restitution = 0.7;
        scene.materials.push_back(bouncy);
        Rng rng(32, 1);
        double at = 20;
        for (int k = 0; k < n; ++k) {
            BodyDesc ball = some_body("b" + std::to_string(k), Sphere{0.5}, {0, at + 0.5, 0});
            ball.material = "bouncy";
            ball.velocity.y = rng.uniform(-1, 1);
            at += 1 + rng.uniform(0.05, 0.3);
            scene.bodies.push_back(ball);
        }
        Running world(scene);
        SwapCounter counter(world);
        double along = 0;
        for (int k = 0; k < 60; ++k) along += counter.step()[1];
        sizes.push_back(n), swaps.push_back(along);
    }
    EXPECT_GT(swaps[0], 25);
    EXPECT_NEAR(fitted_exponent(sizes, swaps), 1, 0.1);
}

}  // namespace
}  // namespace impuls
