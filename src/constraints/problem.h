// The contract between dynamics and solvers: one island as nodes, contact points and joint blocks. Dynamics
// fills it, a solver changes velocities and impulses, nobody knows more of the other.
//
// A joint row asks for J v = -bias, a contact point for v_n >= -bias with v_n the normal velocity of b
// relative to a, and its friction impulse stays in the disk of radius friction * impulse_n (Coulomb's cone).
// `impulse` is accumulated: what was applied since the substep began. `guess` is applied first (warm start).
// Arrays by point, so that lanes of a wide solver can be filled by plain loads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "impuls/vec.h"
#include "math/small_ldlt.h"

namespace impuls {

struct Nodes {
    std::vector<double> inv_mass{};   // 0: does not move
    std::vector<Mat3> inv_inertia{};  // W
    std::vector<Vec3> v{};
    std::vector<Vec3> w{};
};

struct ContactRows {
    std::vector<std::uint32_t> a{}, b{};
    std::vector<Vec3> n{}, t1{}, t2{};  // n from a to b; t1, t2 span the tangent plane
    std::vector<Vec3> ra{}, rb{};       // from the nodes' centres to the point
    std::vector<double> bias{};
    std::vector<double> friction{};
    std::vector<double> impulse_n{}, impulse_1{}, impulse_2{};
    std::vector<double> guess_n{}, guess_1{}, guess_2{};

    std::size_t size() const { return a.size(); }
    void clear();
    // Appends a point with zero bias, friction, impulse and guess; returns its number.
    std::size_t add(std::uint32_t node_a, std::uint32_t node_b, const Vec3& normal, const Vec3& arm_a,
                    const Vec3& arm_b);
};

struct JointRow {
    Vec3 linear_a{}, angular_a{}, linear_b{}, angular_b{};
    double error = 0;    // C(q): m or rad
    double bias = 0;     // m/s or rad/s
    double impulse = 0;  // N s or N m s
    double guess = 0;
};

struct JointBlock {
    std::uint32_t a = 0, b = 0;
    int count = 0;
    std::array<JointRow, kMaxRows> rows{};
};

struct Problem {
    Nodes nodes{};
    ContactRows contacts{};
    std::vector<JointBlock> joints{};
};

struct SolveResult {
    int iterations = 0;
    double residual = 0;  // largest velocity change of the last sweep, m/s or rad/s
};

}  // namespace impuls
