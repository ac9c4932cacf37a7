// All distance rows of chains at once: one Newton step of A lambda = -C with A = J M^-1 J^T + alpha, banded
// LDL^T. The oracle of the sweeps on small sheets (Bender 2014, 4.3.3, with the previewed directions and
// compliance in place of the text's regularisation). Work grows as rows times band squared. Called by Sheet
// and tests.
#pragma once

#include <cstdint>
#include <vector>

#include "deformable/chains.h"

namespace impuls::deformable {

class GlobalRows {
  public:
    // Rows in the order of their lower node, which makes the band of a grid about twice its columns.
    GlobalRows(const Chains& chains, std::size_t nodes);
    // p += M^-1 J^T lambda; returns the largest |C| / l^2 before it.
    double solve(const std::vector<double>& k, double h, Columns& p);

    std::size_t rows() const { return ends_.size(); }

  private:
    struct Row {
        std::uint32_t a, b;
        double squared, compliance;
    };
    std::vector<Row> ends_;
    std::vector<std::vector<std::uint32_t>> at_;  // rows of a node
    std::size_t band_ = 0;
    std::vector<double> matrix_, right_;  // row i: columns i - band_ to i
    std::vector<Vec3> d_;
};

}  // namespace impuls::deformable
