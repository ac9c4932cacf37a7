// Every broad phase against brute force, from scratch: clouds of very different sizes, one spot, far away,
// planes, threads, scale. With memory: broad_coherence_test.cpp.
#include "collision/broad/broad.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/oracle.h"

namespace impuls {
namespace {

Aabb cube_at(const Vec3& centre, double half) {
    const Vec3 h{half, half, half};
    return {centre - h, centre + h};
}

std::vector<Aabb> cloud(std::size_t n, double world, double smallest, double octaves, std::uint64_t seed) {
    oracle::Rng rng(seed);
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 c{rng.uniform(-world, world), rng.uniform(-world, world), rng.uniform(-world, world)};
        const auto edge = [&] { return smallest * std::exp2(rng.uniform(0, octaves)); };
        const Vec3 h{edge(), edge(), edge()};
        boxes.push_back({c - h, c + h});
    }
    return boxes;
}

constexpr BroadPhaseKind kFast[]{BroadPhaseKind::Tree, BroadPhaseKind::SweepAndPrune, BroadPhaseKind::Grid};

std::vector<std::uint64_t> ids_of(const std::vector<Aabb>& boxes) {
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i) ids.push_back(10 + 3 * i);
    return ids;
}

// By all fast phases, which must agree.
std::vector<Pair> by_phases(const std::vector<Aabb>& boxes) {
    Executor executor(1);
    std::vector<std::vector<Pair>> results;
    for (const BroadPhaseKind kind : kFast) {
        std::vector<Pair> out{{7, 8}};
        make_broad_phase(kind)->find_pairs(boxes, ids_of(boxes), executor, out);
        results.push_back(out);
        EXPECT_EQ(results.back(), results.front()) << static_cast<int>(kind);
    }
    return results.front();
}

std::vector<Pair> by_force(const std::vector<Aabb>& boxes) {
    std::vector<Pair> out{{7, 8}};
    find_pairs_brute_force(boxes, out);
    return out;
}

TEST(BroadPhase, BruteForceFindsTheOverlaps) {
    const std::vector<Aabb> boxes{cube_at({0, 0, 0}, 1), cube_at({3, 0, 0}, 1), cube_at({2, 0, 0}, 1),
                                  cube_at({0, 0, 2.5}, 1)};
    EXPECT_EQ(by_force(boxes), (std::vector<Pair>{{0, 2}, {1, 2}}));  // touching counts
}

TEST(BroadPhase, EqualsBruteForceOnClouds) {
    std::size_t pairs = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        for (const double octaves : {0.0, 1.0, 4.0, 12.0}) {
            const auto boxes = cloud(seed * 17, 3, 0.02, octaves, seed);
            const auto expected = by_force(boxes);
            ASSERT_EQ(by_phases(boxes), expected) << seed << " " << octaves;
            pairs += expected.size();
        }
    }
    EXPECT_GT(pairs, 10000u);
}

TEST(BroadPhase, SameForAnyNumberOfThreadsAndWhenReused) {
    Executor one(1), two(2), three(3);
    const std::unique_ptr<BroadPhase> phases[]{make_broad_phase(kFast[0]), make_broad_phase(kFast[1]),
                                               make_broad_phase(kFast[2])};
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const auto boxes = cloud(1500 * seed, 8, 0.1, 3, seed);
        const auto expected = by_force(boxes);
        std::vector<Pair> out;
        for (Executor* executor : {&one, &two, &three})
            for (const auto& phase : phases) {
                phase->find_pairs(boxes, ids_of(boxes), *executor, out);
                ASSERT_EQ(out, expected);
            }
    }
}

TEST(BroadPhase, BoxesOnALatticeTouchExactly) {
    // Faces, edges and corners meet exactly on cell borders.
    for (const double pitch : {1.0, 0.1, 1.0 / 3}) {
        std::vector<Aabb> boxes;
        for (int i = 0; i < 6 * 6 * 6; ++i) {
            const Vec3 min = Vec3{double(i % 6 - 3), double(i / 6 % 6 - 3), double(i / 36 - 3)} * pitch;
            boxes.push_back({min, min + Vec3{pitch, pitch, pitch}});
        }
        ASSERT_EQ(by_phases(boxes), by_force(boxes));
    }
}

TEST(BroadPhase, EmptySinglePlanesAndEmptyBoxes) {
    EXPECT_TRUE(by_phases({}).empty());
    EXPECT_TRUE(by_phases({cube_at({}, 1)}).empty());
    const double inf = std::numeric_limits<double>::infinity();
    const Aabb all{{-inf, -inf, -inf}, {inf, inf, inf}}, half{{-inf, -inf, -inf}, {inf, 0, inf}};
    EXPECT_EQ(by_phases({all, all}), (std::vector<Pair>{{0, 1}}));
    const std::vector<Aabb> boxes{
        cube_at({0, 2, 0}, 1), all,           cube_at({0, -2, 0}, 1), Aabb{}, half, cube_at({0, 2, 1}, 1),
        cube_at({}, 0),        cube_at({}, 0)};
    EXPECT_EQ(by_phases(boxes), by_force(boxes));
    const std::vector<Aabb> points(5, cube_at({1, 2, 3}, 0));
    EXPECT_EQ(by_phases(points).size(), 10u);
}

TEST(BroadPhase, AllAtOneSpotAndFarAway) {
    std::vector<Aabb> boxes(300, cube_at({5, 5, 5}, 0.5));
    EXPECT_EQ(by_phases(boxes), by_force(boxes));
    oracle::Rng rng(4);
    boxes.clear();
    for (int i = 0; i < 400; ++i) {
        const double far = std::exp2(rng.uniform(0, 1000)) * (i % 2 ? 1 : -1);
        boxes.push_back(cube_at(rng.direction() * far, 0.5));
        boxes.push_back({boxes.back().min + Vec3{0.25, 0, 0}, boxes.back().max + Vec3{0.25, 0, 0}});
    }
    EXPECT_EQ(by_phases(boxes), by_force(boxes));
    for (const double offset : {1e9, 1e12, 1e15}) {
        auto moved = cloud(500, 5, 0.1, 2, 6);
        for (Aabb& b : moved) b.min += Vec3{offset, -offset, offset}, b.max += Vec3{offset, -offset, offset};
        EXPECT_EQ(by_phases(moved), by_force(moved));
    }
}

TEST(BroadPhase, ScalingByPowersOfTwoChangesNothing) {
    const auto boxes = cloud(800, 4, 0.05, 5, 12);
    for (const double s : {0x1p7, 0x1p-7}) {
        auto scaled = boxes;
        for (Aabb& b : scaled) b.min *= s, b.max *= s;
        EXPECT_EQ(by_phases(scaled), by_phases(boxes));
    }
}

}  // namespace
}  // namespace impuls
