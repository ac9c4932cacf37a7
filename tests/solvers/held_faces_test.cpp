// Faces that are held: loads of much on little, found at once; what lifts off is let go; never a worse guess.
#include "solvers/held_faces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/random_problems.h"

namespace impuls {
namespace {
using namespace test;

constexpr double kFall = 9.81 / 480;  // m/s that gravity gives in a substep

// Cubes of 1 m on each other, `count` of 1 kg and one of `heavy` kg on top, shifted sideways by 0.1 m to and
// fro, all falling with what gravity gave them.
Problem tower(int count, double heavy) {
    Problem p;
    add_static(p);
    const auto at = [](int k) { return Vec3{k % 2 ? 0.1 : 0.0, 0.5 + k, 0}; };
    for (int k = 0; k <= count; ++k) {
        const double mass = k < count ? 1 : heavy;
        const auto node = add_node(p, 1 / mass, {0, -kFall, 0}, diagonal(Vec3{6, 6, 6} / mass));
        const double left = k == 0 ? -0.5 : -0.4, right = 0.5;
        for (const double x : {left, right})
            for (const double z : {-0.5, 0.5}) {
                const Vec3 point{x, static_cast<double>(k), z};
                const Vec3 ra = k == 0 ? Vec3{} : point - at(k - 1);
                p.contacts.friction[p.contacts.add(node - 1, node, {0, 1, 0}, ra, point - at(k))] = 0.5;
            }
    }
    return p;
}

double sum_of(const std::vector<double>& values, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t k = first; k < first + count; ++k) sum += values[k];
    return sum;
}

// Statics: each face carries what lies on it; nothing moves. The equations' condition number is the ratio of
// masses times the number of faces: so much is lost of sixteen digits, and two more.
TEST(HeldFaces, towers_carry_their_load_whatever_it_is) {
    for (const int count : {1, 2, 5, 9})
        for (const double heavy : {1e2, 1e4, 1e6, 1e8}) {
            Problem p = tower(count, heavy);
            const double lost = std::max(1e-9, 1e-14 * heavy * (count + 1));
            make_solver(Solver::Sparse)->solve(p, {10, 0, kFall, nullptr});
            for (int face = 0; face <= count; ++face) {
                const double load = (count - face + heavy) * kFall;
                const auto first = static_cast<std::size_t>(4 * face);
                EXPECT_NEAR(sum_of(p.contacts.impulse_n, first, 4) / load, 1, lost)
                    << face << " of " << count << ", " << heavy;
            }
            for (const Vec3& v : p.nodes.v) EXPECT_LT(length(v), 1e-6 * kFall) << count << ", " << heavy;
        }
}

// Its centre of mass beyond the edge, the heavy one tips: about that edge, whose points alone push.
TEST(HeldFaces, what_tips_over_is_let_go) {
    Problem p;
    add_static(p);
    const double heavy = 1e6;
    const auto low = add_node(p, 1, {0, -kFall, 0}, diagonal({6, 6, 6}));
    const auto top = add_node(p, 1 / heavy, {0, -kFall, 0}, diagonal(Vec3{6, 6, 6} / heavy));
    const Vec3 at_low{0, 0.5, 0}, at_top{0.7, 1.5, 0};
    for (const double x : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5})
            p.contacts.friction[p.contacts.add(0, low, {0, 1, 0}, {}, Vec3{x, 0, z} - at_low)] = 10;
    for (const double x : {0.2, 0.5})
        for (const double z : {-0.5, 0.5}) {
            const Vec3 point{x, 1, z};
            p.contacts.friction[p.contacts.add(low, top, {0, 1, 0}, point - at_low, point - at_top)] = 10;
        }
    make_solver(Solver::Sparse)->solve(p, {200, 0, kFall, nullptr});
    EXPECT_LT(complementarity_error(p, p.contacts.friction_set), 1e-6 * kFall);
    EXPECT_LT(p.nodes.w[top].z, -0.1 * kFall);  // about that edge
    EXPECT_EQ(p.contacts.impulse_n[4] + p.contacts.impulse_n[5], 0);
}

// At random: of the problem nothing changes but guesses, and these for the better.
TEST(HeldFaces, guesses_get_no_worse) {
    int better = 0, asked = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        Problem p;
        add_static(p);
        for (int k = 0; k < 4; ++k) {
            const double mass = std::pow(10.0, random.uniform(0, 6));
            add_body(p, random, mass);
        }
        for (int k = 0; k < 6; ++k) {
            const auto b = 1 + random.index(4), a = random.index(b);
            const Vec3 normal = normalized(random.vector()), ra = random.vector(), rb = random.vector();
            const double mu = random.uniform(0, 1);
            const bool is_face = random.index(2) == 0;
            for (int corner = 0; corner < (is_face ? 3 : 1); ++corner) {
                const Vec3 shift = is_face ? cross(normal, random.vector()) : Vec3{};
                const auto c = p.contacts.add(a, b, normal, ra + shift, rb + shift);
                p.contacts.friction[c] = mu;
                p.contacts.guess_n[c] = random.uniform(0, 1);
            }
        }
        if (!HeldFaces::suits(p, 1)) continue;
        const auto error_of = [](Problem problem) {
            RowSystem system;
            system.build(problem);
            system.apply_guesses(problem);
            return complementarity_error(problem, system, problem.contacts.friction_set);
        };
        ++asked;
        const Problem before = p;
        HeldFaces().improve_guess(p, 1);
        EXPECT_LE(error_of(p), error_of(before)) << seed;
        better += error_of(p) < error_of(before) ? 1 : 0;
        EXPECT_EQ(p.nodes.v, before.nodes.v);
        EXPECT_EQ(p.nodes.w, before.nodes.w);
        EXPECT_EQ(p.contacts.impulse_n, before.contacts.impulse_n);
        for (std::size_t k = 0; k < p.contacts.size(); ++k)
            EXPECT_GE(p.contacts.impulse_n[k] + p.contacts.guess_n[k], 0) << seed;
    }
    EXPECT_GT(asked, 100);
    EXPECT_GT(better, asked / 4);
}

}  // namespace
}  // namespace impuls
