// Sweeps quickly find which contacts carry load and which slip; how much each carries they find slowly
// where a load passes many contacts or a large ratio of masses (n light bodies under one r times as heavy: n
// r sweeps). With the former known the latter are linear equations: w = 0 for every row without bounds or
// strictly inside of them, for the normal of every contact that pushes, and for both tangents of those that
// stick; all other impulses stay as they are.
//     (A + e diag A) dp = -w,   p += dp,   and again
// The term e is for points that share a load in more than one way (four on a face): the change is then the
// least one, and a second round takes the error of the term away. The result is good if every impulse is
// still where it was taken to be: inside its bounds, pushing, sticking. Otherwise the sweeps go on from what
// they had. Used by AlternatingSolver for islands that are small enough.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/equations.h"

namespace impuls {

class ActiveSet {
  public:
    explicit ActiveSet(std::unique_ptr<EquationSolver> equations) : equations_(std::move(equations)) {}
    // Few enough to be factored, and loaded beyond what sweeps can do: some contact gives one of its bodies
    // more than kStrain times the `speed` that forces make in a substep. (Alone on the ground it is 1, below
    // n bodies n: as many sweeps as that are needed.)
    static bool suits(const Problem& problem, double speed);
    // Solves the equations of the rows that are active now; false: the result is of no use.
    bool refine(Problem& problem, double speed);
    std::uint64_t work() const { return equations_->work(); }

  private:
    enum class Kind : std::uint8_t { Row, Normal, First, Second };
    struct Source {
        Kind kind;
        std::uint32_t number;  // of the row or contact
    };
    static double& impulse_of(Problem& problem, const Source& source);
    void collect(const Problem& problem);
    void add_contact_row(const Problem& problem, std::uint32_t contact, Kind kind, const Vec3& direction);
    void set_biases(const Problem& problem);
    bool holds(const Problem& problem) const;

    std::unique_ptr<EquationSolver> equations_;
    Problem active_{};               // rows that are equations now
    std::vector<Source> sources_{};  // by row of active_
    std::vector<std::uint8_t> taken_{};
};

}  // namespace impuls
