// The linear complementarity problem w = M z + q, 0 <= z | w >= 0 of bounded rows and of contacts with
// pyramids of friction (unknowns and rows: direct.h), solved by pivoting. Called by direct.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "constraints/problem.h"
#include "math/lemke.h"
#include "solvers/elimination.h"
#include "solvers/row_system.h"

namespace impuls {

class PyramidLcp {
  public:
    explicit PyramidLcp(int eta) : eta_(eta) {}

    void build(const Problem& problem, const RowSystem& system, const Elimination& rows);
    // Later attempts take other covering vectors. False: none was found.
    bool solve(int attempt);
    // After solve(): sets the impulses of the bounded rows.
    void recover(const Elimination& rows, std::span<double> x) const;

    std::size_t size() const { return variables_.size(); }
    int pivots() const { return lemke_.pivots(); }

  private:
    // z adds along_1 times itself to the impulse of row_1, and so on; row_1 == kNone: y or lambda.
    struct Variable {
        std::size_t row_1, row_2;
        double along_1, along_2;
    };
    static constexpr std::size_t kNone = ~std::size_t{0};
    // Of the matrix: what couples impulses with y and lambda.
    struct Entry {
        std::size_t row, column;
        double value;
    };
    // A contact's normal impulse: its variable (kNone: the impulse is given) and what that adds to.
    struct Load {
        std::size_t variable;
        double least;
    };

    void make_variables(const Problem& problem, const RowSystem& system, const Elimination& rows);
    void add_friction(std::size_t row, double mu, bool is_planar, const Load& load);
    void add_impulse(std::size_t row, double along, std::size_t row_2 = kNone, double along_2 = 0);
    void add_slack(double q);
    void link(std::size_t variable, std::size_t slack);
    void fill_matrix(const Elimination& rows);
    void scale();

    int eta_;
    Lemke lemke_{};
    std::vector<Variable> variables_{};
    std::vector<Entry> extra_{};
    std::vector<double> base_{}, base_w_{};  // by bounded row: impulse with z = 0, and w with it
    std::vector<double> m_{}, q_{}, z_{}, cover_{};
    std::vector<double> scale_{};  // of z; q is in units of q_unit_
    double q_unit_ = 1;
};

}  // namespace impuls
