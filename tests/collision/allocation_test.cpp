// Once warm, neither phase allocates.
#include <gtest/gtest.h>

#include <numeric>

#include "collision/broad/broad.h"
#include "collision/oracle.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

TEST(Allocation, NoneOnceWarm) {
    oracle::Rng rng(6);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 c = rng.direction() * rng.uniform(0, 6), h{0.2, 0.2, 0.2};
        boxes.push_back({c - h, c + h});
    }
    boxes.push_back(bounds(oracle::plane(), {}));
    std::vector<std::uint64_t> ids(boxes.size());
    std::iota(ids.begin(), ids.end(), 1);
    Executor executor(1);
    const std::unique_ptr<BroadPhase> phases[]{make_broad_phase(BroadPhaseKind::Tree),
                                               make_broad_phase(BroadPhaseKind::SweepAndPrune),
                                               make_broad_phase(BroadPhaseKind::Grid)};
    std::vector<Pair> out;
    // All boxes swing together, so that every phase has work in every call and ends where it began.
    const auto swing = [&](int k) {
        const Vec3 way{k % 4 < 2 ? 0.25 : -0.25, 0, 0};
        for (std::size_t i = 0; i + 1 < boxes.size(); i += 2) boxes[i].min += way, boxes[i].max += way;
        for (const auto& phase : phases) phase->find_pairs(boxes, ids, executor, out);
    };
    for (int k = 0; k < 80; ++k) swing(k);
    ASSERT_GT(out.size(), 3000u);

    const Collider shapes[] = {
        oracle::sphere(0.5),
        oracle::box({0.5, 0.4, 0.3}),
        oracle::capsule(0.2, 0.5),
        oracle::plane(),
        oracle::round(ColliderKind::Cylinder, 0.4, 0.5),
        oracle::round(ColliderKind::Cone, 0.4, 0.5),
        oracle::ellipsoid({0.3, 0.4, 0.5}),
        oracle::convex({{0.6, 0, 0}, {-0.5, 0.1, 0}, {0, 0.6, 0}, {0, 0, 0.5}, {0.1, -0.5, -0.4}})};
    const Pose X_WA{{0, 0, 0}, rng.orientation()}, X_WB{{0.2, 0.5, 0.1}, rng.orientation()};
    std::vector<Manifold> m;
    m.reserve(1);
    int points = 0;
    const long before = allocations;
    for (int k = 0; k < 8; ++k) swing(k);
    for (const Collider& a : shapes) {
        for (const Collider& b : shapes) {
            m.clear();
            points += collide(a, X_WA, b, X_WB, 0.1, m) ? m[0].count : 0;
        }
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(points, 15);
    { const std::vector<int> proof(100); }
    EXPECT_GE(allocations - before, 1);
}

}  // namespace
}  // namespace impuls
