// Time of one evaluation of a contact over areas between large meshes of which a small patch is pressed
// (spec: areal-contact T20: 10^5 triangles each within 1 ms), with what is kept between poses and without:
// impuls bench micro --benchmark_filter=areal. `elements`, `candidates`: of the patch.
#include <benchmark/benchmark.h>

#include "areal/forms.h"

namespace impuls::areal {
namespace {

// The upper one slides on by 1/1000 of an edge a call, to and fro within a tenth.
void areal_bowls(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    ArealPair pair = bowls(n);
    int k = 0;
    for (auto _ : state) {
        k = (k + 1) % 200;
        benchmark::DoNotOptimize(
            pair.press(pressed_bowl(pair, 1e-3 / n * (k < 100 ? k : 200 - k)), {}).force);
    }
    pair.find_elements(pressed_bowl(pair, 0), {});
    state.counters["triangles"] = 2.0 * n * n;
    state.counters["elements"] = static_cast<double>(pair.elements().size());
    state.counters["candidates"] = static_cast<double>(pair.candidates());
}

// With the tangent, as implicit integrators ask for it.
void areal_bowls_tangent(benchmark::State& state) {
    ArealPair pair = bowls(static_cast<int>(state.range(0)));
    const Pose X = pressed_bowl(pair, 0);
    Tangent tangent;
    for (auto _ : state) {
        pair.press(X, {}, &tangent);
        benchmark::DoNotOptimize(tangent);
    }
}

// Trees gone down anew in each call: the patch jumps by more than what the list allows for.
void areal_bowls_search(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0));
    ArealPair pair = bowls(n);
    int k = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(pair.press(pressed_bowl(pair, (++k & 1) ? 2.0 / n : 0), {}).force);
}

BENCHMARK(areal_bowls)->Arg(50)->Arg(100)->Arg(224)->Unit(benchmark::kMicrosecond);
BENCHMARK(areal_bowls_tangent)->Arg(224)->Unit(benchmark::kMicrosecond);
BENCHMARK(areal_bowls_search)->Arg(224)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace impuls::areal
