// Time of a step of 1/60 s of sheets and solids, beside what it buys: `stretch_percent` is the largest
// elongation of an edge and `energy_percent` the energy lost over what falling released, both over the first
// two seconds. The sheets are 5 m, 5 kg, two corners pinned at rest distance, flat start. Run by ./impuls
// bench micro --benchmark_filter=cloth
#include <benchmark/benchmark.h>

#include <algorithm>

#include "deformable/sheet.h"
#include "deformable/solid/solid.h"

namespace impuls::deformable {
namespace {

constexpr Vec3 kDown{0, -9.81, 0};
constexpr double kStep = 1.0 / 60;

Sheet hanging(int n, double stretch) {
    SheetShape shape{n, n, {5.0 / (n - 1), 5.0 / (n - 1)}};
    std::vector<Vec3> places;
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) places.push_back({c * shape.spacing.across, 0, r * shape.spacing.down});
    std::vector<double> k(places.size(), static_cast<double>(places.size()) / 5);
    k[0] = k[static_cast<std::size_t>(n - 1)] = 0;
    SheetMaterial material;
    material.stretch = stretch;
    Sheet sheet(shape, material, k);
    sheet.load(places, std::vector<Vec3>(places.size()));
    return sheet;
}

void cloth(benchmark::State& state, int n, SheetSolver solver, int substeps, double stretch, int threads) {
    Sheet sheet = hanging(n, stretch);
    Executor team(threads);
    SheetSettings settings;
    settings.solver = solver, settings.substeps = substeps;
    if (threads > 1) settings.executor = &team;
    const double start = sheet.energy(kDown).total();
    double most = 0, fallen = 0, lost = 0;
    int steps = 0;
    for (auto _ : state) {
        sheet.advance(kStep, settings, {kDown, {}, {}});
        state.PauseTiming();
        if (++steps <= 120) {
            most = std::max(most, sheet.largest_stretch());
            fallen = std::max(fallen, -sheet.energy(kDown).gravity);
            lost = start - sheet.energy(kDown).total();
        }
        state.ResumeTiming();
    }
    state.counters["stretch_percent"] = 100 * most;
    state.counters["energy_percent"] = -100 * lost / fallen;
}

BENCHMARK_CAPTURE(cloth, 50_strips, 50, SheetSolver::Strips, 80, 1e7, 1)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cloth, 50_strips_two_threads, 50, SheetSolver::Strips, 80, 1e7, 2)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(cloth, 50_springs, 50, SheetSolver::MicroSteps, 600, 1.05e6, 1)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cloth, 50_gauss_seidel, 50, SheetSolver::GaussSeidel, 320, 1e7, 1)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cloth, 100_strips, 100, SheetSolver::Strips, 160, 1e7, 1)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cloth, 100_strips_two_threads, 100, SheetSolver::Strips, 160, 1e7, 2)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// The clamped bar, 2.0 x 0.5 x 0.5 m, E = 1e7.
void bar(benchmark::State& state, const std::array<int, 3>& cells, SolidScheme scheme) {
    CellMesh mesh = box_cells({0, -0.25, -0.25}, {2, 0.5, 0.5}, cells);
    std::vector<std::uint32_t> pinned;
    for (std::uint32_t i = 0; i < mesh.nodes.size(); ++i)
        if (mesh.nodes[i].x < 1e-9) pinned.push_back(i);
    Solid solid(std::move(mesh), {1e7, 0.3, 1000}, pinned);
    SolidSettings settings;
    settings.scheme = scheme;
    const double start = solid.energy(kDown).total();
    for (auto _ : state) solid.advance(kStep, settings, kDown);
    state.counters["energy_joule"] = solid.energy(kDown).total() - start;
}

BENCHMARK_CAPTURE(bar, 90_explicit, {10, 3, 3}, SolidScheme::Explicit)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bar, 90_implicit, {10, 3, 3}, SolidScheme::Implicit)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bar, 500_explicit, {20, 5, 5}, SolidScheme::Explicit)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bar, 500_implicit, {20, 5, 5}, SolidScheme::Implicit)
    ->Iterations(120)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace impuls::deformable
