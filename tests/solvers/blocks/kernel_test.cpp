// The block kernels: the one for wide registers and the plain one give the same bits, and two boxes' worth of
// rows the impulses that a dense solve gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/rng.h"
#include "impuls/executor.h"
#include "math/rotation.h"
#include "solvers/blocks/contacts.h"

namespace impuls {
namespace {

using namespace block;

// Those beside the baseline that this processor can run.
std::vector<const Kernel*> kernels_here() {
    std::vector<const Kernel*> list;
    if (has_avx2()) list.push_back(&kAvx2Kernel);
    if (has_avx512vl()) list.push_back(&kAvx512vlKernel);
    return list;
}

template <class B>
struct Run {
    std::vector<B> batches;
    std::vector<Motion> motion, moved;
    std::vector<Octet> results;
};

// Eight manifolds, one of them with the world, one lane empty; balls have levers along the normal and one
// moment of inertia, and may be given as single points like any others.
template <class B>
Run<B> run_kernel(const Kernel& kernel, std::uint64_t seed, int substeps = 5, bool are_balls = false) {
    Rng random(seed, 0);
    const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    constexpr std::size_t kBodies = 17;
    std::vector<Body> bodies(kBodies);
    std::vector<Motion> motion(kBodies), moved(kBodies);
    for (std::size_t k = 1; k < kBodies; ++k) {
        if (are_balls)
            bodies[k] = {{2, 0, 0, 2, 0, 2}, 1 + 0.5f * number(), 0};
        else
            bodies[k] = {
                {2, 0.1f * number(), 0.1f * number(), 2.5f, 0.1f * number(), 3}, 1 + 0.5f * number(), 0};
        for (int j = 0; j < 3; ++j) {
            motion[k].v[j] = number(), motion[k].w[j] = number();
            moved[k].v[j] = 0.01f * number(), moved[k].w[j] = 0.01f * number();
        }
    }
    std::vector<B> batches(1);
    B& c = batches[0];
    std::memset(&c, 0, sizeof c);
    const auto points = static_cast<int>(std::size(c.s0));
    std::vector<Octet> octets((1 + kLanes) * octets_of(points));  // the first ones for the empty lane
    for (int l = 0; l < kLanes; ++l) {
        if (l == 5) continue;  // an empty lane
        c.a[l] = l == 2 ? 0 : static_cast<std::uint32_t>(2 * l + 1),
        c.b[l] = static_cast<std::uint32_t>(2 * l + 2);
        c.given[l] = static_cast<std::uint32_t>(1 + l) * octets_of(points);
        Octet* const given = octets.data() + c.given[l];
        const Vec3 n = normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        const float nf[3] = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
        given[0] = {{nf[0], nf[1], nf[2], 0.5f, 1e-4f, 1e-3f, 0.5f, 0.1f}};
        const int count = l == 3 ? 1 : points;
        const float apart[3] = {number(), number(), number()};  // levers of all points differ by the same
        for (int k = 0; k < count; ++k) {
            const float lever_a = 1 + 0.5f * number(), lever_b = -1 + 0.5f * number();
            float* const x = given[2 + k].x;
            for (int j = 0; j < 3; ++j) {
                x[j] = are_balls ? lever_a * nf[j] : number();
                x[3 + j] = are_balls ? lever_b * nf[j] : x[j] + apart[j];
            }
            x[6] = 0.01f * number(), x[7] = 0.2f + 0.1f * number();
            if (l == 4) x[7] = 0;  // struck
        }
        given[1].x[4] = 0.1f * number(), given[1].x[7] = static_cast<float>(count);
    }
    const Softness soft{70, 0.97f, 0.03f, 1000};
    const auto& contacts = kernel.of(&c);
    contacts.prepare(&c, 1, bodies.data(), octets.data()), contacts.apply(&c, 1, motion.data());
    const Pass pass{motion.data(), moved.data(), soft};
    for (int k = 0; k < substeps; ++k) {
        contacts.solve(&c, 1, pass);
        kernel.advance(moved.data(), motion.data(), kBodies, 1e-3f);
        contacts.relax(&c, 1, pass);
    }
    contacts.correct(&c, 1, moved.data(), 0.3f);
    contacts.hand_out(&c, 1, octets.data());
    return {batches, motion, moved, octets};
}

// The same for rows of joints.
template <int N>
struct RowRun {
    RowBatch<N> batch;
    std::vector<Motion> motion, moved;
};

template <int N>
RowRun<N> run_rows(const Kernel& kernel, std::uint64_t seed) {
    Rng random(seed, 0);
    const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    constexpr std::size_t kBodies = 17;
    std::vector<Body> bodies(kBodies);
    RowRun<N> run{{}, std::vector<Motion>(kBodies), std::vector<Motion>(kBodies)};
    for (std::size_t k = 1; k < kBodies; ++k) {
        bodies[k] = {{2, 0.1f * number(), 0.1f * number(), 2.5f, 0.1f * number(), 3}, 1 + 0.5f * number(), 0};
        for (int j = 0; j < 3; ++j)
            run.motion[k].v[j] = number(), run.motion[k].w[j] = number(),
            run.moved[k].v[j] = 0.01f * number(), run.moved[k].w[j] = 0.01f * number();
    }
    RowBatch<N>& c = run.batch;
    std::memset(&c, 0, sizeof c);
    for (int l = 0; l < kLanes; ++l) {
        if (l == 5) continue;  // an empty lane
        c.a[l] = l == 2 ? 0 : static_cast<std::uint32_t>(2 * l + 1),
        c.b[l] = static_cast<std::uint32_t>(2 * l + 2);
        for (int k = 0; k < (l == 3 ? 1 : l == 2 ? std::min(N, 3) : N); ++k) {
            for (int j = 0; j < 3; ++j) {
                c.la[k][j][l] = number(), c.lb[k][j][l] = number();
                c.ja[k][j][l] = number(), c.jb[k][j][l] = number();
            }
            c.s0[k][l] = 0.01f * number(), c.p[k][l] = 0.1f * number();
            c.cap[k][l] = 0.005f, c.is_there[k][l] = 1;
        }
        c.is_limit[l] = l % 3 == 0, c.is_spring[l] = l % 3 == 1;
        c.lower[l] = l % 3 == 0 ? 0 : -0.3f, c.upper[l] = l % 3 == 0 ? 1e30f : 0.3f;
        c.bias[l] = number(), c.stiffness[l] = l % 3 == 1 ? 10 : 0, c.yields[l] = l % 3 == 1 ? 0.1f : 0;
    }
    const Softness soft{70, 0.97f, 0.03f, 1000};
    const auto go = [&](auto prepare, auto apply, auto solve, auto relax) {
        prepare(&c, 1, bodies.data()), apply(&c, 1, run.motion.data());
        for (int k = 0; k < 5; ++k) {
            solve(&c, 1, run.motion.data(), run.moved.data(), soft);
            kernel.advance(run.moved.data(), run.motion.data(), kBodies, 1e-3f);
            relax(&c, 1, run.motion.data(), run.moved.data(), soft);
        }
    };
    const RowKernel& rows = kernel.rows;
    if constexpr (N == 1) {
        go(rows.prepare_1, rows.apply_1, rows.solve_1, rows.relax_1);
    } else {
        go(rows.prepare_6, rows.apply_6, rows.solve_6, rows.relax_6);
        rows.measure_6(&c, 1, run.moved.data()), rows.close_6(&c, 1, run.moved.data());
    }
    return run;
}

template <int N>
void expect_same_row_bits(const Kernel& kernel) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const RowRun<N> plain = run_rows<N>(kBaselineKernel, seed), wide = run_rows<N>(kernel, seed);
        const std::size_t size = sizeof(Motion) * plain.motion.size();
        ASSERT_EQ(std::memcmp(plain.motion.data(), wide.motion.data(), size), 0);
        ASSERT_EQ(std::memcmp(plain.moved.data(), wide.moved.data(), size), 0);
        ASSERT_EQ(std::memcmp(&plain.batch, &wide.batch, sizeof plain.batch), 0);
    }
}

