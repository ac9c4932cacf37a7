// Free flight of many bodies at once against one body at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/rng.h"
#include "dynamics/body_set.h"

namespace impuls {
namespace {

bool same_bits(const Motion& a, const Motion& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// All kinds of bodies at all speeds, among them such that do not turn, turn about one axis, or are pushed.
BodySet random_bodies(int n, Rng& rng) {
    BodySet bodies;
    for (int k = 0; k < n; ++k) {
        BodyDesc d;
        d.name = "b" + std::to_string(k);
        d.shape = Box{{rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1)}};
        d.orientation = rng.rotation();
        d.velocity = rotate(rng.rotation(), {1, 0, 0});
        d.angular_velocity = rotate(rng.rotation(), {1, 0, 0}) * std::exp2(rng.uniform(-2, 14));
        if (rng.next() % 4 == 0) d.angular_damping = d.linear_damping = rng.uniform(0, 3);
        switch (rng.next() % 8) {
            case 0:
                d.shape = Sphere{0.5};
                break;
            case 1:
                d.kind = rng.next() % 2 == 0 ? BodyKind::Kinematic : BodyKind::Static;
                break;
            case 2:
                d.angular_velocity = {};
                break;
            case 3:
                d.angular_velocity = Vec3{0, 0, 3};
                d.orientation = {};
                break;
            default:
                break;
        }
        bodies.add(d, {});
        if (rng.next() % 6 == 0) bodies.torque.set(bodies.size() - 1, rotate(rng.rotation(), {1, 0, 0}));
    }
    return bodies;
}

TEST(FreeFlight, many_bodies_get_the_bits_of_one) {
    Rng rng(11, 0);
    const Vec3 gravity{0, -9.81, 0};
    for (const auto integrator : {Integrator::SemiImplicit, Integrator::Rk4}) {
        for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 300}) {
            const BodySet bodies = random_bodies(n, rng);
            std::vector<std::uint32_t> list;
            for (std::uint32_t k = 0; k < bodies.size(); ++k) list.push_back(k);
            std::vector<Motion> next(bodies.size());
            fly_all(bodies, list, gravity, integrator, 0.01, next);
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                const Motion start{bodies.pose[k], bodies.v[k], bodies.w[k]};
                ASSERT_TRUE(same_bits(next[k], fly(bodies, k, start, gravity, integrator, 0.01)))
                    << k << " of " << n;
            }
        }
    }
}

// Bodies of one speed fill whole groups: every size of the last one.
TEST(FreeFlight, remainders_of_groups) {
    const Vec3 gravity{};
    Rng rng(12, 0);
    for (int n = 1; n <= 17; ++n) {
        BodySet bodies;
        for (int k = 0; k < n; ++k) {
            BodyDesc d;
            d.shape = Box{{0.3, 0.4, rng.uniform(0.5, 0.6)}};
            d.orientation = rng.rotation();
            d.angular_velocity = rotate(rng.rotation(), {1, 0, 0}) * 10;
            bodies.add(d, {});
        }
        std::vector<std::uint32_t> list;
        for (std::uint32_t k = 0; k < bodies.size(); ++k) list.push_back(k);
        std::vector<Motion> next(bodies.size());
        fly_all(bodies, list, gravity, Integrator::SemiImplicit, 0.01, next);
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            const Motion start{bodies.pose[k], bodies.v[k], bodies.w[k]};
            const Motion alone = fly(bodies, k, start, gravity, Integrator::SemiImplicit, 0.01);
            ASSERT_TRUE(same_bits(next[k], alone)) << k << " of " << n;
            ASSERT_FALSE(next[k].pose == start.pose);
        }
    }
}

}  // namespace
}  // namespace impuls
