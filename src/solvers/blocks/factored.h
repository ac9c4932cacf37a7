// Equations of joints in the substeps of blocks, all at once: A = J M^-1 J^T is factored once a pass
// (sparse_blocks.h), in double, since rows and masses are frozen in it; each solve is a substitution. So a
// chain or a net hands on what it bears from end to end in one sweep, whatever the ratio of masses, and
// contacts are loads on it (Bender's and Baraff's direct joints with sequential contacts; alternating the two
// with the joints last leaves joints closed). In the bodies' coordinates w~ = I^(1/2) w. Called by BlockRows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/blocks/kernel.h"
#include "solvers/blocks/row.h"
#include "solvers/sparse_blocks.h"

namespace impuls {

class FactoredRows {
  public:
    // Where in the pass rows are those of: later than in its middle, where the rule would neither damp nor
    // add, for what swings fast under loads while rows are frozen. Fitted on the faults of joints: with 0.6
    // and 0.75 some that have contacts are torn.
    static constexpr double kAhead = 0.7;

    void clear() { joints_.clear(); }
    // Rows [first, first + count) are the equations of one joint.
    void add(std::uint32_t first, std::uint32_t count) { joints_.push_back({first, count}); }
    bool empty() const { return joints_.empty(); }

    void prepare(std::span<const BlockRow> rows, std::span<const block::Body> bodies);
    void apply(std::span<const BlockRow> rows, block::Motion* motion);
    // Rates become those wanted (BlockRow::drift); the impulses are added to the rows'.
    void solve(std::span<BlockRow> rows, block::Motion* motion, double phase);
    // The impulses of a substep are added to the sums.
    void add_up(std::span<BlockRow> rows) const;
    // As solve(), but the impulses count in the sums alone.
    void strike(std::span<BlockRow> rows, block::Motion* motion, double phase);
    // Displacements that take the errors away.
    void close(std::span<const BlockRow> rows, block::Motion* by);
    // Adds what displacements change of the errors.
    void measure(std::span<BlockRow> rows, const block::Motion* moved);

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    struct Joint {
        std::uint32_t first, count;
        std::uint32_t a = 0, b = 0, jacobian = 0;  // numbers among own bodies, first of jacobians_
    };
    struct Jacobian {
        Vec3 la, ja, lb, jb;
    };
    struct Own {  // a body with joints
        std::uint32_t body;
        double inv_mass;
        Vec3 v, w;
    };

    std::uint32_t own_number(std::uint32_t body, std::span<const block::Body> bodies);
    void gather(const block::Motion* motion);
    void scatter(block::Motion* motion) const;
    double rate(const Joint& joint, const Jacobian& j) const;
    void push(const Joint& joint, const Jacobian& j, double impulse);
    // Solves for rates changed by change(row); calls take(row, impulse) for each.
    template <class Change, class Take>
    void substitute(Change&& change, Take&& take);

    std::vector<Joint> joints_{};
    std::vector<Jacobian> jacobians_{};
    std::vector<Own> own_{};
    std::vector<std::uint32_t> number_{};  // by body, among own; kNone
    SparseBlocks blocks_{};
};

}  // namespace impuls
