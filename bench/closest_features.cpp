// Closest-feature study: two equal bodies 1.8 sqrt(3) apart turn about x and y by 1e-3 rad a query, 100 000
// queries for 4 to 462 vertices. Shares of queries by cycles, time a query of the tracker, of GJK warm and
// cold, and of separating axes with a cached axis; for small bodies brute force over all feature pairs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies.h"
#include "collision/convex/closest_features.h"
#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/polyhedron_oracle.h"
#include "geometry/grains.h"

namespace impuls {
namespace {

constexpr int kQueries = 100'000;
constexpr int kRepeats = 5;

struct Row {
    int vertices = 0;
    std::array<int, 7> cycles{};                                   // 1 to 6, and more
    double features = 0, warm = 0, cold = 0, axes = 0, brute = 0;  // ns a query
};

std::vector<Pose> poses() {
    std::vector<Pose> out;
    for (int k = 0; k < kQueries; ++k) {
        const Pose X_WA{{}, from_axis_angle({1, 0, 0}, 1e-3 * k)};
        const Pose X_WB{{1.8, 1.8, 1.8}, from_axis_angle({0, 1, 0}, 1e-3 * k)};
        out.push_back(relative_pose(X_WA, X_WB));
    }
    return out;
}

// Processor time of this thread, which other programs on the machine disturb less.
double cpu_nanoseconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

// Least time a query of several passes over every `stride`-th pose: the others are disturbed by the machine.
template <class Query>
double nanoseconds(const std::vector<Pose>& all, std::size_t stride, int repeats, const Query& query) {
    double best = 1e300;
    volatile double sink = 0;
    for (int k = 0; k < repeats; ++k) {
        double sum = 0;
        const double start = cpu_nanoseconds();
        for (std::size_t i = 0; i < all.size(); i += stride) sum += query(all[i]);
        const double t = cpu_nanoseconds() - start;
        sink = sum;
        best = std::min(best, t / static_cast<double>((all.size() + stride - 1) / stride));
    }
    static_cast<void>(sink);
    return best;
}

Row measure(int vertices, const std::vector<Pose>& all) {
    Row row{vertices};
    const Polyhedron grain = make_grain(vertices);
    const PolyhedronView view = grain.view();
    const Collider collider = oracle::convex_collider(grain);
    const ConvexCore core = convex_core(collider);
    FeaturePair pair;
    for (const Pose& X : all) {
        const int n = closest_features(view, view, X, pair).cycles;
        ++row.cycles[static_cast<std::size_t>(std::min(n, 7) - 1)];
    }
    row.features = nanoseconds(all, 1, kRepeats,
                               [&](const Pose& X) { return closest_features(view, view, X, pair).distance; });
    GjkCache gjk_cache;
    row.warm = nanoseconds(all, 1, kRepeats,
                           [&](const Pose& X) { return closest_points(core, core, X, &gjk_cache).distance; });
    row.cold =
        nanoseconds(all, 5, kRepeats, [&](const Pose& X) { return closest_points(core, core, X).distance; });
    SatCache sat_cache;
    row.axes = nanoseconds(all, 1, kRepeats, [&](const Pose& X) {
        return separating_axis(view, view, X, 0, &sat_cache).separated ? 1.0 : 0.0;
    });
    if (vertices <= 12)
        row.brute = nanoseconds(all, 100, 2, [&](const Pose& X) {
            return oracle::brute_distance({grain, {}}, {grain, X});
        });
    return row;
}

void print_table(const std::vector<Row>& rows) {
    fmt::print("{:>4} {:>8} {:>6} {:>6} {:>5} {:>5} {:>5} {:>5} | {:>8} {:>8} {:>8} {:>8} {:>9} {:>7}\n", "V",
               "1 cycle", "2", "3", "4", "5", "6", "more", "features", "gjk warm", "gjk cold", "axis",
               "brute", "ratio");
    for (const Row& r : rows) {
        const auto& c = r.cycles;
        fmt::print(
            "{:>4} {:>7.3f}% {:>6} {:>6} {:>5} {:>5} {:>5} {:>5} | {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} ",
            r.vertices, 100.0 * c[0] / kQueries, c[1], c[2], c[3], c[4], c[5], c[6], r.features, r.warm,
            r.cold, r.axes);
        if (r.brute > 0) fmt::print("{:>9.0f} {:>7.0f}", r.brute, r.brute / r.features);
        fmt::print("\n");
    }
}

void print_json(const std::vector<Row>& rows) {
    std::string out = "{\"queries\": " + std::to_string(kQueries) + ", \"rows\": [";
    for (const Row& r : rows) {
        out += fmt::format("{}\n {{\"vertices\": {}, \"cycles\": [{}], \"features_ns\": {:.1f}, ",
                           &r == rows.data() ? "" : ",", r.vertices, fmt::join(r.cycles, ", "), r.features);
        out += fmt::format("\"gjk_warm_ns\": {:.1f}, \"gjk_cold_ns\": {:.1f}, \"axis_ns\": {:.1f}, ", r.warm,
                           r.cold, r.axes);
        out += fmt::format("\"brute_ns\": {:.1f}}}", r.brute);
    }
    fmt::print("{}]}}\n", out);
}

}  // namespace

int bench::closest_feature_study(int argc, char** argv) {
    const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
    const auto all = poses();
    std::vector<Row> rows;
    for (const int vertices : grain_vertex_counts()) rows.push_back(measure(vertices, all));
    double low = 1e300, high = 0, share = 1;
    for (const Row& r : rows) {
        low = std::min(low, r.features), high = std::max(high, r.features);
        share = std::min(share, static_cast<double>(r.cycles[0]) / kQueries);
    }
    const double ratio = rows.back().features / rows.front().features;
    const double four = rows[0].brute / rows[0].features, twelve = rows[2].brute / rows[2].features;
    const bool holds = share >= 0.97 && ratio <= 1.5 && four >= 20 && twelve >= 400;
    if (json)
        print_json(rows);
    else
        print_table(rows);
    fmt::print(
        stderr,
        "one cycle >= {:.3f} % (bar 97); 462 : 4 vertices {:.2f} (bar 1.5); slowest : fastest {:.2f}; brute "
        "force {:.0f} x for 4 (bar 20), {:.0f} x for 12 (bar 400)\n",
        100 * share, ratio, high / low, four, twelve);
    return holds ? 0 : 1;
}

}  // namespace impuls
