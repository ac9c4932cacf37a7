// Claims of Erleben's and Bender's texts about time: ./impuls bench claims. Tests of those ids check the same
// by counts, which cannot fail for a busy machine; here it is processor time of one thread. Results go to
// bench/results/<machine>/claims.json; the exit code is 1 when one does not hold. A minute or two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "bench/claims.h"
#include "bench/results.h"
#include "bench/studies.h"
#include "impuls/executor.h"
#include "impuls/frame.h"
#include "impuls/scene_file.h"
#include "solvers/direct.h"
#include "solvers/random_problems.h"
#include "spec/stacks.h"

namespace impuls {
namespace {

using namespace bench;

double work_s() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The least of some repeats: what a call takes when nothing disturbs it.
template <class Call>
double least_s(int repeats, const Call& call) {
    double least = 1e300;
    for (int k = 0; k < repeats; ++k) {
        const double began = work_s();
        call();
        least = std::min(least, work_s() - began);
    }
    return least;
}

// R^2 of the best straight line.
double straightness(const std::vector<double>& x, const std::vector<double>& y) {
    const double n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
        sx += x[k] / n, sy += y[k] / n, sxx += x[k] * x[k] / n, sxy += x[k] * y[k] / n,
            syy += y[k] * y[k] / n;
    return (sxy - sx * sy) * (sxy - sx * sy) / ((sxx - sx * sx) * (syy - sy * sy));
}

World world_of(const Scene& scene) {
    return World(scene, std::make_shared<Executor>(1));
}

// SpecShock T2: 120 spheres in dimples as one group, and each as its own.
double gain_by_groups(ProblemSolver& solver) {
    const Problem all = test::spheres_in_dimples(120);
    const SolveSettings settings{50, 1e-9};
    const double together = least_s(5, [&] {
        Problem p = all;
        solver.solve(p, settings);
    });
    std::vector<Problem> groups;
    for (std::uint32_t k = 1; k <= 120; ++k) groups.push_back(test::sphere_alone(all, k));
    const double apart = least_s(5, [&] {
        for (Problem p : groups) solver.solve(p, settings);
    });
    return together / apart;
}

// SpecShock T13: time of a step against sweeps, on the stack of 25 boxes.
double linear_in_sweeps() {
    std::vector<double> sweeps, time;
    for (const int n : {10, 30, 100, 300, 1000, 3000, 10000}) {
        World world = world_of(box_stack(25, "erleben+sleep=off+shock=off+iterations=" + std::to_string(n)));
        sweeps.push_back(n);
        time.push_back(least_s(5, [&] { world.step(); }));
    }
    return straightness(sweeps, time);
}

// The same: time of a step against contacts, while 8 x 8 x 8 cubes fall onto each other.
double linear_in_contacts() {
    Scene scene = stone_floor("erleben+sleep=off+shock=off", 0);
    for (int k = 0; k < 512; ++k)
        scene.bodies.push_back(
            some_body(numbered("b", k), Box{{1, 1, 1}},
                      {1.3 * (k % 8) + 0.1 * (k / 64), 0.6 + 1.4 * (k / 64), 1.3 * (k / 8 % 8)}));
    std::vector<double> contacts(120), time(120, 1e300);
    for (int run = 0; run < 3; ++run) {
        World world = world_of(scene);
        for (std::size_t k = 0; k < time.size(); ++k) {
            time[k] = std::min(time[k], least_s(1, [&] { world.step(); }));
            contacts[k] = static_cast<double>(world.frame().contacts.size());
        }
    }
    return straightness(contacts, time);
}

// SpecShock T32: how many times faster than real time, from the start on.
double faster(const Scene& scene, int steps, bool is_swept = false) {
    World world = world_of(scene);
    const double time = least_s(1, [&] {
        for (int k = 0; k < steps; ++k) {
            if (is_swept) world.apply(blade_motion(world));
            world.step();
        }
    });
    return world.time() / time;
}

// SpecMultibody T30: 125 cubes of the funnel in one substep of 5 ms.
double funnel_s(const char* method) {
    Scene scene = load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/seeds/bender-funnel.json",
                             {{"variables.n", "5"}, {"measure", "[]"}});
    scene.settings.method = parse_method(method);
    World world = world_of(scene);
    return least_s(1, [&] {
        while (world.time() < 2) world.step();
    });
}

// SpecMultibody T13 on the engine: a step of the tree of 255 by tolerance, relative to its smallest rod.
double tree_s(double tolerance) {
    Scene scene = load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/seeds/bender-tree.json",
                             {{"variables.depth", "7"}, {"measure", "[]"}});
    scene.settings.method = parse_method(fmt::format("default+tolerance={}", tolerance));
    return least_s(5, [&] {
        World world = world_of(scene);
        for (int k = 0; k < 150; ++k) world.step();
    });
}

