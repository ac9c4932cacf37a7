// One solve of one problem by each solver: a chain of joints, and a column of boxes on four points each. The
// counters say how well it is solved (complementarity error, m/s) and how many rounds that took.
#include <benchmark/benchmark.h>

#include "solvers/direct.h"
#include "solvers/random_problems.h"

namespace impuls {
namespace {
using namespace test;

Problem chain(int n) {
    Random random(1);
    Problem p;
    add_static(p);
    for (int k = 0; k < n; ++k) {
        const auto body = add_body(p, random);
        add_joint(p, random, body - 1, body, 3);
    }
    return p;
}

Problem boxes(int n) {
    Problem p;
    add_static(p);
    for (int k = 0; k < n; ++k) {
        const auto body = add_node(p, 1, {0, -0.1, 0}, diagonal({6, 6, 6}));
        for (int corner = 0; corner < 4; ++corner) {
            const Vec3 r{corner % 2 ? 0.5 : -0.5, -0.5, corner < 2 ? 0.5 : -0.5};
            const auto c = p.contacts.add(body - 1, body, {0, 1, 0}, Vec3{r.x, body > 1 ? 0.5 : 0, r.z}, r);
            p.contacts.friction[c] = 0.5;
        }
    }
    return p;
}

constexpr std::uint32_t kSpheres = 120;

// Without the limit that hands large problems over.
std::unique_ptr<ProblemSolver> solver_for_all(Solver kind) {
    if (kind == Solver::Direct) return std::make_unique<DirectSolver>(4, std::size_t{100000});
    return make_solver(kind);
}

void solve(benchmark::State& state, Solver kind, const Problem& start) {
    auto solver = make_solver(kind);
    Problem p;
    SolveResult result;
    for (auto _ : state) {
        p = start;
        result = solver->solve(p, {50, 1e-9});
    }
    state.counters["rounds"] = result.iterations;
    state.counters["error"] = complementarity_error(p, solver->friction_set());
    state.counters["fell_back"] = result.fell_back;
}

// 120 spheres in dimples, each with its contacts alone (SpecShock T2): to be compared with all of them as one
// group.
void solve_apart(benchmark::State& state, Solver kind) {
    const auto solver = solver_for_all(kind);
    const Problem all = spheres_in_dimples(kSpheres);
    std::vector<Problem> groups, work;
    for (std::uint32_t k = 1; k <= kSpheres; ++k) groups.push_back(sphere_alone(all, k));
    for (auto _ : state) {
        work = groups;
        for (Problem& p : work) solver->solve(p, {50, 1e-9});
    }
}
void solve_together(benchmark::State& state, Solver kind) {
    const auto solver = solver_for_all(kind);
    const Problem all = spheres_in_dimples(kSpheres);
    for (auto _ : state) {
        Problem p = all;
        solver->solve(p, {50, 1e-9});
    }
}
BENCHMARK_CAPTURE(solve_apart, direct, Solver::Direct)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_together, direct, Solver::Direct)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_apart, pgs, Solver::Pgs)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_together, pgs, Solver::Pgs)->Unit(benchmark::kMillisecond);

[[maybe_unused]] const bool kRegistered = [] {
    for (std::size_t k = 0; k < EnumNames<Solver>::names.size(); ++k) {
        const auto kind = static_cast<Solver>(k);
        const std::string name = std::string("solve/") + EnumNames<Solver>::names[k];
        for (const int n : {10, 100})
            benchmark::RegisterBenchmark((name + "/chain" + std::to_string(n)).c_str(), solve, kind,
                                         chain(n));
        for (const int n : {2, 10})
            benchmark::RegisterBenchmark((name + "/boxes" + std::to_string(n)).c_str(), solve, kind,
                                         boxes(n));
    }
    return true;
}();

}  // namespace
}  // namespace impuls
