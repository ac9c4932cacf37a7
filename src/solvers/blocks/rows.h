// Rows of joints beside the contacts of BlockContacts (contacts.h), in the same substeps. The equations of
// chains and trees are solved at once (factored.h); those of nets, which are more often nearly
// redundant than a frozen factor bears, joint by joint, up to six as one block, in lanes. Limits, motors,
// brakes and springs are rows of their own, in lanes. In each sweep the latter come first and equations last.
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
    Row& add_equations(std::size_t count, bool is_factored);
    Row& add_single();
    std::span<Row> rows() { return rows_; }
    bool empty() const { return rows_.empty(); }

    // Stages of BlockContacts::solve. Phase: of the pass, from -1 at its start to 1 at its end.
    void prepare(std::span<const block::Body> bodies, Executor& executor);
    void apply(block::Motion* motion, Executor& executor);
    void solve(block::Motion* motion, const block::Motion* moved, const block::Softness& soft, double phase,
               Executor& executor);
    void relax(block::Motion* motion, const block::Motion* moved, const block::Softness& soft, double phase,
               Executor& executor);
    void take();
    // Errors of equations where the bodies are, or as the rows say; a sweep of displacements that take them
    // away.
    void measure(const block::Motion* moved, Executor& executor);
    void set_errors();
    void close(block::Motion* by, Executor& executor);
    bool are_factored() const { return equations_.entries.empty(); }
    // A sweep of an impact: equations hold.
    void strike(block::Motion* motion, double phase, Executor& executor);

  private:
    struct Entry {
        std::uint32_t first, count;
    };
    template <int N>
    struct Lot {  // batches, colour by colour
        std::vector<Entry> entries{};
        std::vector<std::size_t> start{};
        std::vector<block::RowBatch<N>> batches{};
    };
    template <int N>
    void fill(Lot<N>& lot, std::span<const block::Body> bodies);
    template <int N>
    void take(const Lot<N>& lot);
    // Calls f(first batch, count) colour by colour.
    template <int N, class F>
    static void for_batches(Lot<N>& lot, Executor& executor, F&& f);

    std::vector<Row> rows_{};
    Lot<1> singles_{};
    Lot<6> equations_{};
    FactoredRows factored_{};
    std::vector<std::uint64_t> used_{};
    std::vector<std::uint8_t> colour_of_{};
    std::vector<std::uint32_t> lane_{};
};

}  // namespace impuls