TEST(BlockKernel, rows_have_the_same_bits_in_wide_and_plain_registers) {
    const auto kernels = kernels_here();
    if (kernels.empty()) GTEST_SKIP() << "no wide registers here";
    for (const Kernel* kernel : kernels) expect_same_row_bits<1>(*kernel), expect_same_row_bits<6>(*kernel);
}

// A block of equations is solved by one relaxing sweep: no rate is left.
TEST(BlockKernel, equations_hold_after_one_sweep) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        RowRun<6> run = run_rows<6>(kBaselineKernel, seed);
        kBaselineKernel.rows.relax_6(&run.batch, 1, run.motion.data(), run.moved.data(),
                                     {70, 0.97f, 0.03f, 1000});
        for (int l = 0; l < kLanes; ++l)
            for (int k = 0; k < 6; ++k) {
                const Motion &a = run.motion[run.batch.a[l]], &b = run.motion[run.batch.b[l]];
                double rate = 0;
                for (int j = 0; j < 3; ++j)
                    rate += run.batch.la[k][j][l] * a.v[j] + run.batch.ja[k][j][l] * a.w[j] +
                            run.batch.lb[k][j][l] * b.v[j] + run.batch.jb[k][j][l] * b.w[j];
                ASSERT_NEAR(rate, 0, 2e-3) << seed << " " << l << " " << k;
            }
    }
}

