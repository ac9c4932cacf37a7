// Cubic B-splines over breaks t_0 < .. < t_m, clamped at both ends: m + 3 control values, and on each span
// four basis functions with their derivatives (de Boor 1978; Cox's recursion). Called for splines of control
// points and of rotations.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace impuls {

struct CubicBasis {
    std::size_t first = 0;                           // control values first .. first + 3 count
    std::array<double, 4> value{}, slope{}, bend{};  // and first and second derivatives
};
// At t within the breaks (at_least two; outside, the end spans go on).
CubicBasis cubic_basis(std::span<const double> breaks, double t);

// 0, 1, .. for so many control values (at least four).
std::vector<double> even_breaks(std::size_t controls);

}  // namespace impuls
