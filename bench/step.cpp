// Time of World::step and of the broad phase for typical loads, one thread: build with -DIMPULS_BENCH=ON, run
// build/release/bench/impuls_bench.
#include <benchmark/benchmark.h>

#include <string>

#include "collision/broad/broad.h"
#include "impuls/world.h"
#include "spec/stacks.h"

namespace impuls {
namespace {

BodyDesc body(int number, const Shape& shape, const Vec3& at) {
    BodyDesc b;
    b.name = "b" + std::to_string(number);
    b.shape = shape;
    b.position = at;
    return b;
}

BodyDesc ground() {
    BodyDesc b = body(0, Plane{}, {});
    b.kind = BodyKind::Static;
    return b;
}

void step(benchmark::State& state, const Scene& scene, int warm_up) {
    World world(scene);
    for (int k = 0; k < warm_up; ++k) world.step();
    for (auto _ : state) world.step();
}

// n free bodies on a grid, two sizes apart, all spinning.
void free_bodies(benchmark::State& state, const Shape& shape, double spin) {
    Scene scene;
    scene.settings.gravity = {};  // so that it stays the same however long it runs
    const int n = static_cast<int>(state.range(0));
    for (int k = 0; k < n; ++k) {
        BodyDesc b = body(k, shape, Vec3{k % 22 * 2.0, k / 22 % 22 * 2.0, k / 484 * 2.0});
        b.angular_velocity = Vec3{0.3, 1, 0.2} * spin;
        scene.bodies.push_back(b);
    }
    step(state, scene, 10);
}

void free_spheres(benchmark::State& state) {
    free_bodies(state, Sphere{0.5}, 1);
}
void free_boxes(benchmark::State& state) {
    free_bodies(state, Box{{0.5, 0.6, 0.7}}, 1);
}
void free_fast_boxes(benchmark::State& state) {
    free_bodies(state, Box{{0.5, 0.6, 0.7}}, 10);
}

void pyramid(benchmark::State& state) {
    Scene scene;
    scene.settings.dt = 1.0 / 60;
    scene.bodies.push_back(ground());
    const int rows = static_cast<int>(state.range(0));
    for (int row = 0, k = 1; row < rows; ++row)
        for (int column = 0; column < rows - row; ++column, ++k)
            scene.bodies.push_back(body(k, Box{}, {column + 0.5 * row, 0.5 + row, 0}));
    step(state, scene, 60);
}

void chain(benchmark::State& state) {
    Scene scene;
    for (int k = 0; k < state.range(0); ++k) {
        BodyDesc link = body(k, Box{{1, 0.1, 0.1}}, {k + 0.5, 0, 0});
        link.collides = false;
        scene.bodies.push_back(link);
        JointDesc joint;
        joint.name = "j" + std::to_string(k);
        joint.a = k == 0 ? "" : "b" + std::to_string(k - 1);
        joint.b = link.name;
        joint.joint = BallJoint{{double(k), 0, 0}};
        scene.joints.push_back(joint);
    }
    step(state, scene, 10);
}

// The broad phase alone: n scattered unit cubes that do not overlap (growth and moving loads:
// broad_phase.cpp).
void broad_phase(benchmark::State& state) {
    std::vector<Aabb> boxes;
    std::vector<std::uint64_t> ids;
    for (int k = 0; k < state.range(0); ++k) {
        const Vec3 at{k % 22 * 2.5, k / 22 % 22 * 2.5, k / 484 * 2.5};
        boxes.push_back({at, at + Vec3{1, 1, 1}});
        ids.push_back(ids.size());
    }
    Executor executor(1);
    const auto phase = make_broad_phase(static_cast<BroadPhaseKind>(state.range(1)));
    std::vector<Pair> out;
    for (auto _ : state) phase->find_pairs(boxes, ids, executor, out);
}

// Scenes of interactive size at h = 0.01 s (SpecShock T32): `faster` than real time on one core is the claim.
// The text: 0.2 to 0.3 s a step for the 2000 balls.
template <class Drive>
void interactive(benchmark::State& state, const Scene& scene, Drive&& drive) {
    World world(scene, std::make_shared<Executor>(1));
    for (auto _ : state) {
        drive(world);
        world.step();
    }
    state.counters["faster"] = benchmark::Counter(0.01, benchmark::Counter::kIsIterationInvariantRate);
}
void swept_2000_balls(benchmark::State& state, const char* method) {
    interactive(state, swept_balls(2000, method), [](World& w) { w.apply(blade_motion(w)); });
}
void silo_of_3000_balls(benchmark::State& state, const char* method) {
    interactive(state, silo(3000, method), [](World&) {});
}
void tower_of_640_bricks(benchmark::State& state, const char* method) {
    interactive(state, brick_tower(40, method), [](World&) {});
}
BENCHMARK_CAPTURE(swept_2000_balls, erleben, "erleben")->Iterations(500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(swept_2000_balls, fast, "fast")->Iterations(500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(silo_of_3000_balls, erleben, kSiloMethod)->Iterations(500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(silo_of_3000_balls, fast, "fast")->Iterations(500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tower_of_640_bricks, erleben, "erleben+sleep=off")
    ->Iterations(500)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tower_of_640_bricks, fast, "fast")->Iterations(500)->Unit(benchmark::kMillisecond);

BENCHMARK(broad_phase)->ArgsProduct({{10000}, {0, 1, 2}})->Unit(benchmark::kMillisecond);
BENCHMARK(free_spheres)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(free_boxes)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(free_fast_boxes)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(pyramid)->Arg(10)->Arg(20)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK(chain)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace impuls
