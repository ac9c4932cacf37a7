// Forces against finite differences: what pushes along a direction is the slope of the potential energy, and
// stiffness and damping are slopes of the force. Forces between two bodies keep momenta.
#include "dynamics/force.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "math/rotation.h"
#include "support/constants.h"

namespace impuls {
namespace {

// Two bodies somewhere, one force between them.
struct Pair2 {
    BodySet bodies{};
    ForceSet forces{};

    explicit Pair2(const Force& force, std::uint32_t a = 0, bool is_moved = true) {
        Rng rng(7, 0);
        for (const Vec3& at : {Vec3{-1, 0.3, 0.2}, Vec3{0.8, -0.4, 0.5}}) {
            BodyDesc body;
            body.shape = Box{{0.4, 0.6, 0.9}};
            body.mass = 2;
            body.position = at;
            body.orientation = rng.rotation();
            body.velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
            body.angular_velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
            bodies.add(body, {});
        }
        ForceDesc desc;
        desc.force = force;
        forces.add(desc, bodies, a, 1, Box{{0.4, 0.6, 0.9}});
        if (!is_moved) return;
        move(0, {0.1, 0.2, -0.1}, {0.3, -0.2, 0.1});
        move(1, {0.3, -0.1, 0.2}, {-0.1, 0.4, 0.2});
    }
    void move(std::size_t k, const Vec3& by, const Vec3& turn) {
        bodies.pose[k].position += by;
        bodies.pose[k].orientation = normalized(rotation_by(turn) * bodies.pose[k].orientation);
    }
    ForceTerms terms() const {
        ForceTerms out;
        find_terms(forces, 0, geometry_of(forces, 0, bodies), 1, out);
        return out;
    }
};

// A direction of motion of both bodies.
struct Direction {
    Vec3 v[2], w[2];

    explicit Direction(std::uint64_t seed) {
        Rng rng(11, seed);
        for (int k = 0; k < 2; ++k) {
            v[k] = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
            w[k] = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        }
    }
    double along(const Rate& rate) const {
        double sum = 0;
        for (std::uint32_t k = 0; k < rate.count; ++k)
            sum += dot(rate.parts[k].linear, v[rate.parts[k].node]) +
                   dot(rate.parts[k].angular, w[rate.parts[k].node]);
        return sum;
    }
};

ForceTerms moved(Pair2 pair, const Direction& d, double by) {
    for (std::size_t k = 0; k < 2; ++k) pair.move(k, d.v[k] * by, d.w[k] * by);
    return pair.terms();
}

ForceTerms hurried(Pair2 pair, const Direction& d, double by) {
    for (std::size_t k = 0; k < 2; ++k) {
        pair.bodies.v[k] += d.v[k] * by;
        pair.bodies.w[k] += d.w[k] * by;
    }
    return pair.terms();
}

const Vec3 kA{-0.8, 0.5, 0.1}, kB{0.9, -0.2, 0.3};

std::vector<Force> conservative() {
    return {SpringForce{kA, kB, 40, 0, 1.2},
            RodForce{kA, kB, 500, 0, {}},
            RodForce{kA, kB, 500, 0, 0.0},
            TorsionSpringForce{{1, 2, 0.5}, 3, 0, 0.4},
            CableForce{kA, kB, {{0, 1, 0}, {0.5, 1.2, 0.2}}, 80, 0, 1.5},
            PullForce{kA, kB, 7},
            AttractionForce{0.3}};
}

TEST(Force, is_the_slope_of_the_potential_energy) {
    constexpr double kStep = 1e-5;
    for (const Force& force : conservative()) {
        Pair2 pair(force);
        pair.bodies.v = {{}, {}};
        pair.bodies.w = {{}, {}};
        const ForceTerms now = pair.terms();
        ASSERT_TRUE(now.has_potential);
        double most = 0;
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const Direction d(seed);
            const Wrench a = wrench_on(now, 0), b = wrench_on_b(now, 1);
            const double work =
                dot(a.force, d.v[0]) + dot(a.torque, d.w[0]) + dot(b.force, d.v[1]) + dot(b.torque, d.w[1]);
            const double slope =
                (moved(pair, d, kStep).potential - moved(pair, d, -kStep).potential) / (2 * kStep);
            EXPECT_NEAR(work, -slope, 1e-7 * (1 + std::abs(work))) << "kind " << force.index();
            most = std::max(most, std::abs(work));
        }
        EXPECT_GT(most, 0.01);
    }
}

// The terms of a rod of length 0 act in the middle between its points, so that momentum is kept while they
// are apart; where they meet, its coordinates are exact.
TEST(Force, stiffness_is_the_slope_of_each_term) {
    constexpr double kStep = 1e-6;
    std::vector<Force> all = conservative();
    all[2] = RodForce{kA, kA, 500, 0, 0.0};
    for (const Force& force : all) {
        Pair2 pair(force, 0, force.index() != all[2].index());
        pair.bodies.v = {{}, {}};
        pair.bodies.w = {{}, {}};
        const ForceTerms now = pair.terms();
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const Direction d(seed);
            const ForceTerms ahead = moved(pair, d, kStep), behind = moved(pair, d, -kStep);
            ASSERT_EQ(ahead.along.size(), now.along.size());
            for (std::size_t k = 0; k < now.along.size(); ++k) {
                const double slope = (ahead.along[k].force - behind.along[k].force) / (2 * kStep);
                const double expected = -now.along[k].stiffness * d.along(now.along[k].rate);
                EXPECT_NEAR(slope, expected, 1e-6 * (1 + std::abs(expected))) << "kind " << force.index();
            }
        }
    }
}

