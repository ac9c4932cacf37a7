// The contract between dynamics and solvers: one island as nodes, contact points and rows. Dynamics fills it,
// a solver changes velocities and impulses, nobody knows more of the other.
//
// Nodes are bodies, then particles (nodes.h). A row is one linear function J v of the velocities of its nodes
// (two, or more for gears and the like). With its impulse p and w = J v + bias + compliance * p a solution
// has
//     lower < p < upper and w = 0,   or  p = lower and w >= 0,   or  p = upper and w <= 0.
// Joints, limits, motors and springs are rows; only their bounds, bias and compliance differ. Rows of a block
// belong together (a joint's equations) and are best solved together.
// What rows lack is compared in metres: `length` is 1 for a coordinate that is a length, and for an angle the
// size of what turns, which scales as lengths do. So a solver ends after the same sweep whatever the scale.
// A contact point asks for v_n + compliance * impulse_n >= -bias with v_n the normal velocity of b relative
// to a, by an impulse of at least `least` (or its impulse is given and stays: is_given), and keeps its
// friction impulse in friction * impulse_n times the problem's friction set (a disk: Coulomb's cone), where
// it opposes the slip u + bias_t, of where friction acts: that need not be the point itself, as what a face
// bears is spread over it. Likewise a torque impulse of at most rolling * impulse_n along the tangents
// and of torsion * impulse_n along the normal opposes the relative angular velocity. `impulse` is
// accumulated: what was applied since the substep began. `guess` is applied first (warm start). Contact
// points are arrays, so that lanes of a wide solver can be filled by plain loads. A side of a point is a
// node, or the weighted mean of up to eight (contact_side.h). Only between two bodies is turning resisted and
// friction shifted: particles could not bear a torque.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/assert.h"
#include "constraints/contact_side.h"
#include "constraints/friction_set.h"
#include "constraints/nodes.h"
#include "impuls/vec.h"

namespace impuls {

// What they ask for.
struct ContactTerms {
    std::vector<double> bias{}, bias_1{}, bias_2{};
    std::vector<double> friction{}, rolling{}, torsion{};  // the latter two in m
    std::vector<double> least{};
    std::vector<double> compliance{};      // of the normal, velocity per impulse
    std::vector<std::uint8_t> is_given{};  // 1: the normal impulse is not to be changed but by its guess
    FrictionSet friction_set{};
};

// What a solver finds, and where it starts from.
struct ContactImpulses {
    std::vector<double> impulse_n{}, impulse_1{}, impulse_2{};
    std::vector<double> guess_n{}, guess_1{}, guess_2{};
    std::vector<Vec3> torque_impulse{}, torque_guess{};  // along t1, t2, n
};

struct ContactRows : ContactGeometry, ContactTerms, ContactImpulses {
    std::size_t size() const { return a.size(); }
    bool resists_turning(std::size_t k) const { return rolling[k] > 0 || torsion[k] > 0; }
    // m that an angle counts as at a point: what turns there moves the point by so much.
    double lever(std::size_t k) const {
        return std::sqrt(std::max(length_squared(ra[k]), length_squared(rb[k])));
    }
    void clear();
    // Appends a point between two sides, with zero in whatever is not given; returns its number.
    std::size_t add(std::uint32_t side_a, std::uint32_t side_b, const Vec3& normal, const Vec3& arm_a,
                    const Vec3& arm_b);
    // Appends point k of others, with its impulse and without a guess.
    void add(const ContactRows& from, std::size_t k);
};

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Row {
    std::uint32_t first_part = 0;
    std::uint16_t part_count = 0;
    bool is_linear = false;  // its error is a length, not an angle
    double length = 1;       // m that a unit of its coordinate counts as, where errors are compared (below)
    double error = 0;        // C(q): m or rad
    double bias = 0;         // m/s or rad/s
    double stiffness = 0;    // 1/s: how much a spring's bias grows with its coordinate
    double lower = -kUnbounded, upper = kUnbounded;
    double compliance = 0;  // velocity per impulse
    double impulse = 0;     // N s or N m s
    double guess = 0;

    bool is_bounded() const { return lower != -kUnbounded || upper != kUnbounded; }
    // An equation J v = -bias, without bounds and not yielding.
    bool is_equation() const { return !is_bounded() && compliance == 0; }
};

struct Block {
    std::uint32_t first_row = 0, row_count = 0;
};

struct Rows {
    std::vector<RowPart> parts{};
    std::vector<Row> rows{};
    std::vector<Block> blocks{};

    void clear();
    // Each appends: an empty block; an empty row to the last block; a node to the last row, whose error is a
    // length when any of its parts is linear: angles have no linear parts.
    void begin_block();
    Row& add();
    void add_part(std::uint32_t node, const Vec3& linear, const Vec3& angular);
    // Appends block b of others, with its impulses and without guesses.
    void add(const Rows& from, std::size_t b);

    std::span<const RowPart> parts_of(const Row& row) const {
        IMPULS_ASSERT(row.first_part + row.part_count <= parts.size());
        return {parts.data() + row.first_part, row.part_count};
    }
    std::span<Row> rows_of(const Block& block) {
        IMPULS_ASSERT(block.first_row + block.row_count <= rows.size());
        return {rows.data() + block.first_row, block.row_count};
    }
    std::span<const Row> rows_of(const Block& block) const {
        IMPULS_ASSERT(block.first_row + block.row_count <= rows.size());
        return {rows.data() + block.first_row, block.row_count};
    }
};

struct Problem {
    Nodes nodes{};
    ContactRows contacts{};
    Rows rows{};
};

// Asserts what solvers rely on: every node, row and part that is named is there, and columns are equally
// long.
void assert_whole(const Problem& problem);

// J v of a row.
double velocity_of(const Problem& problem, const Row& row);

struct SolveResult {
    int iterations = 0;
    double residual = 0;     // largest velocity change of the last sweep, m/s (times Row::length)
    std::uint64_t work = 0;  // rows that were updated, or eliminated and substituted
    bool fell_back =
        false;  // the method asked for gave up or the problem is too large for it: another one did
};

// Where the nodes will be after the substep with the velocities they have now, by the very function that
// integration uses: writes the errors there of the rows of blocks [first, last). Their J stays.
class Preview {
  public:
    virtual ~Preview() = default;
    virtual void refresh(Problem& problem, std::size_t first, std::size_t last) = 0;
};

}  // namespace impuls