// SpecWorkbench T29: AERO's pendulum of five balls on rods, and a thousand mixed bodies that fall into a
// heap.
double cradle_gain() {
    const Scene scene =
        load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/examples/rod-cradle.json", {{"measure", "[]"}});
    return faster(scene, static_cast<int>(scene.settings.duration / scene.settings.dt + 0.5));
}
Scene mixed_heap() {
    Scene scene;
    scene.settings.dt = 1.0 / 60;
    scene.settings.method = parse_method("fast");
    scene.bodies.push_back({.name = "floor", .kind = BodyKind::Static, .shape = Plane{}});
    const Shape shapes[]{Sphere{0.1}, Box{{0.2, 0.16, 0.18}}, Cylinder{0.1, 0.2}, Capsule{0.08, 0.1}};
    for (int k = 0; k < 1000; ++k) {
        BodyDesc body;
        body.name = fmt::format("body{}", k);
        body.shape = shapes[k % 4];
        body.position = {0.25 * (k % 10) + 0.01 * (k % 7), 0.15 + 0.25 * (k / 100), 0.25 * (k / 10 % 10)};
        scene.bodies.push_back(body);
    }
    return scene;
}

}  // namespace

int bench::claims_study(int, char**) {
    Claims claims{machine_name(), today(), {}};
    const auto at_least = [&](const char* name, const std::string& about, double value, double bar) {
        claims.list.push_back({name, about, value, fmt::format("at least {}", bar), value >= bar});
        print_claims({claims.list.back()});
    };
    DirectSolver direct(4, 100000);
    at_least("SpecShock T2", "120 spheres in dimples, pivoting: one group : groups (text 20 to 30)",
             gain_by_groups(direct), 20);
    const auto pgs = make_solver(Solver::Pgs);
    at_least("SpecShock T2", "the same by sweeps", gain_by_groups(*pgs), 0.95);
    at_least("SpecShock T13", "stack of 25, 10 to 10 000 sweeps: R^2 of time", linear_in_sweeps(), 0.99);
    at_least("SpecShock T13", "512 cubes fall, time against contacts: R^2", linear_in_contacts(), 0.95);
    at_least("SpecShock T32", "2000 balls and a blade, erleben: times faster than real time",
             faster(swept_balls(2000, "erleben"), 500, true), 1);
    at_least("SpecShock T32", "the same, fast", faster(swept_balls(2000, "fast"), 500, true), 1);
    at_least("SpecShock T32", "silo of 3000 balls, erleben without shock",
             faster(silo(3000, kSiloMethod), 500), 1);
    at_least("SpecShock T32", "the same, fast", faster(silo(3000, "fast"), 500), 1);
    at_least("SpecShock T32", "tower of 640 bricks, erleben",
             faster(brick_tower(40, "erleben+sleep=off"), 300), 1);
    at_least("SpecShock T32", "the same, fast", faster(brick_tower(40, "fast"), 300), 1);
    const double plain = funnel_s("default+substeps=1+iterations=400"),
                 frozen = funnel_s("default+substeps=1+iterations=10+shock=on");
    at_least("SpecMultibody T30",
             "125 cubes in a funnel, one substep: 400 sweeps : 10 and freezing (text 5.5)", plain / frozen,
             3);
    const double coarse = tree_s(1e-3), fine = tree_s(1e-6);
    claims.list.push_back({"SpecMultibody T13", "the engine, tree of 255: time at 1e-6 : 1e-3", fine / coarse,
                           "at most 1.1", fine <= 1.1 * coarse});
    print_claims({claims.list.back()});
    at_least("SpecWorkbench T29", "AERO's pendulum of five balls: times faster than real time", cradle_gain(),
             100);
    at_least("SpecWorkbench T29", "a thousand mixed bodies fall into a heap, fast", faster(mixed_heap(), 300),
             1);
    const std::string file = results_folder() + "/claims.json";
    write_claims(claims, file);
    fmt::print("written: {}\n", file);
    return std::all_of(claims.list.begin(), claims.list.end(), [](const Claim& c) { return c.holds; }) ? 0
                                                                                                       : 1;
}

}  // namespace impuls
