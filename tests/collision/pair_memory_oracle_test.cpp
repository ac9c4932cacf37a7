// What a slot of the pair cache remembers, against calls with a new one: bodies that wander about each other.
#include <gtest/gtest.h>

#include "collision/graph/pair_cache.h"
#include "collision/random_pairs.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

using namespace oracle;

// What a slot remembers of a pair, along which direction it was apart and where it was near, saves work and
// changes no answer: bodies that wander about each other, asked with a kept slot and with a new one.
struct Wander {
    Sample s;
    Rng& rng;
    std::uint64_t calls = 0, fresh_calls = 0;
    int near = 0;

    void move() {
        const double far = reach(s.a.shape) + reach(s.b.shape);
        const Vec3 step = rng.direction(), axis = rng.direction();
        const Vec3 back = s.a.pose.position - s.b.pose.position;
        const double pull = length(back) > 1.1 * far ? 0.02 : length(back) < 0.7 * far ? -0.02 : 0;
        s.b.pose.position += step * 0.02 + back * pull;
        s.b.pose.orientation =
            normalized(Quat{1, 0.01 * axis.x, 0.01 * axis.y, 0.01 * axis.z} * s.b.pose.orientation);
    }
    void compare(double margin, PairCache::Slot& kept) {
        PairCache::Slot fresh;
        std::vector<Manifold> expected, found;
        const bool is_near = is_within(s.a.shape, s.a.pose, s.b.shape, s.b.pose, 2 * margin, fresh, expected);
        ASSERT_EQ(is_within(s.a.shape, s.a.pose, s.b.shape, s.b.pose, 2 * margin, kept, found), is_near);
        near += is_near;
        contacts_between(s.a.shape, s.a.pose, s.b.shape, s.b.pose, margin, fresh, expected);
        contacts_between(s.a.shape, s.a.pose, s.b.shape, s.b.pose, margin, kept, found);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t m = 0; m < found.size(); ++m) {
            ASSERT_EQ(found[m].count, expected[m].count);
            for (int i = 0; i < found[m].count; ++i)
                ASSERT_EQ(found[m].points[static_cast<std::size_t>(i)].position,
                          expected[m].points[static_cast<std::size_t>(i)].position);
        }
        fresh_calls += fresh.calls;
    }
    void go(int steps) {
        PairCache::Slot kept;
        for (int k = 0; k < steps && !testing::Test::HasFatalFailure(); ++k) {
            move();
            compare(k % 3 == 0 ? 0.1 : 0.05, kept);
        }
        calls = kept.calls;
    }
};

TEST(PairCache, remembered_directions_and_points_change_no_answer) {
    constexpr ColliderKind kinds[] = {ColliderKind::Sphere,   ColliderKind::Box,  ColliderKind::Capsule,
                                      ColliderKind::Cylinder, ColliderKind::Cone, ColliderKind::Ellipsoid,
                                      ColliderKind::Convex,   ColliderKind::Plane};
    Rng rng(41);
    std::uint64_t calls = 0, fresh_calls = 0;
    int near = 0, all = 0;
    for (const ColliderKind ka : kinds)
        for (const ColliderKind kb : kinds) {
            if (!has_narrow_phase(ka, kb)) continue;
            const int count = kSlowBuild ? 100 : 500;
            Wander wander{random_sample(ka, kb, rng), rng};
            wander.go(count);
            ASSERT_FALSE(HasFatalFailure());
            all += count;
            near += wander.near;
            calls += wander.calls;
            fresh_calls += wander.fresh_calls;
        }
    EXPECT_GT(near, all / 10);
    EXPECT_LT(near, all * 9 / 10);
    EXPECT_LT(calls, fresh_calls * 3 / 4) << "nothing was saved";
}

// Contact points beside an edge are points of neither body: remembered as such, they would show boxes to be
// near that a fresh call finds apart. Few places of few shapes tell; so many are tried.
TEST(PairCache, points_beside_an_edge_are_not_remembered) {
    Rng rng(43);
    for (const ColliderKind ka : {ColliderKind::Box, ColliderKind::Convex})
        for (const ColliderKind kb : {ColliderKind::Box, ColliderKind::Convex})
            for (int k = 0; k < (kSlowBuild ? 5 : 25); ++k) {
                Wander wander{random_sample(ka, kb, rng), rng};
                wander.go(200);
                ASSERT_FALSE(HasFatalFailure()) << "sample " << k;
            }
}

}  // namespace
}  // namespace impuls
