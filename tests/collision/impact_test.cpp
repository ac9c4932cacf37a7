// Times of impact against closed forms: spheres, planes, a turning rod, bullets; misses and first overlaps.
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "collision/sweep/time_of_impact.h"

namespace impuls {
namespace {

Collider ball(double r) {
    return {ColliderKind::Sphere, {r, r, r}, r, r, {}};
}
Collider block(const Vec3& half) {
    return {ColliderKind::Box, half, 0, std::min({half.x, half.y, half.z}), {}};
}
Collider rod(double r, double half_length) {
    return {ColliderKind::Capsule, {r, half_length, r}, r, r, {}};
}
Collider ground() {
    return {ColliderKind::Plane, {}, 0, 0, {}};
}

SteadyMotion moving(const Vec3& at, const Vec3& velocity, const Vec3& spin = {}) {
    return {{at, {}}, velocity, spin};
}

// Both methods: never later than the truth, and at most target / closing speed earlier.
void expect_touch(const Collider& a, const SteadyMotion& ma, const Collider& b, const SteadyMotion& mb,
                  double end, double target, double truth, double closing) {
    const ImpactAt i = time_of_impact(a, ma, b, mb, end, target);
    EXPECT_EQ(i.kind, Impact::Kind::Touch);
    EXPECT_LE(i.t, truth);
    EXPECT_GE(i.t, truth - 1.001 * target / closing);
    EXPECT_GE(i.points.distance, 0.499 * target);
    EXPECT_LE(i.points.distance, target);
    const ImpactAt j = time_of_impact_by_bisection(a, ma, b, mb, end, target);
    EXPECT_EQ(j.kind, Impact::Kind::Touch);
    EXPECT_LE(j.t, truth);
    EXPECT_GE(j.t, truth - 2.1 * target / closing);
    EXPECT_LE(j.points.distance, target * 1.000001);
}

TEST(Impact, SphereOnPlane) {
    const double h = 1 / 60.0;
    expect_touch(ground(), {}, ball(0.1), moving({0, 2.1, 0}, {3, -300, 1}), h, 1e-4, 2.0 / 300, 300);
    // A plane that comes up and turns about its normal.
    const SteadyMotion lift = moving({0, 0, 0}, {0, 100, 0}, {0, 7, 0});
    expect_touch(ground(), lift, ball(0.1), moving({0.3, 1.1, 0}, {}), 0.1, 1e-4, 0.01, 100);
}

TEST(Impact, SpheresThatBothMove) {
    Rng rng(2, 2);
    int hits = 0;
    for (int k = 0; k < 500; ++k) {
        const auto any = [&] { return rotate(rng.rotation(), {0, 0, 1}); };
        const Vec3 p = any() * rng.uniform(1, 5), v = any() * rng.uniform(1, 40),
                   w = v - normalized(p + any() * 0.6) * rng.uniform(1, 60);
        // |p + (w - v) t| = 0.3 + 0.2
        const Vec3 u = w - v;
        const double a = dot(u, u), b = dot(p, u), c = dot(p, p) - 0.25, D = b * b - a * c;
        const double truth = D >= 0 ? (-b - std::sqrt(D)) / a : -1, target = 1e-5;
        const SteadyMotion ma = moving({}, v), mb = moving(p, w);
        if (D < 0 || truth < 0 || truth > 1) {
            if (D < 0 && dot(p, p) - b * b / a < 0.26) continue;  // within the target of a graze
            EXPECT_EQ(time_of_impact(ball(0.3), ma, ball(0.2), mb, 1, target).kind, Impact::Kind::None);
            EXPECT_EQ(time_of_impact_by_bisection(ball(0.3), ma, ball(0.2), mb, 1, target).kind,
                      Impact::Kind::None);
            continue;
        }
        const double closing = std::sqrt(D) / 0.5;  // when they touch
        if (closing < 1) continue;
        ++hits;
        const ImpactAt i = time_of_impact(ball(0.3), ma, ball(0.2), mb, 1, target);
        EXPECT_LE(i.t, truth);
        EXPECT_NEAR(i.t, truth, 1.5 * target / closing);
        const ImpactAt j = time_of_impact_by_bisection(ball(0.3), ma, ball(0.2), mb, 1, target);
        EXPECT_LE(j.t, truth);
        EXPECT_NEAR(j.t, truth, 3 * target / closing);
    }
    EXPECT_GT(hits, 20);
}

// A thin rod turning about z meets a small ball at distance 1 from its centre when its axis has come within
// the sum of the radii: the angle from the ball's direction is asin(sum).
TEST(Impact, TurningRodMeetsAPoint) {
    const double start = 0.7, sum = 0.02 + 0.01, spin = 5, target = 1e-5;
    const Vec3 at{std::sin(start), std::cos(start), 0};  // `start` clockwise from the rod's +y end
    const double truth = (start - std::asin(sum)) / spin;
    // The rod's surface approaches with spin * 1 * cos.
    expect_touch(rod(0.02, 1.5), moving({}, {}, {0, 0, -spin}), ball(0.01), moving(at, {}), 0.5, target,
                 truth, spin * std::cos(std::asin(sum)));
    // Shorter than a distance of one: no contact in half a turn.
    EXPECT_EQ(
        time_of_impact(rod(0.02, 0.9), moving({}, {}, {0, 0, -spin}), ball(0.01), moving(at, {}), 0.5, target)
            .kind,
        Impact::Kind::None);
}

TEST(Impact, BulletsAtAThousandMetresASecond) {
    const double h = 1 / 60.0, target = 1e-6;
    // A 1 cm bullet and a 1 cm plate, started 8 m away.
    expect_touch(block({1, 1, 0.005}), {}, ball(0.005), moving({0.2, 0.1, -8}, {0, 0, 1000}), h, target,
                 (8 - 0.01) / 1000, 1000);
    // Two bullets head on.
    expect_touch(ball(0.005), moving({0, 0, 8}, {0, 0, -1000}), ball(0.005), moving({0, 0, -8}, {0, 0, 1000}),
                 h, target, (16 - 0.01) / 2000, 2000);
    // A spinning box as bullet, which must not be later than its bounding ball misses and not earlier than
    // its inscribed ball: half edge 0.005.
    const ImpactAt i = time_of_impact(block({1, 1, 0.005}), {}, block({0.005, 0.005, 0.005}),
                                      moving({0, 0, -8}, {0, 0, 1000}, {900, 700, 400}), h, target);
    EXPECT_EQ(i.kind, Impact::Kind::Touch);
    EXPECT_LE(i.t, (8 - 0.01) / 1000);
    EXPECT_GE(i.t, (8 - 0.005 - 0.00867) / 1000);
}

TEST(Impact, GrazingMissesAndHits) {
    const double target = 1e-4;
    for (const double gap : {3e-4, 1e-3, 1e-2}) {
        const SteadyMotion m = moving({-5, 0.3 + gap, 0}, {10, 0, 0});
        EXPECT_EQ(time_of_impact(ball(0.2), {}, ball(0.1), m, 1, target).kind, Impact::Kind::None) << gap;
        EXPECT_EQ(time_of_impact_by_bisection(ball(0.2), {}, ball(0.1), m, 1, target).kind,
                  Impact::Kind::None);
    }
    EXPECT_TRUE(
        time_of_impact(ball(0.2), {}, ball(0.1), moving({-5, 0.3 - 1e-3, 0}, {10, 0, 0}), 1, target).hit());
}

TEST(Impact, BeginningAndEnd) {
    const double target = 1e-4;
    EXPECT_EQ(time_of_impact(ball(1), {}, ball(1), moving({0, 0.5, 0}, {0, 9, 0}), 1, target).kind,
              Impact::Kind::Initial);
    EXPECT_EQ(time_of_impact(ball(1), {}, ball(1), moving({0, 3, 0}, {0, 9, 0}), 1, target).kind,
              Impact::Kind::None);
    const ImpactAt short_of =
        time_of_impact(ball(1), {}, ball(1), moving({0, 3, 0}, {0, -0.5, 0}), 1, target);
    EXPECT_EQ(short_of.kind, Impact::Kind::None);
    EXPECT_EQ(short_of.t, 1);
}

}  // namespace
}  // namespace impuls