TEST(Force, damping_is_the_slope_over_velocity) {
    constexpr double kStep = 1e-6;
    const std::vector<Force> all{SpringForce{kA, kB, 40, 3, 1.2}, DamperForce{kA, kB, 5},
                                 RodForce{kA, kB, 500, 6, 0.0}, TorsionSpringForce{{1, 2, 0.5}, 3, 2, 0.4},
                                 CableForce{kA, kB, {{0, 1, 0}}, 80, 4, 1.0}};
    for (const Force& force : all) {
        const Pair2 pair(force);
        const ForceTerms now = pair.terms();
        const Direction d(3);
        const ForceTerms ahead = hurried(pair, d, kStep), behind = hurried(pair, d, -kStep);
        for (std::size_t k = 0; k < now.along.size(); ++k) {
            const double slope = (ahead.along[k].force - behind.along[k].force) / (2 * kStep);
            EXPECT_NEAR(slope, -now.along[k].damping * d.along(now.along[k].rate), 1e-6);
            EXPECT_GT(now.along[k].damping, 0);
        }
    }
}

// Drag by its wrench: its terms are along directions that turn with the velocity.
TEST(Force, damping_of_drag_is_the_slope_of_its_force) {
    constexpr double kStep = 1e-6;
    const Pair2 pair(DragForce{.area = 0.3, .wind = {0.5, 0, -2}}, kNoBody);
    const ForceTerms now = pair.terms();
    const Direction d(5);
    const Vec3 slope =
        (wrench_on_b(hurried(pair, d, kStep), 1).force - wrench_on_b(hurried(pair, d, -kStep), 1).force) /
        (2 * kStep);
    Vec3 expected{};
    for (const ForceTerm& term : now.along)
        expected -= term.rate.parts[0].linear * (term.damping * d.along(term.rate));
    EXPECT_LT(length(slope - expected), 1e-7);
    EXPECT_GT(length(expected), 0.01);
}

TEST(Force, between_two_bodies_keeps_momenta) {
    std::vector<Force> all = conservative();
    all[4] = DamperForce{kA, kB, 5};  // eyes bear a part of a cable's momentum
    for (const Force& force : all) {
        const Pair2 pair(force);
        const ForceTerms now = pair.terms();
        const Wrench a = wrench_on(now, 0), b = wrench_on_b(now, 1);
        const Vec3 turning = a.torque + b.torque + cross(pair.bodies.pose[0].position, a.force) +
                             cross(pair.bodies.pose[1].position, b.force);
        EXPECT_LT(length(a.force + b.force), 1e-12 * (1 + length(a.force)));
        EXPECT_LT(length(turning), 1e-11 * (1 + length(a.force)));
    }
}

TEST(Force, cable_over_eyes_pushes_never) {
    Pair2 pair(CableForce{kA, kB, {{0, 1, 0}}, 80, 3, 100.0});
    const ForceTerms now = pair.terms();
    EXPECT_EQ(length(wrench_on(now, 0).force) + length(wrench_on_b(now, 1).force), 0);
    EXPECT_EQ(now.potential, 0);
}

// Of a box, the faces that it shows; of a sphere, its disk.
TEST(Force, drag_sees_the_area_across_the_motion) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        Pair2 pair(DragForce{.coefficient = 2, .density = 1}, kNoBody);
        pair.bodies.v[1] = Direction(seed).v[0];
        const Vec3 u = pair.bodies.v[1];
        const Vec3 d = rotate_inverse(pair.bodies.body_pose(1).orientation, normalized(u));
        const double area = 0.6 * 0.9 * std::abs(d.x) + 0.4 * 0.9 * std::abs(d.y) + 0.4 * 0.6 * std::abs(d.z);
        EXPECT_NEAR(length(wrench_on_b(pair.terms(), 1).force), area * length_squared(u), 1e-12);
    }
    Pair2 ball(DragForce{.coefficient = 2, .density = 1}, kNoBody);
    ball.forces.remove(std::vector<std::uint8_t>{1});
    ForceDesc desc;
    desc.force = DragForce{.coefficient = 2, .density = 1};
    ball.forces.add(desc, ball.bodies, kNoBody, 1, Sphere{0.25});
    EXPECT_NEAR(length(wrench_on_b(ball.terms(), 1).force), kPi * 0.0625 * length_squared(ball.bodies.v[1]),
                1e-12);
}

TEST(Force, acts_in_its_interval_alone) {
    Pair2 pair(SpringForce{kA, kB, 40});
    ForceDesc desc;
    desc.force = PullForce{kA, kB, 1};
    desc.from = 1;
    desc.until = 2;
    pair.forces.add(desc, pair.bodies, 0, 1, Box{});
    EXPECT_EQ(pair.forces.share(1, 0.5, 0.25), 0);
    EXPECT_EQ(pair.forces.share(1, 0.75, 0.5), 0.5);
    EXPECT_EQ(pair.forces.share(1, 1, 1), 1);
    EXPECT_EQ(pair.forces.share(1, 1.9, 0.4), (2 - 1.9) / 0.4);
    EXPECT_EQ(pair.forces.share(1, 2, 0), 0);
    EXPECT_EQ(pair.forces.share(0, 5, 0.1), 1);
    pair.forces.is_enabled[0] = 0;
    EXPECT_EQ(pair.forces.share(0, 5, 0.1), 0);
}

}  // namespace
}  // namespace impuls
