// Impulses and motions of random trees of joints, with and without loops, against the dense system.
#include "solvers/articulated_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <eigen3/Eigen/Dense>

#include "base/rng.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

using Tree = ArticulatedTree;

// The same equations as one matrix: rows of J in the order in which they were added.
struct DenseTree {
    Eigen::MatrixXd mass, j;
    Eigen::VectorXd force, wanted, compliance;
};

class TreeTest : public testing::Test {
  protected:
    double uniform(double low, double high) { return rng_.uniform(low, high); }
    Vec3 vector(double size = 1) {
        const double x = uniform(-size, size);
        const double y = uniform(-size, size);
        return {x, y, uniform(-size, size)};
    }
    Mat3 inertia(double mass) {
        const Mat3 r = to_matrix(rng_.rotation());
        return r * diagonal((vector() + Vec3{2, 2, 2}) * (0.3 * mass)) * transpose(r);
    }

    // n links, each joined to an earlier one, to the world or to nothing.
    void make(int n, bool has_rows, double mass_range) {
        tree.clear();
        for (int k = 0; k < n; ++k) {
            const bool is_root = k == 0 || uniform(0, 1) < 0.1;
            const auto parent = is_root ? Tree::kNone : static_cast<std::uint32_t>(uniform(0, k));
            auto kind = has_rows && uniform(0, 1) < 0.5 ? Tree::Kind::Rows : Tree::Kind::Ball;
            if (is_root && uniform(0, 1) < 0.4) kind = Tree::Kind::Free;
            const auto number = tree.add(kind, parent);
            Tree::Link& link = tree.links()[number];
            link.mass = std::pow(10, uniform(-mass_range, mass_range));
            link.inertia = inertia(link.mass);
            link.f = vector(), link.t = vector();
            if (kind == Tree::Kind::Ball) link.a = vector(), link.p = vector();
            if (kind != Tree::Kind::Rows) continue;
            Tree::JointRows& rows = tree.rows_of(number);
            rows.count = 1 + static_cast<int>(uniform(0, 5));
            for (std::size_t r = 0; r < static_cast<std::size_t>(rows.count); ++r) {
                rows.child[r] = {number, vector(), vector()};
                rows.parent[r] = {parent, vector(), vector()};
            }
        }
    }
    void add_loops(int count) {
        const auto n = static_cast<double>(tree.links().size());
        for (int k = 0; k < count; ++k) {
            tree.add_loop_row();
            for (int part = 0; part < 2; ++part)
                tree.add_loop_part({static_cast<std::uint32_t>(uniform(0, n)), vector(), vector()});
        }
    }

    // Every second row of joints and loops yields.
    void yield() {
        int count = 0;
        const auto compliance = [&] { return ++count % 2 == 0 ? uniform(0.1, 2) : 0; };
        for (std::uint32_t k = 0; k < tree.links().size(); ++k)
            if (tree.links()[k].kind == Tree::Kind::Rows)
                for (double& c : tree.rows_of(k).compliance) c = compliance();
        for (Tree::LoopRow& row : tree.loops()) row.compliance = compliance();
    }

    DenseTree dense() {
        const auto links = tree.links();
        const auto n = static_cast<Eigen::Index>(links.size());
        DenseTree d{Eigen::MatrixXd::Zero(6 * n, 6 * n), Eigen::MatrixXd::Zero(0, 6 * n),
                    Eigen::VectorXd::Zero(6 * n), Eigen::VectorXd::Zero(0), Eigen::VectorXd::Zero(0)};
        const auto add_row = [&](double c, double compliance) {
            const auto row = d.j.rows();
            d.j.conservativeResizeLike(Eigen::MatrixXd::Zero(row + 1, 6 * n));
            d.wanted.conservativeResize(row + 1);
            d.compliance.conservativeResize(row + 1);
            d.wanted(row) = c;
            d.compliance(row) = compliance;
        };
        const auto add_part = [&](const Tree::Part& part) {
            if (part.link == Tree::kNone) return;
            for (int i = 0; i < 3; ++i) {
                d.j(d.j.rows() - 1, 6 * part.link + i) += part.linear[i];
                d.j(d.j.rows() - 1, 6 * part.link + 3 + i) += part.angular[i];
            }
        };
        for (std::uint32_t k = 0; k < links.size(); ++k) {
            const Tree::Link& link = links[k];
            for (int i = 0; i < 3; ++i) {
                d.mass(6 * k + i, 6 * k + i) = link.mass;
                d.force(6 * k + i) = link.f[i], d.force(6 * k + 3 + i) = link.t[i];
                for (int m = 0; m < 3; ++m) d.mass(6 * k + 3 + i, 6 * k + 3 + m) = link.inertia[m][i];
            }
            if (link.kind == Tree::Kind::Ball) {
                for (int i = 0; i < 3; ++i) {
                    Vec3 e{};
                    e[i] = 1;
                    add_row(link.c[i], 0);
                    add_part({k, e, cross(link.a, e)});
                    add_part({link.parent, -e, -cross(link.p, e)});
                }
            } else if (link.kind == Tree::Kind::Rows) {
                const Tree::JointRows& rows = tree.rows_of(k);
                for (std::size_t r = 0; r < static_cast<std::size_t>(rows.count); ++r) {
                    add_row(rows.c[r], rows.compliance[r]);
                    add_part(rows.child[r]);
                    if (link.parent != Tree::kNone) add_part(rows.parent[r]);
                }
            }
        }
        for (const Tree::LoopRow& row : tree.loops()) {
            add_row(row.c, row.compliance);
            for (const Tree::Part& part : tree.parts_of(row)) add_part(part);
        }
        return d;
    }

