// Rows of joints beside the contacts of BlockContacts (contacts.h), in the same substeps and lanes. The
// equations of a joint, up to six, are one block; limits, motors, brakes and springs are rows of their own.
// In each sweep the latter come first and equations last.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "impuls/vec.h"
#include "solvers/blocks/kernel.h"

namespace impuls {

class Executor;

class BlockRows {
  public:
    static constexpr std::size_t kEquations = 6;

    // Rate: linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b.
    struct Row {
        std::uint32_t a = 0, b = 0;  // bodies
        Vec3 linear_a{}, angular_a{}, linear_b{}, angular_b{};
        double error = 0, cap = 0;  // what is off, and how much of it counts at most
        double impulse = 0;         // of a substep: guess, and in the last one
        double sum = 0;             // result: of all substeps
        // Those that are no equations, see block::RowBatch.
        double lower = 0, upper = 0, bias = 0, stiffness = 0, yields = 0;
        bool is_limit = false, is_spring = false;
    };

    void clear();
    // The next `count` rows are the equations of a joint; they have the same bodies.
    Row& add_equations(std::size_t count);
    Row& add_single();
    std::span<Row> rows() { return rows_; }
    bool empty() const { return rows_.empty(); }

    // Stages of BlockContacts::solve.
    void prepare(std::span<const block::Body> bodies, Executor& executor);
    void apply(block::Motion* motion, Executor& executor);
    void solve(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
               Executor& executor);
    void relax(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
               Executor& executor);
    void take();
    // Errors of equations where the bodies are; a sweep of displacements that take them away.
    void measure(const block::Motion* moved, Executor& executor);
    void close(block::Motion* by, Executor& executor);
    // A sweep of an impact: equations hold.
    void strike(block::Motion* motion, Executor& executor);

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
    std::vector<std::uint64_t> used_{};
    std::vector<std::uint8_t> colour_of_{};
    std::vector<std::uint32_t> lane_{};
};

}  // namespace impuls
