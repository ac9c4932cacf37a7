// Once warm, neither phase allocates.
#include <gtest/gtest.h>

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
    Executor executor(1);
    GridBroadPhase grid;
    std::vector<Pair> out;
    grid.find_pairs(boxes, executor, out);
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
    for (int k = 0; k < 3; ++k) grid.find_pairs(boxes, executor, out);
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
