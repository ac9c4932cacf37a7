// Rows of joints beside the contacts of BlockContacts (contacts.h), in the same substeps. The equations of all
// joints are solved at once (factored.h); limits, motors, brakes and springs are rows of their own, in lanes.
// In each sweep the latter come first and equations last.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "impuls/vec.h"
#include "solvers/blocks/factored.h"
#include "solvers/blocks/kernel.h"
#include "solvers/blocks/row.h"

namespace impuls {

class Executor;

class BlockRows {
  public:
    static constexpr std::size_t kEquations = 6;

    using Row = BlockRow;

    void clear();
    // The next `count` rows are the equations of a joint; they have the same bodies.
    Row& add_equations(std::size_t count);
    Row& add_single();
    std::span<Row> rows() { return rows_; }
    bool empty() const { return rows_.empty(); }
    FactoredRows& equations() { return equations_; }

    // Stages of BlockContacts::solve. Phase: of the pass, from -1 at its start to 1 at its end.
    void prepare(std::span<const block::Body> bodies, Executor& executor);
    void apply(block::Motion* motion, Executor& executor);
    void solve(block::Motion* motion, const block::Motion* moved, const block::Softness& soft, double phase,
               Executor& executor);
    void relax(block::Motion* motion, const block::Motion* moved, const block::Softness& soft, double phase,
               Executor& executor);
    void take();
    // Errors of equations where the bodies are; displacements that take them away.
    void measure(const block::Motion* moved) { equations_.measure(rows_, moved); }
    void close(block::Motion* by) { equations_.close(rows_, by); }
    // After an impact: equations hold.
    void strike(block::Motion* motion, double phase) { equations_.strike(rows_, motion, phase); }

  private:
    void fill(std::span<const block::Body> bodies);
    // Calls f(first batch, count) colour by colour.
    template <class F>
    void for_batches(Executor& executor, F&& f);

    std::vector<Row> rows_{};
    FactoredRows equations_{};
    std::vector<std::uint32_t> singles_{};  // rows
    std::vector<std::size_t> start_{};      // batches of each colour
    std::vector<block::RowBatch<1>> batches_{};
    std::vector<std::uint64_t> used_{};
    std::vector<std::uint8_t> colour_of_{};
    std::vector<std::uint32_t> lane_{};
};

}  // namespace impuls
