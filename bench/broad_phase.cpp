// Study of the broad phases: ./impuls bench broad-phase [largest n].
// First the time of a call for typical loads of 10 000 to 64 000 boxes, then the growth of time and swaps
// from 1000 grains on in a cube and in a channel of 10 x 10 x L, with the exponent fitted by least squares
// (granular spec T5: tree at most 1.1; swaps of sweep and prune 5/3 in the cube, 2 along the short axes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "bench/studies.h"
#include "collision/broad/grid.h"
#include "collision/broad/sweep_and_prune.h"
#include "collision/broad/tree_phase.h"
#include "collision/moving_grains.h"

namespace impuls {
namespace {

using Sizes = std::function<Vec3(Rng&)>;

Vec3 unit_cube(Rng&) {
    return {0.5, 0.5, 0.5};
}
Vec3 grain(Rng& rng) {  // tumbling polyhedra
    return {rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6)};
}
Vec3 one_to_hundred(Rng& rng) {
    const double h = 0.1 * std::exp2(rng.uniform(0, 1) * rng.uniform(0, 6.64));
    return {h, h, h};
}

MovingGrains make(int n, int nx, int ny, double pitch, double speed, const Sizes& sizes) {
    MovingGrains g;
    Rng rng(7, 0);
    for (int k = 0; k < n; ++k) {
        const Vec3 half = sizes(rng);
        const Vec3 from{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)};
        const Vec3 way = rotate(rng.rotation(), {speed, 0, 0});
        g.add(Vec3{double(k % nx), double(k / nx % ny), double(k / nx / ny)} * pitch, from, way, half);
    }
    return g;
}

MovingGrains cube(int n, double pitch, double speed, const Sizes& sizes) {
    const int edge = static_cast<int>(std::ceil(std::cbrt(double(n)) - 1e-9));
    return make(n, edge, edge, pitch, speed, sizes);
}

struct Timing {
    double ms = 0;
    std::size_t pairs = 0;
    double swaps = 0, swaps_short = 0;  // a call; along the two short axes
};

// Milliseconds that the calling thread has worked, which other programs do not disturb.
double work_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

// Mean time of a call; the motion itself is not timed.
template <class Call>
Timing time_of(MovingGrains grains, int steps, Call&& call) {
    std::vector<double> times;
    std::vector<Pair> out;
    for (int k = -5; k < steps; ++k) {
        grains.step();
        const double start = work_ms();
        call(grains, out);
        if (k >= 0) times.push_back(work_ms() - start);
    }
    double sum = 0;
    for (const double t : times) sum += t;
    return {sum / double(times.size()), out.size()};
}

Timing time_tree(const MovingGrains& grains, int steps, Executor& executor) {
    TreeBroadPhase phase;
    return time_of(grains, steps,
                   [&](MovingGrains& g, auto& out) { phase.find_pairs(g.boxes, g.ids, executor, out); });
}
Timing time_grid(const MovingGrains& grains, int steps, Executor& executor) {
    GridBroadPhase phase;
    return time_of(grains, steps,
                   [&](MovingGrains& g, auto& out) { phase.find_pairs(g.boxes, g.ids, executor, out); });
}
Timing time_sweep(const MovingGrains& grains, int steps, Executor& executor) {
    SweepAndPrune phase;
    double all = 0, across = 0;
    int calls = 0;
    Timing t = time_of(grains, steps, [&](MovingGrains& g, auto& out) {
        phase.find_pairs(g.boxes, g.ids, executor, out);
        const auto& s = phase.swaps();
        if (++calls > 5) all += double(s[0] + s[1] + s[2]), across += double(s[0] + s[1]);
    });
    t.swaps = all / steps, t.swaps_short = across / steps;
    return t;
}

void loads(int largest) {
    struct Load {
        std::string name;
        MovingGrains grains;
    };
    const int many = std::min(largest, 64000);
    const Load list[] = {
        {"10000 apart, 0.01 a step", cube(10000, 2.5, 0.01, unit_cube)},
        {"10000 apart, 0.1 a step", cube(10000, 2.5, 0.1, unit_cube)},
        {"10000 apart, 1 a step", cube(10000, 2.5, 1, unit_cube)},
        {"10000 resting pile, 1e-5", cube(10000, 1, 1e-5, grain)},
        {"10000 spheres, 0.01", cube(10000, 1, 0.01, unit_cube)},
        {"10000 sizes 1:100, 0.01", cube(10000, 1, 0.01, one_to_hundred)},
        {fmt::format("{} cube, 1e-4", many), cube(many, 1, 1e-4, grain)},
        {fmt::format("{} cube, 0.01", many), cube(many, 1, 0.01, grain)},
        {fmt::format("{} channel, 0.01", many), make(many, 10, 10, 1, 0.01, grain)},
    };
    Executor one(1);
    fmt::print("{:28}{:>10}{:>10}{:>10}{:>10}\n", "ms a call", "pairs", "tree", "grid", "sweep");
    for (const Load& load : list) {
        const Timing tree = time_tree(load.grains, 50, one);
        const Timing grid = time_grid(load.grains, 50, one), sweep = time_sweep(load.grains, 5, one);
        fmt::print("{:28}{:>10}{:>10.3f}{:>10.3f}{:>10.3f}\n", load.name, tree.pairs, tree.ms, grid.ms,
                   sweep.ms);
    }
}

void growth(const char* name, double speed, int largest,
            const std::function<MovingGrains(int, double)>& make_grains) {
    Executor one(1);
    std::vector<double> n, tree, sweep, swaps, across;
    fmt::print("\n{}, v dt = {} d\n{:>8}{:>12}{:>12}{:>14}{:>14}\n", name, speed, "n", "tree ms", "sweep ms",
               "swaps", "short axes");
    for (int count = 1000; count <= largest; count *= 2) {
        const MovingGrains grains = make_grains(count, speed);
        const Timing a = time_tree(grains, 60, one), b = time_sweep(grains, 6, one);
        n.push_back(count), tree.push_back(a.ms), sweep.push_back(b.ms);
        swaps.push_back(b.swaps), across.push_back(b.swaps_short);
        fmt::print("{:>8}{:>12.4f}{:>12.4f}{:>14.1f}{:>14.1f}\n", count, a.ms, b.ms, b.swaps, b.swaps_short);
    }
    fmt::print("{:>8}{:>12.3f}{:>12.3f}{:>14.3f}{:>14.3f}\n", "exponent", fitted_exponent(n, tree),
               fitted_exponent(n, sweep), fitted_exponent(n, swaps), fitted_exponent(n, across));
}

}  // namespace

int bench::broad_phase_study(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 64000;
    loads(largest);
    if (argc > 2) return 0;
    for (const double speed : {1e-4, 1e-2}) {
        growth("cube", speed, largest, [](int n, double v) { return cube(n, 1, v, grain); });
        growth("channel 10 x 10 x L", speed, largest,
               [](int n, double v) { return make(n, 10, 10, 1, v, grain); });
    }
    return 0;
}

}  // namespace impuls
