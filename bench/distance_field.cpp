// Speed of distance fields: build time and memory by resolution, time of a lookup, and the sphere tree
// against looking every sample up (Erleben 2004, table 6.6) on a pile of 250 solids with more than 10^4
// samples each, and on a stack of 25 boxes. Run build/release/bench/impuls_bench_distance_field.
#include <benchmark/benchmark.h>

#include <array>

#include "base/rng.h"
#include "collision/narrow/distance_field_pairs.h"
#include "geometry/field_solid.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

std::shared_ptr<const FieldSolid> make(const TriangleMesh& mesh, int resolution) {
    DistanceFieldReport report;
    FieldSolidOptions options;
    options.field.resolution = resolution;
    return make_field_solid(mesh, options, report);
}

Collider collider(const TriangleMesh& mesh, int resolution) {
    Collider c;
    c.kind = ColliderKind::DistanceField;
    c.field = make(mesh, resolution);
    c.size = c.field->size;
    return c;
}

void build_field(benchmark::State& state) {
    const TriangleMesh mesh = meshes::bumpy_sphere(1, 0.3, 48);
    std::shared_ptr<const FieldSolid> solid;
    for (auto _ : state) solid = make(mesh, static_cast<int>(state.range(0)));
    state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
    state.counters["bricks"] = static_cast<double>(solid->field.brick_count());
    state.counters["field_kB"] = static_cast<double>(solid->field.bytes()) / 1024;
    state.counters["all_kB"] = static_cast<double>(solid->bytes()) / 1024;
}

// Points near the surface, in random order.
void lookup(benchmark::State& state) {
    const auto solid = make(meshes::bumpy_sphere(1, 0.3, 48), static_cast<int>(state.range(0)));
    const bool with_gradient = state.range(1) != 0;
    Rng rng(1, 0);
    std::vector<Vec3> points;
    while (points.size() < 4096) {
        const Vec3 p{rng.uniform(-1.3, 1.3), rng.uniform(-1.3, 1.3), rng.uniform(-1.3, 1.3)};
        if (std::abs(solid->field.value(p)) < solid->field.band()) points.push_back(p);
    }
    std::size_t k = 0;
    for (auto _ : state) {
        const Vec3& p = points[k++ % points.size()];
        if (with_gradient)
            benchmark::DoNotOptimize(solid->field.value_and_gradient(p));
        else
            benchmark::DoNotOptimize(solid->field.value(p));
    }
}

struct PosedPair {
    Pose a, b;
};

void all_pairs(benchmark::State& state, const Collider& shape, const std::vector<PosedPair>& pairs,
               double margin) {
    auto* collide = state.range(0) ? narrow::field_field : narrow::field_field_by_force;
    std::vector<Manifold> out;
    for (auto _ : state) {
        out.clear();
        for (const PosedPair& p : pairs) collide(shape, p.a, shape, p.b, margin, out);
    }
    state.counters["pairs"] = static_cast<double>(pairs.size());
    state.counters["samples"] = static_cast<double>(shape.field->samples.points.size());
    state.counters["manifolds"] = static_cast<double>(out.size());
}

std::vector<std::array<std::size_t, 2>> close_pairs(const Collider& shape, const std::vector<Pose>& poses,
                                                    double margin) {
    std::vector<std::array<std::size_t, 2>> out;
    for (std::size_t i = 0; i < poses.size(); ++i)
        for (std::size_t j = i + 1; j < poses.size(); ++j) {
            Aabb box = bounds_at(shape, poses[i]);
            for (int k = 0; k < 3; ++k) box.min[k] -= margin, box.max[k] += margin;
            if (overlaps(box, bounds_at(shape, poses[j]))) out.push_back({i, j});
        }
    return out;
}

// A heap: places on a jittered lattice, turned at random, then drawn together and pushed apart until they
// touch.
std::vector<Pose> heap(const Collider& shape) {
    Rng rng(2, 0);
    std::vector<Pose> poses;
    for (int k = 0; k < 250; ++k)
        poses.push_back({Vec3{k % 7 * 2.0, k / 49 * 2.0, k / 7 % 7 * 2.0} +
                             Vec3{rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)},
                         rng.rotation()});
    std::vector<Manifold> out;
    for (int round = 0; round < 25; ++round)
        for (const auto& [i, j] : close_pairs(shape, poses, 0)) {
            out.clear();
            narrow::field_field(shape, poses[i], shape, poses[j], 0, out);
            for (const Manifold& m : out) {
                const Vec3 push = m.normal * (0.25 * m.points[0].separation);
                poses[i].position += push, poses[j].position -= push;
            }
        }
    return poses;
}

void pile(benchmark::State& state) {
    static const Collider shape = collider(meshes::bumpy_sphere(1, 0.3, 150), 64);
    static const std::vector<Pose> poses = heap(shape);
    std::vector<PosedPair> pairs;
    for (const auto& [i, j] : close_pairs(shape, poses, 0.005)) pairs.push_back({poses[i], poses[j]});
    all_pairs(state, shape, pairs, 0.005);
}

// 25 cubes with 5 x 5 quads a side, one on the other.
void stack(benchmark::State& state) {
    static const Collider shape = collider(meshes::cube(1, 5), 72);
    std::vector<PosedPair> pairs;
    for (int k = 0; k < 24; ++k) pairs.push_back({{{0, k * 0.999, 0}, {}}, {{0, (k + 1) * 0.999, 0}, {}}});
    all_pairs(state, shape, pairs, 0.005);
}

BENCHMARK(build_field)->Arg(32)->Arg(64)->Arg(128)->Unit(benchmark::kMillisecond);
BENCHMARK(lookup)
    ->ArgNames({"resolution", "gradient"})
    ->Args({64, 0})
    ->Args({64, 1})
    ->Args({128, 0})
    ->Args({128, 1});
BENCHMARK(pile)->ArgName("tree")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(stack)->ArgName("tree")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace impuls
