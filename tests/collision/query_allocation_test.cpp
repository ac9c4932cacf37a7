// Overlaps, rays and times of impact of colliders take no memory once warm.
#include <gtest/gtest.h>

#include "collision/ray/ray.h"
#include "collision/sweep/time_of_impact.h"
#include "geometry/overlap.h"
#include "geometry/overlap_bodies.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

TEST(Allocation, QueriesTakeNoneOnceWarm) {
    const Polyhedron a = overlap_bodies::grain(62, 1), b = overlap_bodies::icosahedron();
    const Collider box{ColliderKind::Box, {0.5, 0.4, 0.3}, 0, 0.3, {}},
        ball{ColliderKind::Sphere, {1, 1, 1}, 1, 1, {}};
    OverlapFinder finder;
    Overlap o;
    int hits = 0;
    long before = 0;
    for (int round = 0; round < 2; ++round) {
        before = allocations;
        for (int k = 0; k < 20; ++k) {
            hits += finder.find(a.view(), b.view(),
                                {{0.1 * k, 0.3, 0.2}, normalized(Quat{1, 0.1 * k, 0.2, 0})}, o);
            finder.trace_line();
        }
        hits += ray_cast({{5, 0, 0}, {-1, 0, 0}}, box, {}).hit;
        hits +=
            time_of_impact(box, {{}, {}, {1, 2, 3}}, ball, {{{9, 0, 0}, {}}, {-9, 0, 0}, {}}, 1, 1e-4).hit();
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(hits, 24);
}

}  // namespace
}  // namespace impuls
