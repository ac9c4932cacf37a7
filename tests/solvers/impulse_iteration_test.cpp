// Joints closed ahead of time: one by one (iterative impulses), or all at once along the tree.
#include "solvers/impulse_iteration.h"

#include <gtest/gtest.h>

#include "solvers/random_problems.h"

namespace impuls {
namespace {
using namespace test;

// A chain of rods on ball joints that knows where its rods are and where they will be.
class Chain final : public Preview {
  public:
    Problem problem{};
    double h = 0.01;

    explicit Chain(int n) {
        Random random(7);
        add_static(problem);
        poses_.emplace_back();
        for (int k = 0; k < n; ++k) {
            add_node(problem, 1, Vec3{0, -2.0 * k / n, 0} + random.vector(), diagonal({12, 12, 12}));
            problem.nodes.w.back() = random.vector() * 3;
            poses_.push_back({{k + 0.5, 0, 0}, {}});
        }
        for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(n); ++k) {
            problem.rows.begin_block();
            for (int r = 0; r < 3; ++r) {
                Vec3 d;
                d[r] = 1;
                add_row(problem, k, k + 1, d, arm_a(k), {-0.5, 0, 0}, 0);
            }
        }
    }
    void refresh(Problem& p, std::size_t first, std::size_t last) override {
        for (auto k = static_cast<std::uint32_t>(first); k < last; ++k) {
            const Vec3 gap = ahead(p, k + 1) * Vec3{-0.5, 0, 0} - ahead(p, k) * arm_a(k);
            for (int r = 0; r < 3; ++r) p.rows.rows[3 * k + static_cast<std::uint32_t>(r)].error = gap[r];
        }
        ++calls;
    }
    double largest_error() {
        refresh(problem, 0, problem.rows.blocks.size());
        double largest = 0;
        for (const Row& row : problem.rows.rows) largest = std::max(largest, std::abs(row.error));
        return largest;
    }
    int calls = 0;

  private:
    static Vec3 arm_a(std::uint32_t k) { return k == 0 ? Vec3{} : Vec3{0.5, 0, 0}; }
    Pose ahead(const Problem& p, std::uint32_t k) const {
        const Vec3 turn = p.nodes.w[k] * h;
        const Quat q = from_axis_angle(normalized(turn), length(turn));
        return {poses_[k].position + p.nodes.v[k] * h, q * poses_[k].orientation};
    }
    std::vector<Pose> poses_{};
};

TEST(ImpulseIteration, closes_a_chain_as_the_tree_does) {
    for (const int n : {1, 2, 6, 12}) {
        Chain one_by_one(n), at_once(n);
        EXPECT_GT(one_by_one.largest_error(), 1e-4);
        const double tolerance = 1e-12;
        ImpulseIterationSolver().close_ahead(one_by_one.problem, one_by_one, 0.01, tolerance, {500, 1e-12});
        make_solver(Solver::Tree)->close_ahead(at_once.problem, at_once, 0.01, tolerance, {10, 1e-12});
        EXPECT_LE(one_by_one.largest_error(), tolerance) << n;
        EXPECT_LE(at_once.largest_error(), tolerance) << n;
        // The impulses that close all joints with the levers of the start are unique.
        EXPECT_LE(velocity_difference(one_by_one.problem, at_once.problem), 1e-7) << n;
        for (std::size_t r = 0; r < at_once.problem.rows.rows.size(); ++r)
            EXPECT_NEAR(one_by_one.problem.rows.rows[r].impulse, at_once.problem.rows.rows[r].impulse, 1e-7);
        // Few looks ahead for the tree, many for the iteration.
        EXPECT_LE(at_once.calls, 12);
        if (n > 2) {
            EXPECT_GT(one_by_one.calls, 10 * at_once.calls);
        }
    }
}

TEST(ImpulseIteration, stops_when_told) {
    Chain chain(12);
    const auto result = ImpulseIterationSolver().close_ahead(chain.problem, chain, 0.01, 0, {2});
    EXPECT_EQ(result.iterations, 40);
}

}  // namespace
}  // namespace impuls
