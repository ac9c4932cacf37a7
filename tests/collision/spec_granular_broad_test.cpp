// Spec tests of sweep and prune: granular T5 (growth of swaps; times are in bench/broad_phase.cpp), T6, T7,
// T30, multibody T32.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "collision/broad/insertion_sort.h"
#include "collision/broad/sweep_and_prune.h"
#include "collision/moving_grains.h"
#include "support/full_size.h"

namespace impuls {
namespace {

// Mean swaps a step along each axis.
std::array<double, 3> swaps_of(MovingGrains& grains, SweepAndPrune& phase, int steps) {
    Executor executor(1);
    std::vector<Pair> out;
    phase.find_pairs(grains.boxes, grains.ids, executor, out);
    std::array<double, 3> sum{};
    for (int k = 0; k < steps; ++k) {
        grains.step();
        phase.find_pairs(grains.boxes, grains.ids, executor, out);
        for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += double(phase.swaps()[axis]) / steps;
    }
    return sum;
}

TEST(SpecGranular, T5_swaps_grow_with_five_thirds_in_a_cube_and_two_in_a_channel) {
    std::vector<double> n, cube, channel, lengthwise;
    for (const int edge : is_long() ? std::vector{10, 16, 25, 32} : std::vector{8, 12, 18}) {
        const int count = edge * edge * edge;
        MovingGrains in_cube(count, edge, edge, 1e-3, 1), in_channel(count, 6, 6, 1e-3, 2);
        SweepAndPrune a, b;
        const auto sa = swaps_of(in_cube, a, 20), sb = swaps_of(in_channel, b, 20);
        n.push_back(count), cube.push_back(sa[0] + sa[1] + sa[2]);
        channel.push_back(sb[0] + sb[1]), lengthwise.push_back(sb[2]);
    }
    EXPECT_NEAR(fitted_exponent(n, cube), 5.0 / 3, 0.08);
    EXPECT_NEAR(fitted_exponent(n, channel), 2, 0.08);
    EXPECT_NEAR(fitted_exponent(n, lengthwise), 1, 0.08);
}

TEST(SpecGranular, T6_incremental_sweep_is_exact) {
    const int steps = is_long() ? 10000 : 300;
    Executor executor(1);
    SweepAndPrune phase;
    MovingGrains grains(998, 10, 10, 0.05, 6);
    std::vector<Pair> out, expected;
    std::uint64_t swaps = 0, changes = 0;
    std::size_t before = 0;
    for (int step = 0; step < steps; ++step) {
        grains.step();
        auto boxes = grains.boxes;
        auto ids = grains.ids;
        // Ties: every seventh on whole numbers; containment: one box around all, one inside another.
        for (std::size_t i = 0; i < boxes.size(); i += 7)
            for (int k = 0; k < 3; ++k)
                boxes[i].min[k] = std::floor(boxes[i].min[k]), boxes[i].max[k] = boxes[i].min[k] + 1;
        boxes.push_back({{-5, -5, -5}, {20, 20, 20}}), ids.push_back(998);
        const Aabb outer = boxes[500];
        boxes.push_back({outer.min * 0.75 + outer.max * 0.25, outer.min * 0.25 + outer.max * 0.75});
        ids.push_back(999);
        phase.find_pairs(boxes, ids, executor, out);
        find_pairs_brute_force(boxes, expected);
        ASSERT_EQ(out, expected) << step;
        for (const std::uint64_t s : phase.swaps()) swaps += s;
        changes += expected.size() != before;
        before = expected.size();
    }
    EXPECT_GT(swaps, 1000u * static_cast<unsigned>(steps));
    EXPECT_GT(changes, static_cast<unsigned>(steps) / 2);
}

TEST(SpecGranular, T7_settled_heap_is_cheapest) {
    MovingGrains grains(4096, 16, 16, 0.05, 7);
    SweepAndPrune phase;
    const auto pouring = swaps_of(grains, phase, 10);
    // The heap comes to rest: speeds fall to what is left of jitter.
    grains.speed = 1e-3;
    const auto resting = swaps_of(grains, phase, 10);
    const auto sum = [](const auto& s) { return s[0] + s[1] + s[2]; };
    EXPECT_GT(sum(resting), 0);
    EXPECT_LE(sum(resting), 0.01 * sum(pouring));
    grains.speed = 0;
    const auto still = swaps_of(grains, phase, 10);
    EXPECT_EQ(sum(still), 0);
}

struct SortCounts {
    double comparisons = 0, moves = 0;
};

SortCounts count_sort(std::vector<double> values) {
    SortCounts counts;
    const auto before = [&](double a, double b) { return ++counts.comparisons, a < b; };
    auto expected = values;
    std::sort(expected.begin(), expected.end());
    counts.moves = double(insertion_sort(std::span<double>(values), before, [](double, double) {}));
    EXPECT_EQ(values, expected);
    return counts;
}

TEST(SpecGranular, T30_insertion_sort_counts) {
    constexpr int n = 2000;
    constexpr double nn = double(n) * n;
    Rng rng(30, 0);
    SortCounts random{}, nearly{};
    constexpr int kRuns = 10;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> a(n), b(n);
        for (int i = 0; i < n; ++i)
            a[std::size_t(i)] = rng.uniform(), b[std::size_t(i)] = i + rng.uniform(-2, 2);
        const SortCounts ca = count_sort(a), cb = count_sort(b);
        random.comparisons += ca.comparisons / kRuns, random.moves += ca.moves / kRuns;
        nearly.comparisons += cb.comparisons / kRuns, nearly.moves += cb.moves / kRuns;
    }
    // Random: N^2 / 4 (the spec's own run gave 0.255); reversed: N^2 / 2; nearly sorted: 1.44 N and 0.44 N.
    EXPECT_NEAR(random.comparisons / nn, 0.25, 0.03 * 0.25);
    EXPECT_NEAR(random.moves / nn, 0.25, 0.03 * 0.25);
    EXPECT_NEAR(nearly.comparisons / n, 1.44, 0.03 * 1.44);
    EXPECT_NEAR(nearly.moves / n, 0.44, 0.03 * 0.44);
    std::vector<double> reversed(n), sorted(n);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::copy(sorted.rbegin(), sorted.rend(), reversed.begin());
    EXPECT_NEAR(count_sort(reversed).comparisons / nn, 0.5, 0.03 * 0.5);
    EXPECT_EQ(count_sort(reversed).moves, n * (n - 1) / 2);
    EXPECT_EQ(count_sort(sorted).comparisons, n - 1);
    EXPECT_EQ(count_sort(sorted).moves, 0);
}

TEST(SpecGranular, T30_nearly_sorted_grows_linearly) {
    Rng rng(31, 0);
    std::vector<double> sizes, work;
    for (int n = 1000; n <= 64000; n *= 2) {
        std::vector<double> values;
        for (int i = 0; i < n; ++i) values.push_back(i + rng.uniform(-2, 2));
        const SortCounts counts = count_sort(values);
        sizes.push_back(n), work.push_back(counts.comparisons + counts.moves);
    }
    EXPECT_LE(fitted_exponent(sizes, work), 1.05);
}

// A stack of n grains that moves as a whole and jitters: neighbours change places along the stack only.
TEST(SpecMultibody, T32_swaps_of_a_moving_stack_are_linear) {
    std::vector<double> sizes, swaps;
    for (int n = 250; n <= (is_long() ? 16000 : 4000); n *= 2) {
        MovingGrains grains(n, 1, 1, 0.1, 32);
        for (std::size_t i = 0; i < grains.home.size(); ++i) grains.home[i] = {0, 1.2 * double(i), 0};
        SweepAndPrune phase;
        Executor executor(1);
        std::vector<Pair> out;
        double along = 0;
        for (int k = 0; k < 40; ++k) {
            for (Vec3& at : grains.home) at += Vec3{0.1, 0.3, 0};
            grains.step();
            phase.find_pairs(grains.boxes, grains.ids, executor, out);
            along += double(phase.swaps()[1]);
        }
        sizes.push_back(n), swaps.push_back(along);
    }
    EXPECT_GT(swaps[0], 100);
    EXPECT_NEAR(fitted_exponent(sizes, swaps), 1, 0.05);
}

}  // namespace
}  // namespace impuls
