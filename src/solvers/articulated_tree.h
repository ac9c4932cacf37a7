// Bodies that joints connect to trees: impulses for wanted relative velocities, in time linear in their
// number. For every joint a relative velocity c (child against parent, at the joint) is asked for, for every
// body an impulse (f, t) at its centre may be given; then
//     M dv = (f, t) + J^T p,    J dv + C p = c
// is solved by elimination from the leaves to the roots, with the compliance C of the rows (0: rigid). Ball
// joints, always rigid, have a form of their own, on velocities u of the joint's point instead of the body's
// centre, in which everything is 3 x 3. With a from the body's centre to its own joint, d from its joint to a
// child's joint, [x] the matrix of the cross product:
//     A = m 1 + sum L_c,    B = m [a] - sum L_c [d_c],    D = I - m [a][a] - sum [d_c] L_c [d_c]
//     W = D^-1 B^T,         L = A - B W                   (the mass that the parent feels at the joint)
//     up:    b = f - W^T t at the joint;  g = b - L c;  the parent's f += g, t += d x g
//     down:  u = u_p + w_p x d + c;  w = D^-1 t - W u;  impulse L u - b
// All other joints are given by their rows: with the 6 x 6 matrix H of A, B, D, X = H^-1 Jc^T, S = Jc X + C,
//     up:    s = S^-1 (c - X^T b);  the parent's matrix += Jp^T S^-1 Jp, its b += Jp^T s
//     down:  p = s - S^-1 Jp dv_p;  dv = H^-1 b + X p
// (Featherstone 1983; Baraff, SIGGRAPH 1996.) Only positive semi-definite terms are added, so mass ratios do
// no harm, and S loses rows that are redundant. Joints beyond a spanning tree close loops: their rows'
// matrix, seen through the tree, is inverted without its small eigenvalues, so that redundant and
// contradicting loops stay harmless. Used by the articulated stepper and by the solver `tree` (tree.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "impuls/vec.h"
#include "math/small_ldlt.h"
#include "math/symmetric_eigen.h"

namespace impuls {

class ArticulatedTree {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;
    // More are for other methods: their matrix is dense, and all its eigenvalues are found.
    static constexpr std::size_t kMostLoopRows = 60;

    enum class Kind : std::uint8_t {
        Ball,  // to the parent, or to the world
        Rows,  // the same, by rows
        Free   // a root that nothing holds
    };
    struct Link {
        std::uint32_t parent = kNone;  // its number is lower than the link's own; kNone: the world, or none
        std::uint32_t rows = kNone;    // place of its rows
        Kind kind = Kind::Free;
        // Given before factor().
        double mass = 0;
        Mat3 inertia{};  // in the axes of its rows: W
        Vec3 a{}, p{};   // ball: from the link's and the parent's centre to the joint
        // Given before solve(): wanted velocity at a ball joint; impulse at the centre.
        Vec3 c{}, f{}, t{};
        // Results: the ball joint's impulse on this link, and the change of motion of its centre.
        Vec3 impulse{}, dv{}, dw{};
    };
    // What rows say of a link: linear . v + angular . w of its centre.
    struct Part {
        std::uint32_t link = kNone;
        Vec3 linear{}, angular{};
    };
    struct JointRows {
        std::uint32_t link = kNone;
        int count = 0;
        std::array<Part, 6> child{}, parent{};
        std::array<double, 6> compliance{};    // 0 unless given
        std::array<double, 6> c{}, impulse{};  // wanted, result
    };
    struct LoopRow {
        std::uint32_t first_part = 0, end_part = 0;
        double compliance = 0;
        double c = 0, impulse = 0;
    };

    // Eigenvalues of the loops' scaled matrix below `loop_cut` of the mean diagonal of J M^-1 J^T + C count
    // as 0. Rows whose axes should agree and are off by an angle e have e^2: what contradicts by less than
    // sqrt(loop_cut) does no work, and what masses that differ by more than 1 / loop_cut make small is lost.
    explicit ArticulatedTree(double loop_cut = 1e-7) : loop_cut_(loop_cut) {}

    void clear();
    // Appends a link; `kind` says how it is joined to the parent. Returns its number.
    std::uint32_t add(Kind kind, std::uint32_t parent);
    // Rows that close loops: each appends, an empty row, or a link to the last row.
    void clear_loops();
    void add_loop_row();
    void add_loop_part(const Part& part);

    std::span<Link> links() { return {links_.data(), count_}; }
    JointRows& rows_of(std::uint32_t link) {
        IMPULS_ASSERT_INDEX(link, count_);
        IMPULS_ASSERT_INDEX(links_[link].rows, rows_count_);
        return rows_[links_[link].rows];
    }
    std::span<LoopRow> loops() { return loops_; }
    std::span<const Part> parts_of(const LoopRow& row) const {
        IMPULS_ASSERT(row.first_part <= row.end_part && row.end_part <= loop_parts_.size());
        return {loop_parts_.data() + row.first_part, loop_parts_.data() + row.end_part};
    }

    void factor();
    // With `has_forces` the given impulses f, t act as well; else they count as 0.
    void solve(bool has_forces = false);

  private:
    struct Sym3 {
        double xx, yy, zz, xy, xz, yz;
    };
    // Eliminated: what a link's own joint needs of it.
    struct Node {
        Sym3 a, d;
        Mat3 b;
        Sym3 inverse_d, l;
        Mat3 w;
        Vec3 arm;   // from the parent's reference point to the joint
        Vec3 f, t;  // at the link's reference point: its ball joint, or its centre
        Vec3 u, dw;
    };
    using Vec6 = std::array<double, 6>;
    struct RowsNode {
        std::array<Vec6, 6> jc, jp, x, y;
        std::array<double, 6> s;
        SmallLdlt inertia, matrix;
    };

    static Vec3 times(const Sym3& m, const Vec3& v);
    static Sym3 inverse_of(const Sym3& m);
    const Vec3& reference(std::uint32_t link) const;
    Vec6 at_reference(const Part& part) const;
    void begin_node(std::uint32_t k);
    void eliminate_ball(std::uint32_t k);
    void eliminate_rows(std::uint32_t k);
    void factor_free(std::uint32_t k);
    void factor_loops();
    void set_forces(bool has_forces);
    void pass_up();
    void pass_down();
    double loop_velocity(const LoopRow& row) const;
    void push(const LoopRow& row, double impulse);

    std::vector<Link> links_{};
    std::vector<Node> nodes_{};
    std::vector<JointRows> rows_{};
    std::vector<RowsNode> row_nodes_{};
    std::size_t count_ = 0, rows_count_ = 0;
    std::vector<LoopRow> loops_{};
    std::vector<Part> loop_parts_{};
    std::vector<double> loop_scale_{}, loop_matrix_{}, loop_right_{};
    TruncatedInverse loop_inverse_{};
    double loop_cut_;
};

}  // namespace impuls
