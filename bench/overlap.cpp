// Time of one overlap polyhedron: equal bodies, turned at random, pushed together by 5 % of their size.
#include <benchmark/benchmark.h>

#include "geometry/overlap.h"
#include "geometry/overlap_bodies.h"

namespace impuls {
namespace {

void overlap(benchmark::State& state, const Polyhedron& body) {
    Rng rng(1, 1);
    OverlapFinder finder;
    Overlap o;
    std::vector<Pose> poses;
    while (poses.size() < 256) {
        const Vec3 d = rotate(rng.rotation(), {0, 0, 1});
        const Quat q = rng.rotation();
        double near = 0, far = 2 * body.radius;  // bisect to where they touch
        for (int k = 0; k < 40; ++k) {
            const double x = 0.5 * (near + far);
            (finder.find(body.view(), body.view(), {d * x, q}, o) ? near : far) = x;
        }
        poses.push_back({d * (near - 0.05 * body.radius), q});
    }
    std::size_t k = 0;
    for (auto _ : state) benchmark::DoNotOptimize(finder.find(body.view(), body.view(), poses[k++ % 256], o));
}

void overlap_box(benchmark::State& state) {
    overlap(state, overlap_bodies::box({1, 1, 1}));
}
void overlap_icosahedron(benchmark::State& state) {
    overlap(state, overlap_bodies::icosahedron());
}
void overlap_grain(benchmark::State& state) {
    overlap(state, overlap_bodies::grain(static_cast<int>(state.range(0)), 1));
}
BENCHMARK(overlap_box);
BENCHMARK(overlap_icosahedron);
BENCHMARK(overlap_grain)->Arg(20)->Arg(62);

}  // namespace
}  // namespace impuls
