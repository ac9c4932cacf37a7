// How well a problem is solved, whatever solved it: the merit function of a complementarity problem,
//     phi = p - project(p - m w),   w = J v + bias + compliance * p,   m = 1 / (J M^-1 J^T + compliance),
// is 0 exactly at a solution. Rows and normals project onto their bounds; friction, both directions at once,
// onto the set of impulses that friction allows at the present normal impulse (rolling likewise), and m is
// that of the harder direction. phi / m is a velocity: what a row would still want to change. For tests and
// reports.
#pragma once

#include "constraints/problem.h"

namespace impuls {

class RowSystem;

// The largest |phi / m| of all rows, m/s (Row::length; the lever of the point for torques). Rows that nothing
// can move do not count.
double complementarity_error(const Problem& problem, const FrictionSet& friction = {});
// The same with the problem's rows at hand.
double complementarity_error(const Problem& problem, const RowSystem& system, const FrictionSet& friction);

}  // namespace impuls
