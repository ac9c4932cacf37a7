// Matching of contact points, and the numbers of the contact law.
#include "dynamics/contact.h"

#include <gtest/gtest.h>
#include <array>

#include <cmath>

namespace impuls {
namespace {

Manifold manifold(std::initializer_list<std::pair<std::uint32_t, Vec3>> points) {
    Manifold m;
    m.normal = {0, 1, 0};
    for (const auto& [feature, at] : points) m.points[m.count++] = {at, 0, feature};
    return m;
}

ContactPoints old_points() {
    ContactPoints list(2, ContactPoint{});
    list[0].feature = 7, list[0].position = {0, 0, 0}, list[0].previous_n = 1, list[0].sum = {0, 1, 0};
    list[1].feature = 9, list[1].position = {1, 0, 0}, list[1].previous_n = 2, list[1].sum = {0, 2, 0};
    for (auto& p : list) p.is_present = true;
    return list;
}

TEST(Contacts, points_of_the_same_feature_carry_their_impulses_on) {
    auto old = old_points();
    ContactPoints now;
    match_points({}, std::array{manifold({{9, {5, 0, 0}}, {7, {0.01, 0, 0}}})}, old, 0.1, now);
    ASSERT_EQ(now.size(), 2u);
    EXPECT_EQ(now[0].previous_n, 2);
    EXPECT_EQ(now[1].previous_n, 1);
}

TEST(Contacts, a_new_feature_takes_over_from_the_nearest_point_within_reach) {
    auto old = old_points();
    ContactPoints now;
    match_points({}, std::array{manifold({{1, {1.05, 0, 0}}, {2, {0.5, 0, 0}}})}, old, 0.1, now);
    EXPECT_EQ(now[0].previous_n, 2);
    EXPECT_EQ(now[1].previous_n, 0) << "too far from both";
    ASSERT_EQ(now.size(), 3u) << "the point that is gone stays for the impulse it gave";
    EXPECT_FALSE(now[2].is_present);
    EXPECT_EQ(now[2].sum, (Vec3{0, 1, 0}));
    EXPECT_EQ(now[2].previous_n, 0);
}

// A contact gave an impulse p along n and then turns by an angle: what it takes back along the new normal is
// at most p cos(angle), and its friction may change that. What faces the other way is another contact.
TEST(Contacts, what_turned_does_not_pull) {
    const auto after = [](double angle, double p, double friction) {
        std::vector<SubstepPoint> old(1), now;
        old[0].feature = 7;
        old[0].is_present = true;
        old[0].normal = {std::sin(angle), std::cos(angle), 0};
        old[0].impulse_n = p;
        old[0].impulse_t = Vec3{std::cos(angle), -std::sin(angle), 0} * friction;
        old[0].sum = old[0].normal * p + old[0].impulse_t;
        match_points({}, std::array{manifold({{7, {}}})}, old, 0.1, now);
        return now;
    };
    for (const double angle : {0.0, 0.1, 1.0})
        for (const double friction : {0.0, 0.25, -0.25}) {
            const auto now = after(angle, 2, friction);
            ASSERT_EQ(now.size(), 1u);
            // All that can be is taken back along the new normal; friction of the new point is across it.
            const double left = now[0].sum.y + now[0].least_n - now[0].impulse_n;
            EXPECT_GE(left, -1e-15) << angle << " " << friction;
            const double given = 2 * std::cos(angle) - friction * std::sin(angle);
            EXPECT_NEAR(now[0].least_n, std::max(0.0, 2 - given), 1e-15) << angle << " " << friction;
        }
    const auto flipped = after(2, 2, 0);
    ASSERT_EQ(flipped.size(), 2u);
    EXPECT_EQ(flipped[0].impulse_n, 0);
    EXPECT_FALSE(flipped[1].is_present);
    EXPECT_NEAR(length(flipped[1].sum), 2, 1e-15) << "and reports what it gave";
}

// v^2 = v0^2 + 2 a s.
TEST(Contacts, impact_speed_is_exact_for_constant_acceleration) {
    EXPECT_NEAR(impact_speed(0.5, -2, -9.81), std::sqrt(4 + 9.81), 1e-15);
    EXPECT_NEAR(impact_speed(0.5, 1, -9.81), std::sqrt(1 + 9.81), 1e-15) << "goes up first, comes back";
    EXPECT_EQ(impact_speed(-0.1, -3, -9.81), 3);
    EXPECT_EQ(impact_speed(-0.1, 3, -9.81), 0);
    EXPECT_EQ(impact_speed(0.5, 1, 1), 0) << "never meet";
}

}  // namespace
}  // namespace impuls
