// Sums of rates against their definition; there is room for three bodies, and a fourth is noticed.
#include <gtest/gtest.h>

#include "dynamics/joint_rows.h"

namespace impuls {
namespace {

TEST(Rate, sums_body_by_body) {
    Nodes nodes;
    nodes.v = {{1, 2, 3}, {-1, 0, 4}, {0, 5, 0}};
    nodes.w = {{0, 1, 0}, {2, 0, -1}, {1, 1, 1}};
    const Rate x = Rate{}.add(0, {1, 0, 0}, {0, 2, 0}).add(2, {0, 3, 0}, {});
    const Rate y = Rate{}.add(1, {0, 0, 1}, {1, 0, 0}).add(2, {0, 1, 0}, {0, 0, 4});
    EXPECT_EQ(velocity_of(x, nodes), 1.0 + 2 + 15);
    EXPECT_EQ(velocity_of(y, nodes), 4.0 + 2 + 5 + 4);
    const Rate sum = Rate(x).add(y, -2);
    EXPECT_EQ(sum.count, 3u);
    EXPECT_EQ(velocity_of(sum, nodes), velocity_of(x, nodes) - 2 * velocity_of(y, nodes));
}

#ifdef IMPULS_ASSERTS
TEST(RateDeathTest, has_no_room_for_a_fourth_body) {
    Rate rate = Rate{}.add(0, {}, {}).add(1, {}, {}).add(2, {}, {});
    EXPECT_DEATH(rate.add(3, {}, {}),
                 "joint_rows.h:[0-9]+: count = 3 is not in \\[0, parts.size\\(\\) = 3\\)");
    EXPECT_DEATH(rate.add(Rate{}.add(4, {}, {}), 1), "joint_rows.h:[0-9]+: count = 3");
}
#endif

}  // namespace
}  // namespace impuls