    Eigen::VectorXd impulses() {
        std::vector<double> p;
        const auto links = tree.links();
        for (std::uint32_t k = 0; k < links.size(); ++k) {
            if (links[k].kind == Tree::Kind::Ball)
                for (int i = 0; i < 3; ++i) p.push_back(links[k].impulse[i]);
            if (links[k].kind == Tree::Kind::Rows)
                for (int r = 0; r < tree.rows_of(k).count; ++r)
                    p.push_back(tree.rows_of(k).impulse[static_cast<std::size_t>(r)]);
        }
        for (const Tree::LoopRow& row : tree.loops()) p.push_back(row.impulse);
        return Eigen::Map<Eigen::VectorXd>(p.data(), static_cast<Eigen::Index>(p.size()));
    }
    Eigen::VectorXd motion() {
        const auto links = tree.links();
        Eigen::VectorXd dv(6 * static_cast<Eigen::Index>(links.size()));
        for (std::size_t k = 0; k < links.size(); ++k)
            for (int i = 0; i < 3; ++i) {
                dv(static_cast<Eigen::Index>(6 * k) + i) = links[k].dv[i];
                dv(static_cast<Eigen::Index>(6 * k) + 3 + i) = links[k].dw[i];
            }
        return dv;
    }

    void ask() {
        for (std::uint32_t k = 0; k < tree.links().size(); ++k) {
            tree.links()[k].c = vector();
            if (tree.links()[k].kind == Tree::Kind::Rows)
                for (double& c : tree.rows_of(k).c) c = uniform(-1, 1);
        }
        for (Tree::LoopRow& row : tree.loops()) row.c = uniform(-1, 1);
    }

    // The impulses give the velocities asked for, relative to the terms that these are sums of.
    void expect_solved(bool has_forces, double bound) {
        tree.factor();
        ask();
        const DenseTree d = dense();
        tree.solve(has_forces);
        const Eigen::VectorXd p = impulses();
        Eigen::VectorXd pushed = d.j.transpose() * p;
        if (has_forces) pushed += d.force;
        const Eigen::VectorXd dv = d.mass.ldlt().solve(pushed);
        const double speed =
            (d.j.cwiseAbs() * d.mass.inverse().cwiseAbs() * d.j.transpose().cwiseAbs() * p.cwiseAbs())
                .lpNorm<Eigen::Infinity>();
        const Eigen::VectorXd residual = d.j * dv + d.compliance.cwiseProduct(p) - d.wanted;
        EXPECT_LT(residual.lpNorm<Eigen::Infinity>(), bound * (1 + speed));
        EXPECT_LT((motion() - dv).lpNorm<Eigen::Infinity>(),
                  1e3 * bound * (1 + dv.lpNorm<Eigen::Infinity>()));
    }

    Tree tree;

  private:
    Rng rng_{7, 0};
};

#ifdef NDEBUG
constexpr int kRepeats = 20;
#else
constexpr int kRepeats = 4;  // the dense oracle is slow there
#endif

TEST_F(TreeTest, balls_alone) {
    for (int n : {1, 2, 3, 10, 40})
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            make(n, false, 0);
            expect_solved(repeat % 2 == 0, 1e-12);
        }
}

TEST_F(TreeTest, balls_and_rows) {
    for (int n : {1, 2, 3, 10, 40})
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            make(n, true, 0);
            expect_solved(repeat % 2 == 0, 1e-11);
        }
}

// Rounding grows with the ratio, 10^4 here, and with how badly random rows are conditioned.
TEST_F(TreeTest, mass_ratios) {
    for (int repeat = 0; repeat < 40; ++repeat) {
        make(20, repeat % 2 == 0, 2);
        expect_solved(false, 1e-9);
    }
}