template <class B>
void expect_same_bits(const Kernel& kernel) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto plain = run_kernel<B>(kBaselineKernel, seed), wide = run_kernel<B>(kernel, seed);
        ASSERT_EQ(std::memcmp(plain.motion.data(), wide.motion.data(), sizeof(Motion) * plain.motion.size()),
                  0);
        ASSERT_EQ(std::memcmp(plain.moved.data(), wide.moved.data(), sizeof(Motion) * plain.moved.size()), 0);
        ASSERT_EQ(std::memcmp(&plain.batches[0], &wide.batches[0], sizeof(B)), 0) << seed;
        ASSERT_EQ(
            std::memcmp(plain.results.data(), wide.results.data(), sizeof(Octet) * plain.results.size()), 0);
    }
}

TEST(BlockKernel, wide_and_plain_registers_give_the_same_bits) {
    const auto kernels = kernels_here();
    if (kernels.empty()) GTEST_SKIP() << "this processor has no wide registers";
    for (const Kernel* kernel : kernels) {
        expect_same_bits<RoundBatch>(*kernel);
        expect_same_bits<Batch<1>>(*kernel);
        expect_same_bits<Batch<4>>(*kernel);
    }
}

// Batches of balls leave out what is nothing for them; single points with all their levers are the oracle.
// One substep: a gap that it closes is then open or not by rounding alone.
TEST(BlockKernel, balls_move_as_single_points_with_levers_do) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto round = run_kernel<RoundBatch>(kBaselineKernel, seed, 1, true);
        const auto whole = run_kernel<Batch<1>>(kBaselineKernel, seed, 1, true);
        for (std::size_t k = 0; k < round.motion.size(); ++k)
            for (int j = 0; j < 3; ++j) {
                ASSERT_NEAR(round.motion[k].v[j], whole.motion[k].v[j], 2e-5) << seed << " " << k;
                ASSERT_NEAR(round.motion[k].w[j], whole.motion[k].w[j], 2e-5) << seed << " " << k;
                ASSERT_NEAR(round.moved[k].v[j], whole.moved[k].v[j], 2e-6) << seed << " " << k;
                ASSERT_NEAR(round.moved[k].w[j], whole.moved[k].w[j], 2e-6) << seed << " " << k;
            }
        for (std::size_t k = 0; k < round.results.size(); ++k)
            for (int j = 0; j < 8; ++j) {
                const bool is_separation = k % octets_of(1) == 1 && j < 4;
                ASSERT_NEAR(round.results[k].x[j], whole.results[k].x[j], is_separation ? 2e-6 : 2e-5)
                    << seed << " " << k;
            }
    }
}

// Manifolds and their results, kept in arrays.
struct Kept final : BlockContacts::Exchange {
    std::vector<BlockContacts::Manifold> manifolds{};
    std::vector<BlockContacts::Result> results{};

    explicit Kept(std::size_t count) : manifolds(count), results(count) {}
    void give(std::size_t k, BlockContacts::Manifold& m) const override { m = manifolds[k]; }
    void take(std::size_t k, const BlockContacts::Result& result) override { results[k] = result; }
};

