// Study of multibody methods: ./impuls bench multibody [SECONDS [NOTE]]. The tree and the chain of Bender's
// text (chapter 3.6) by Lagrange multipliers (LU, Baraff) and his three solvers, the linear-time kernel
// alone, and those of his claims that are about time (tests T11, T13 to T17 of the multibody text). SECONDS
// of processor time is what a cell may take, 2 if not given; NOTE is kept with the results. These go to
// bench/results/<machine>/multibody.*.
#include <malloc.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "bench/columns.h"
#include "bench/multibody_results.h"
#include "bench/results.h"
#include "bench/studies.h"
#include "collision/moving_grains.h"
#include "reference/accelerations.h"
#include "reference/bender.h"
#include "solvers/articulated_tree.h"

namespace impuls {
namespace {

using namespace bench;
using reference::Bender;
using reference::Scenario;

constexpr double kTreeStep = 1.0 / 30, kChainStep = 0.01;
constexpr int kTreeSteps = 150, kChainSteps = 500;  // 5 s each

double work_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

Scenario tree_of(int joints) {
    Scenario s = reference::tree(static_cast<int>(std::lround(std::log2(joints + 1))));
    s.system.rods[0].torque = Vec3{0, 1, 1} * (10 / std::sqrt(2.0));  // across the top rod
    return s;
}

// Steps until all are done or the time is over; `step` returns the rounds of the position phase.
template <class Step>
MultibodyRow time_steps(Scenario& s, int steps, double budget_s, const Step& step) {
    MultibodyRow row;
    row.joints = static_cast<int>(s.system.joints.size());
    double rounds = 0, spent = 0;
    while (row.steps < steps && spent < 1e3 * budget_s) {
        const double began = work_ms();
        rounds += step(row.steps);
        spent += work_ms() - began;
        ++row.steps;
        row.gap = std::max(row.gap, largest_gap(s.system, s.start));
    }
    row.ms = spent / row.steps, row.rounds = rounds / row.steps;
    return row;
}

MultibodyRow time_bender(Bender::Solver solver, Scenario s, double h, double position, double velocity,
                         int steps, double budget_s, bool is_warm = false) {
    reference::BenderOptions options;
    options.h = h, options.position_tolerance = position, options.velocity_tolerance = velocity;
    options.has_warm_start = is_warm;
    Bender method(solver, s.system, options);
    MultibodyRow row = time_steps(s, steps, budget_s, [&](int) {
        const reference::BenderCounts counts = method.step(s.start);
        method.system().rods[0].torque = {};
        return counts.position + counts.foreseen;
    });
    row.method = solver == Bender::Solver::S1 ? "S1" : solver == Bender::Solver::S2 ? "S2" : "S3";
    if (is_warm) row.method += " warm";
    row.tolerance = position;
    return row;
}

// The fastest of three or more runs, as others may use the machine too.
template <class Run>
MultibodyRow fastest(double budget_s, const Run& run) {
    MultibodyRow best = run();
    double spent = best.ms * best.steps;
    for (int runs = 1; runs < 3 || spent < 250 * budget_s; ++runs) {
        const MultibodyRow row = run();
        spent += row.ms * row.steps;
        if (row.ms < best.ms) best = row;
    }
    return best;
}

// Multipliers at every stage of Runge-Kutta, joints held by Baumgarte's terms, in `parts` pieces a step.
MultibodyRow time_lagrange(bool is_baraff, Scenario s, int parts, double budget_s) {
    const reference::Baumgarte terms{10, 10};
    reference::BaraffTree baraff;
    MultibodyRow row = time_steps(s, kTreeSteps, budget_s, [&](int) {
        for (int k = 0; k < parts; ++k)
            step_runge_kutta(
                [&](const reference::States& now) {
                    return is_baraff ? baraff.accelerations(s.system, now, terms)
                                     : lagrange_dense(s.system, now, terms);
                },
                s.start, kTreeStep / parts);
        s.system.rods[0].torque = {};
        return 0;
    });
    row.method = is_baraff ? "Baraff" : "Lagrange LU";
    return row;
}

// Figures of the text: tables of its section 3.6.
double text_tree(const std::string& label, int joints) {
    struct Figure {
        const char* label;
        int joints;
        double ms;
    };
    for (const Figure& f :
         {Figure{"Lagrange LU", 31, 212.12}, Figure{"Baraff", 127, 35.29}, Figure{"S1 1e-06", 63, 54.25},
          Figure{"S1 1e-03", 127, 20.35}, Figure{"S2 1e-06", 127, 19.66}, Figure{"S2 1e-06", 255, 59.48},
          Figure{"S2 1e-03", 255, 57.72}, Figure{"S3 1e-06", 255, 13.7}})
        if (label == f.label && joints == f.joints) return f.ms;
    return 0;
}
double text_chain(const std::string& method, int joints) {
    if (method == "S1" && joints == 25) return 10;
    if (method == "S2" && joints == 60) return 2.5;
    return method == "S3" && joints == 60 ? 2 : 0;
}

void print_row(const MultibodyRow& row) {
    fmt::print("{:<6} {:<14} {:>5} joints {:>9} ms/step", row.experiment, row.label(), row.joints,
               digits(row.ms));
    if (row.text_ms > 0) fmt::print("  text {:>6} ({} x)", digits(row.text_ms), digits(row.text_ms / row.ms));
    fmt::print("  rounds {:.2f}, gap {:.1e} m, {} steps\n", row.rounds, row.gap, row.steps);
    std::fflush(stdout);
}

void tree_experiment(MultibodyResults& results) {
    const double budget = results.budget_s;
    const auto add = [&](const auto& run) {
        MultibodyRow row = fastest(budget, run);
        row.experiment = "tree";
        row.text_ms = text_tree(row.label(), row.joints);
        print_row(row);
        results.rows.push_back(row);
    };
    for (const int joints : {31, 63, 127, 255}) {
        const Scenario s = tree_of(joints);
        const auto add_bender = [&](Bender::Solver solver, double tolerance, bool is_warm = false) {
            add([&] {
                return time_bender(solver, s, kTreeStep, tolerance, tolerance, kTreeSteps, budget, is_warm);
            });
        };
        add([&] { return time_lagrange(false, s, 1, budget); });
        add([&] { return time_lagrange(true, s, 1, budget); });
        for (const double tolerance : {1e-3, 1e-4, 1e-6}) add_bender(Bender::Solver::S1, tolerance);
        for (const double tolerance : {1e-3, 1e-6}) add_bender(Bender::Solver::S2, tolerance);
        for (const double tolerance : {1e-3, 1e-6}) add_bender(Bender::Solver::S3, tolerance);
        for (const double tolerance : {1e-3, 1e-6}) add_bender(Bender::Solver::S3, tolerance, true);
    }
}

void chain_experiment(MultibodyResults& results) {
    for (const int joints : {1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 60})
        for (const Bender::Solver solver : {Bender::Solver::S1, Bender::Solver::S2, Bender::Solver::S3}) {
            MultibodyRow row = time_bender(solver, reference::chain(joints), kChainStep, 1e-6, 1e-3,
                                           kChainSteps, results.budget_s);
            row.experiment = "chain";
            row.text_ms = text_chain(row.method, joints);
            print_row(row);
            results.rows.push_back(row);
        }
}

// Median over repeats of the time of a call, in ns for each joint.
template <class Call>
double ns_each(int joints, const Call& call) {
    const int calls = std::max(1, 20000 / joints);
    std::vector<double> times;
    for (int repeat = 0; repeat < 15; ++repeat) {
        const double began = work_ms();
        for (int k = 0; k < calls; ++k) call();
        times.push_back(1e6 * (work_ms() - began) / calls / joints);
    }
    return median(times);
}

double heap_bytes() {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

KernelRow time_kernel(const char* shape, bool is_tree, int joints) {
    KernelRow row{shape, joints, 0, 0, 0};
    const double before = heap_bytes();
    ArticulatedTree kernel;
    for (int k = 0; k < joints; ++k) {
        const int parent = is_tree ? (k - 1) / 2 : k - 1;
        kernel.add(ArticulatedTree::Kind::Ball,
                   k == 0 ? ArticulatedTree::kNone : static_cast<std::uint32_t>(parent));
        ArticulatedTree::Link& link = kernel.links()[static_cast<std::size_t>(k)];
        const Quat q = from_axis_angle({1, 2, 3}, 0.37 * k);
        link.mass = 1, link.inertia = inertia(reference::box_rod(1, 1, 0.1), q);
        link.a = rotate(q, {-0.5, 0, 0}),
        link.p = rotate(from_axis_angle({1, 2, 3}, 0.37 * parent), {0.5, 0, 0});
        link.c = rotate(q, {0.1, 0.2, 0.3});
    }
    row.bytes = (heap_bytes() - before) / joints;
    row.factor_ns = ns_each(joints, [&] { kernel.factor(); });
    row.solve_ns = ns_each(joints, [&] { kernel.solve(); });
    return row;
}

void kernel_experiment(MultibodyResults& results) {
    for (const bool is_tree : {false, true})
        for (const int joints : {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}) {
            results.kernel.push_back(time_kernel(is_tree ? "tree" : "chain", is_tree, joints));
            const KernelRow& row = results.kernel.back();
            fmt::print("kernel {:<6} {:>6} joints: factor {:.1f} + solve {:.1f} ns, {:.0f} bytes a joint\n",
                       row.shape, joints, row.factor_ns, row.solve_ns, row.bytes);
        }
}

double ms_of(const MultibodyResults& results, const std::string& experiment, const std::string& label,
             int joints) {
    for (const MultibodyRow& row : results.rows)
        if (row.experiment == experiment && row.label() == label && row.joints == joints) return row.ms;
    return 0;
}

void kernel_claims(MultibodyResults& results) {
    for (const char* shape : {"chain", "tree"}) {
        std::vector<double> n, ns;
        double at_200 = 0, at_2000 = 0, bytes_low = 1e300, bytes_high = 0;
        for (const KernelRow& row : results.kernel) {
            if (row.shape != shape) continue;
            const double each = row.factor_ns + row.solve_ns;
            n.push_back(row.joints), ns.push_back(each * row.joints);
            if (row.joints == 200) at_200 = each;
            if (row.joints == 2000) at_2000 = each;
            bytes_low = std::min(bytes_low, row.bytes), bytes_high = std::max(bytes_high, row.bytes);
        }
        const double exponent = fitted_exponent(n, ns);
        results.claims.push_back({"T11", fmt::format("kernel, {}: exponent of time, 10 to 10 000", shape),
                                  exponent, "0.95 to 1.1", exponent >= 0.95 && exponent <= 1.1});
        results.claims.push_back({"T11", fmt::format("kernel, {}: time a joint, 2000 : 200", shape),
                                  at_2000 / at_200, "at most 1.5", at_2000 <= 1.5 * at_200});
        // Vectors grow by doubling.
        results.claims.push_back({"T11", fmt::format("kernel, {}: bytes a joint, most : least", shape),
                                  bytes_high / bytes_low, "at most 2.1", bytes_high <= 2.1 * bytes_low});
    }
}

// S2 at 127 joints: its matrix has 381 rows.
void factor_claim(MultibodyResults& results) {
    const Scenario s = tree_of(127);
    Bender method(Bender::Solver::S2, s.system, {});
    const std::vector<Vec3> wanted(127, Vec3{1, 2, 3});
    const double factor = ns_each(20000, [&] { method.factor(s.start); }),
                 solve = ns_each(2000, [&] { method.solve(wanted); }) / 10;
    results.claims.push_back({"T14", "S2, 381 rows: factorisation : solve (dense)", factor / solve,
                              "at least 10", factor >= 10 * solve});
}

void time_claims(MultibodyResults& results) {
    const auto tree = [&](const char* label, int joints = 255) {
        return ms_of(results, "tree", label, joints);
    };
    const auto finer = [&](const char* method) {
        return tree(fmt::format("{} 1e-06", method).c_str()) / tree(fmt::format("{} 1e-03", method).c_str());
    };
    const std::string about = "tree of 255: time at 1e-6 : 1e-3";
    const double dense = finer("S2"), linear = finer("S3 warm");
    results.claims.push_back({"T13", "S2, " + about, dense, "at most 1.1", dense <= 1.1});
    results.claims.push_back({"T13", fmt::format("S3 warm, {} (S3: {})", about, digits(finer("S3"))), linear,
                              "at most 1.1", linear <= 1.1});
    const double sweeps = tree("S1 1e-06") / tree("S1 1e-03");
    results.claims.push_back({"T13", "S1, " + about, sweeps, "at least 2", sweeps >= 2});
    const double baraff = tree("Baraff") / tree("S3 1e-06");
    results.claims.push_back(
        {"T15", "tree of 255: Baraff : S3, a step each (text 6)", baraff, "at least 3", baraff >= 3});
    // Baraff in as many pieces as its joints need to be as closed as those of S3.
    int parts = 1;
    MultibodyRow equal = time_lagrange(true, tree_of(255), parts, results.budget_s);
    while (equal.gap > 1e-6 && parts < 64)
        equal = time_lagrange(true, tree_of(255), parts *= 2, results.budget_s);
    results.claims.push_back({"T15",
                              fmt::format("the same with gaps of at most 1e-6 m, Baraff in {} pieces", parts),
                              equal.ms / tree("S3 1e-06"), "at least 3", equal.ms >= 3 * tree("S3 1e-06")});
    const double each = 1e3 * tree("S3 1e-06") / 255;
    results.claims.push_back(
        {"T16", "S3, tree of 255: microseconds a joint and step (text 54)", each, "at most 5", each <= 5});
    // The least chain from which on S3 is the fastest.
    int crossover = 0;
    for (const MultibodyRow& row : results.rows) {
        if (row.experiment != "chain" || row.method != "S3") continue;
        const bool is_first = row.ms <= ms_of(results, "chain", "S1 1e-06", row.joints) &&
                              row.ms <= ms_of(results, "chain", "S2 1e-06", row.joints);
        if (!is_first) crossover = 0;
        if (is_first && crossover == 0) crossover = row.joints;
    }
    results.claims.push_back({"T17", "chain: S3 is the fastest from so many joints on",
                              static_cast<double>(crossover), "at most 60", crossover > 0});
}

}  // namespace

int bench::multibody_study(int argc, char** argv) {
    MultibodyResults results;
    results.machine = machine_name(), results.date = today();
    results.budget_s = argc > 1 ? std::atof(argv[1]) : 2;
    if (argc > 2) results.note = argv[2];
    tree_experiment(results);
    chain_experiment(results);
    kernel_experiment(results);
    kernel_claims(results);
    factor_claim(results);
    time_claims(results);
    const bool holds = print_claims(results.claims);
    const std::string folder = results_folder();
    write_multibody(results, folder + "/multibody");
    write_multibody_charts(results, folder);
    fmt::print("written: {}/multibody.json, .csv, charts\n", folder);
    return holds ? 0 : 1;
}

}  // namespace impuls