TEST_F(TreeTest, loops) {
    for (int repeat = 0; repeat < 40; ++repeat) {
        make(12, false, 0);
        add_loops(1 + repeat % 6);
        expect_solved(repeat % 2 == 0, 1e-9);
    }
}

// Impulses of yielding rows against a dense solve of (J M^-1 J^T + C) p = c - J M^-1 f.
TEST_F(TreeTest, yielding_rows_and_loops) {
    for (int repeat = 0; repeat < 40; ++repeat) {
        make(12, true, 0);
        if (repeat % 4 != 0) add_loops(1 + repeat % 5);
        yield();
        expect_solved(repeat % 2 == 0, 1e-9);
        const DenseTree d = dense();
        const Eigen::MatrixXd inverse = d.mass.inverse();
        Eigen::MatrixXd a = d.j * inverse * d.j.transpose();
        a.diagonal() += d.compliance;
        Eigen::VectorXd right = d.wanted;
        if (repeat % 2 == 0) right -= d.j * inverse * d.force;
        const Eigen::VectorXd expected = a.ldlt().solve(right);
        EXPECT_LT((impulses() - expected).norm(), 1e-7 * expected.norm()) << repeat;
    }
}

// A link of mass m on a row of compliance C: p = c / (1/m + C), in the tree and as a loop alike.
TEST_F(TreeTest, one_yielding_row) {
    for (const bool is_loop : {false, true}) {
        tree.clear();
        tree.add(is_loop ? Tree::Kind::Free : Tree::Kind::Rows, Tree::kNone);
        tree.links()[0].mass = 2;
        tree.links()[0].inertia = diagonal({1, 1, 1});
        const Tree::Part part{0, {1, 0, 0}, {}};
        if (is_loop) {
            tree.add_loop_row();
            tree.add_loop_part(part);
            tree.loops()[0].compliance = 0.3;
        } else {
            tree.rows_of(0).count = 1;
            tree.rows_of(0).child[0] = part;
            tree.rows_of(0).compliance[0] = 0.3;
        }
        tree.factor();
        (is_loop ? tree.loops()[0].c : tree.rows_of(0).c[0]) = 1.6;
        tree.solve();
        EXPECT_NEAR(impulses()(0), 2, 1e-15);
        EXPECT_NEAR(tree.links()[0].dv.x, 1, 1e-15);
    }
}

// A tree used again knows nothing of the compliance that its rows had.
TEST_F(TreeTest, compliance_is_cleared) {
    make(10, true, 0);
    add_loops(2);
    yield();
    make(10, true, 0);
    add_loops(2);
    EXPECT_EQ(dense().compliance.lpNorm<Eigen::Infinity>(), 0);
}

// The same row twice, and what it asks for: each carries half, and all rows hold.
TEST_F(TreeTest, redundant_loops_share) {
    make(5, false, 0);
    add_loops(1);
    const auto parts = tree.parts_of(tree.loops()[0]);
    const Tree::Part first = parts[0], second = parts[1];
    tree.add_loop_row();
    tree.add_loop_part(first), tree.add_loop_part(second);
    tree.factor();
    for (Tree::LoopRow& row : tree.loops()) row.c = 1;
    tree.solve();
    EXPECT_NEAR(tree.loops()[0].impulse, tree.loops()[1].impulse, 1e-9 * std::abs(tree.loops()[0].impulse));
    const DenseTree d = dense();
    EXPECT_LT((d.j * motion() - d.wanted).lpNorm<Eigen::Infinity>(), 1e-9);
}

// Memory is linear: as much for each joint of 2048 as of 256, and none for solving again.
TEST(SpecMultibody, T11_memory_of_a_joint_is_constant) {
    const auto bytes = [](int n) {
        Tree tree;
        const long before = allocated_bytes;
        for (int k = 0; k < n; ++k) {
            const auto number =
                tree.add(Tree::Kind::Ball, k == 0 ? Tree::kNone : static_cast<std::uint32_t>(k - 1));
            Tree::Link& link = tree.links()[number];
            link.mass = 1, link.a = {-0.5, 0, 0}, link.p = {0.5, 0, 0};
        }
        tree.factor(), tree.solve();
        const long after = allocated_bytes;
        tree.factor(), tree.solve();
        EXPECT_EQ(allocated_bytes - after, 0);
        return static_cast<double>(after - before) / n;
    };
    EXPECT_NEAR(bytes(2048) / bytes(256), 1, 0.01);  // powers of two, as vectors grow
}

}  // namespace
}  // namespace impuls