// A cube of mass 2 and edge 1 on the ground: after a few substeps each of its four points bears a quarter of
// the weight, whatever it began from, and nothing moves.
TEST(BlockContacts, a_cube_at_rest_bears_a_quarter_on_each_corner) {
    BlockContacts blocks;
    Executor executor(1);
    Kept kept(1);
    Vec3 v, shift;
    for (int step = 0; step < 30; ++step) {
        blocks.clear(0, 1);
        const double inertia = 2.0 / 6;
        const auto cube =
            blocks.add_body(0.5, diagonal(Vec3{1, 1, 1} / std::sqrt(inertia)), v, {}, {0, -10, 0}, {});
        blocks.set_manifold(0, 0, cube, 4);
        auto& m = kept.manifolds[0];
        m.normal = {0, 1, 0}, m.friction = 0.5, m.slop = 1e-4, m.cap = 1e-3;
        for (std::size_t k = 0; k < 4; ++k) {
            if (step == 0) m.points[k] = {};
            m.points[k].rb = {k % 2 ? 0.5 : -0.5, -0.5, k < 2 ? 0.5 : -0.5};
            m.points[k].ra = m.points[k].rb + Vec3{0, 0.5, 0};
            m.points[k].separation = shift.y;
        }
        blocks.solve(0.01, 4, kept, executor), blocks.take(kept, executor);
        v = blocks.velocity(cube), shift += blocks.shift(cube);
        for (std::size_t k = 0; k < 4; ++k) m.points[k].impulse = kept.results[0].points[k].impulse;
    }
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(kept.results[0].points[k].sum, 2 * 10 * 0.01 / 4, 1e-5 * 2 * 10 * 0.01);
    EXPECT_LT(length(v), 1e-5);
    // Sag F/(m w^2) below the slop, w = pi/(2 h).
    const double h = 0.01 / 4, w = 0.5 * 3.14159265358979 / h;
    EXPECT_NEAR(-shift.y, 1e-4 + 10 / (w * w), 0.02 * 10 / (w * w));
}

// Bodies on the ground by one, two or four points, or as balls: more manifolds than a segment has are given,
// solved and taken as few are.
TEST(BlockContacts, many_manifolds_come_out_as_few_do) {
    constexpr std::size_t kKinds = 4, kMany = 20002;
    const auto results = [](std::size_t count, int threads) {
        BlockContacts blocks;
        Executor executor(threads);
        Kept kept(count);
        blocks.clear(0, count);
        for (std::size_t k = 0; k < count; ++k) {
            const auto body =
                blocks.add_body(0.5, diagonal({2, 2, 2}), {0.3, -0.1, 0}, {0, 0.2, 0}, {0, -10, 0}, {});
            const std::size_t kind = k % kKinds;
            const std::uint32_t points = kind == 0 ? 4 : kind == 1 ? 2 : 1;
            blocks.set_manifold(k, 0, body, points, kind == 3);
            auto& m = kept.manifolds[k];
            m.normal = {0, 1, 0}, m.friction = 0.5, m.slop = 1e-4, m.cap = 1e-3;
            for (std::size_t p = 0; p < points; ++p) {
                m.points[p] = {};
                m.points[p].rb =
                    kind == 3 ? Vec3{0, -0.5, 0} : Vec3{p % 2 ? 0.5 : -0.5, -0.5, p < 2 ? 0.5 : -0.5};
                m.points[p].ra = m.points[p].rb + Vec3{0, 0.5, 0};
                m.points[p].separation = -2e-4;
            }
        }
        blocks.solve(0.01, 4, kept, executor), blocks.take(kept, executor);
        return kept.results;
    };
    const auto few = results(kKinds, 1), many = results(kMany, 3);
    for (std::size_t k = 0; k < kMany; ++k) {
        const auto &a = few[k % kKinds], &b = many[k];
        ASSERT_EQ(a.impulse_t, b.impulse_t) << k;
        ASSERT_EQ(a.sum_t, b.sum_t) << k;
        ASSERT_EQ(a.points[0].sum, b.points[0].sum) << k;
        ASSERT_EQ(a.points[0].separation, b.points[0].separation) << k;
        ASSERT_GT(b.points[0].sum, 0) << k;
    }
}

// Manifolds of a colour share no body that moves: a row of bodies needs two colours, however long.
TEST(BlockContacts, a_chain_of_contacts_has_two_colours) {
    BlockContacts blocks;
    Executor executor(1);
    blocks.clear(0, 39);
    for (int k = 0; k < 40; ++k) blocks.add_body(1, diagonal({1, 1, 1}), {}, {}, {}, {});
    Kept kept(39);
    for (std::uint32_t k = 1; k < 40; ++k) {
        blocks.set_manifold(k - 1, k, k + 1, 1);
        auto& m = kept.manifolds[k - 1];
        m.normal = {1, 0, 0};
        m.points[0].ra = {0.5, 0, 0}, m.points[0].rb = {-0.5, 0, 0};
    }
    blocks.solve(0.01, 4, kept, executor);
    EXPECT_EQ(blocks.colours(), 2);
}

}  // namespace
}  // namespace impuls
