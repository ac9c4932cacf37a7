// Equations of joints that are factored: what a solve must leave is known, whatever the factor does. Rates
// are those wanted, and bodies have changed by M^-1 J^T p of the impulses p: together that is the solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "solvers/blocks/factored.h"

namespace impuls {
namespace {

struct Mechanism {
    std::vector<block::Body> bodies{};
    std::vector<block::Motion> motion{};
    std::vector<BlockRow> rows{};
    FactoredRows factored{};
};

Vec3 some_vector(Rng& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

void add_joint(Mechanism& m, Rng& random, std::uint32_t a, std::uint32_t b, std::uint32_t count) {
    m.factored.add(static_cast<std::uint32_t>(m.rows.size()), count);
    for (std::uint32_t k = 0; k < count; ++k) {
        BlockRow row;
        row.a = a;
        row.b = b;
        row.linear_a = some_vector(random);
        row.angular_a = some_vector(random);
        row.linear_b = some_vector(random);
        row.angular_b = some_vector(random);
        row.drift = random.uniform(-1, 1);
        m.rows.push_back(row);
    }
}

// A tree of bodies with masses in the ratio `ratio`, held by the world, and some loops.
Mechanism some_mechanism(std::uint64_t seed, double ratio, std::uint32_t loops) {
    Rng random(seed, 0);
    Mechanism m;
    constexpr std::uint32_t kBodies = 20;
    m.bodies.resize(kBodies);
    m.motion.resize(kBodies);
    for (std::uint32_t k = 1; k < kBodies; ++k) {
        const auto root = static_cast<float>(std::sqrt(k + 1 == kBodies ? 1 / ratio : 1.0));
        m.bodies[k] = {{2 * root, 0, 0, 2 * root, 0, 2 * root}, root * root, 0};
        for (int j = 0; j < 3; ++j) {
            m.motion[k].v[j] = static_cast<float>(random.uniform(-1, 1));
            m.motion[k].w[j] = static_cast<float>(random.uniform(-1, 1));
        }
        add_joint(m, random, k < 4 ? 0 : k - 3, k, 1 + k % 5);
    }
    for (std::uint32_t k = 0; k < loops; ++k) add_joint(m, random, 17 - k, 4 + k, 1);
    m.factored.prepare(m.rows, m.bodies);
    return m;
}

double rate_of(const Mechanism& m, const BlockRow& row) {
    const auto side = [&](std::uint32_t body, const Vec3& linear, const Vec3& angular) {
        const block::Motion& x = m.motion[body];
        return dot(linear, Vec3{x.v[0], x.v[1], x.v[2]}) +
               m.bodies[body].root[0] * dot(angular, Vec3{x.w[0], x.w[1], x.w[2]});
    };
    return side(row.a, row.linear_a, row.angular_a) + side(row.b, row.linear_b, row.angular_b);
}

TEST(FactoredRows, a_solve_leaves_the_rates_that_are_wanted_at_any_ratio_of_masses) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const double ratio : {1.0, 1e4})
            for (const std::uint32_t loops : {0u, 3u}) {
                Mechanism m = some_mechanism(seed, ratio, loops);
                const Mechanism before = m;
                constexpr double kPhase = -0.4;
                m.factored.solve(m.rows, m.motion.data(), kPhase);
                const double share = 1 - (1 + kPhase) / (2 * FactoredRows::kAhead);
                std::vector<std::array<double, 6>> change(m.bodies.size());
                double size = 1;
                for (const BlockRow& row : m.rows) {
                    size = std::max(size, std::abs(row.impulse));
                    for (const bool is_a : {true, false}) {
                        const std::uint32_t body = is_a ? row.a : row.b;
                        const Vec3 linear = is_a ? row.linear_a : row.linear_b,
                                   angular = is_a ? row.angular_a : row.angular_b;
                        for (int j = 0; j < 3; ++j) {
                            const auto at = static_cast<std::size_t>(j);
                            change[body][at] += linear[j] * row.impulse * m.bodies[body].inv_mass;
                            change[body][3 + at] += angular[j] * row.impulse * m.bodies[body].root[0];
                        }
                    }
                }
                const double tolerance = 1e-5 * size;
                for (const BlockRow& row : m.rows) ASSERT_NEAR(rate_of(m, row), share * row.drift, tolerance);
                for (std::size_t k = 1; k < m.bodies.size(); ++k)
                    for (std::size_t j = 0; j < 3; ++j) {
                        ASSERT_NEAR(m.motion[k].v[j] - before.motion[k].v[j], change[k][j], tolerance);
                        ASSERT_NEAR(m.motion[k].w[j] - before.motion[k].w[j], change[k][3 + j], tolerance);
                    }
            }
}

}  // namespace
}  // namespace impuls
