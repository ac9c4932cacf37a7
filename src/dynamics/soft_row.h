// A spring and damper along a coordinate x as a row: the one place where springs of joints (axis.cpp) and
// stiff forces (force.h) become impulses. With the force -P at x and at rest, and P growing by k with x and
// by c with x', a solve over the time t gives
//     p = -t (P + k t v + c v),   that is   v + P / (k t + c) + p / (t (k t + c)) = 0.
// While displacing, t is half of the substep and v the velocity in its middle; the velocity phase gives the
// same impulse again. Then this is the implicit midpoint rule: second order, keeps the energy of linear
// springs, stable at any stiffness. Over a whole substep it is implicit Euler.
#pragma once

#include "constraints/problem.h"

namespace impuls {

inline void set_soft(Row& row, double pull, double stiffness, double damping, double time) {
    if (!(time > 0)) {
        row.lower = row.upper = 0;
        return;
    }
    const double yields = time * stiffness + damping;
    row.compliance = 1 / (time * yields);
    row.stiffness = stiffness / yields;
    row.bias = pull / yields;
}

}  // namespace impuls
