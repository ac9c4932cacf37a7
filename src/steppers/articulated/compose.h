// Five substeps composed to one of fourth order.
//
// A substep S(h) is symmetric, S(h) S(-h) = 1, so it is the flow of a modified equation with odd powers of h
// only: S(h) = exp(h A + h^3 B + h^5 ...). In S(g1 h) ... S(gn h) with sum g = 1 the term of h^3 is
// B sum g^3, and a palindrome has no even terms: where sum g^3 = 0, the composition is symmetric and of
// fourth order. Suzuki (Phys. Lett. A 146, 1990) takes g, g, 1 - 4g, g, g, so that 4 g^3 + (1 - 4g)^3 = 0,
// g = 1 / (4 - 4^(1/3)) (Hairer, Lubich and Wanner, Geometric Numerical Integration, II.4 and V.3.2). Three
// stages (Yoshida) have an error 70 to 100 times larger at the same length, and every real composition of
// fourth order has a step backwards in time.
//
// That step is why an island is composed only if its bodies have no damping: backwards, damping grows. All
// else that acts here (weight, constant forces, kinematic bodies) is as good in either direction, and what is
// not (contacts, limits, motors, springs, friction) is not for this stepper. With a budget there are too few
// substeps. The choice depends on descriptions, not on the past.
#pragma once

#include <vector>

#include "steppers/articulated/substep.h"

namespace impuls::articulated {

// The state before a composition.
struct SavedState {
    std::vector<TreeBody> bodies{};
    std::vector<double> angles{};
    JointForces forces{};
};

bool may_compose(const Method& method, const Mechanism& m);

// One substep of length h, or the stages of a composition. False: the joints do not close, and the state is
// the one before.
bool take_substep(Context& c, double h);
bool take_composition(Context& c, double h, SavedState& saved);

}  // namespace impuls::articulated
