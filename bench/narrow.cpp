// Time of one narrow phase call, by pair: build with -DIMPULS_BENCH=ON, run build/release/bench/impuls_bench
// --benchmark_filter=pair. Poses are random near contact, a fixed list for all pairs.
#include <benchmark/benchmark.h>

#include <cmath>

#include "base/rng.h"
#include "collision/make_colliders.h"
#include "collision/narrow/narrow.h"
#include "collision/shape_cache.h"

namespace impuls {
namespace {

Convex hull_of(int points) {
    Convex c;
    Rng rng(5, 1);
    for (int k = 0; k < points; ++k) c.points.push_back(rotate(rng.rotation(), {0.5, 0, 0}));
    return c;
}

HeightField flat() {
    HeightField f;
    f.columns = 41, f.spacing = 0.25;
    f.heights.assign(41 * 41, 0);
    return f;
}

// Stacked: b over a, turned about the upright axis or not at all; else any orientation.
void pair(benchmark::State& state, const Shape& sa, const Shape& sb, double distance, bool stacked) {
    ShapeCache cache;
    std::vector<Collider> a, b;
    make_colliders(sa, {}, false, cache, a);
    make_colliders(sb, {}, true, cache, b);
    Rng rng(7, 2);
    std::vector<std::pair<Pose, Pose>> poses;
    for (int k = 0; k < 256; ++k) {
        Pose X_WA{}, X_WB{{rng.uniform(-0.3, 0.3), distance, rng.uniform(-0.3, 0.3)}, {}};
        if (!stacked) X_WA.orientation = rng.rotation(), X_WB.orientation = rng.rotation();
        poses.push_back({X_WA, X_WB});
    }
    std::vector<Manifold> out;
    std::size_t k = 0, points = 0;
    for (auto _ : state) {
        out.clear();
        const auto& [X_WA, X_WB] = poses[k++ & 255];
        collide(a[0], X_WA, b[0], X_WB, 0.01, out);
        for (const Manifold& m : out) points += static_cast<std::size_t>(m.count);
    }
    state.counters["points"] = static_cast<double>(points) / static_cast<double>(state.iterations());
}

BENCHMARK_CAPTURE(pair, box_box_stacked, Box{}, Box{}, 0.999, true);
BENCHMARK_CAPTURE(pair, box_box, Box{}, Box{}, 1.1, false);
BENCHMARK_CAPTURE(pair, box_convex16, Box{}, hull_of(16), 0.95, false);
BENCHMARK_CAPTURE(pair, convex16_convex16, hull_of(16), hull_of(16), 0.9, false);
BENCHMARK_CAPTURE(pair, sphere_field, flat(), Sphere{}, 0.499, true);
BENCHMARK_CAPTURE(pair, box_field, flat(), Box{}, 0.499, true);
BENCHMARK_CAPTURE(pair, cylinder_box, Box{}, Cylinder{}, 0.999, true);
BENCHMARK_CAPTURE(pair, cylinder_cylinder, Cylinder{}, Cylinder{}, 1.0, false);

}  // namespace
}  // namespace impuls
