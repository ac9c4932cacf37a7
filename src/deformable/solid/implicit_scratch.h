// Scratch of implicit steps of solids: the factor of (4/h^2) M + K at rest, in the order of the band, with
// what conjugate gradients need. Kept for the length of substep it was made for; it depends on nothing else,
// so dropping it changes nothing. Called by solid.cpp and implicit.cpp.
#pragma once

#include <vector>

#include "deformable/columns.h"
#include "deformable/solid/banded.h"

namespace impuls::deformable {

struct ImplicitScratch {
    double h = -1;
    BandedCholesky factor{};
    std::vector<double> packed{};
    Columns start{}, guess{}, residual{}, direction{}, product{}, preconditioned{}, correction{};
    int newton = 0, iterations = 0;  // of the last step
};

}  // namespace impuls::deformable
