// Impacts that leave bodies deep in each other, taken again with shorter substeps.
//
// Contacts are allowed at the end of a substep as far as they are linear in it. A body that is struck off its
// centre at the speed u rotates by about u h / r in the rest of the substep, which puts its points off by
// (u h)^2 / r, and again in each substep while it tumbles over the other. Halving h quarters that. Nothing is
// pushed apart, so momenta are as exact as ever.
// Pairs of a distance field do not count: their depths jump with the samples that touch.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Whether that may happen in h; then the state is kept.
bool may_get_deep(Impulse& s, double h);
// Whether it did.
bool got_deep(Impulse& s);

}  // namespace impuls::impulse
