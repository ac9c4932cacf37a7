// How wrong the mass of a body is whose closed parts overlap. Masses of parts add up (mass_properties.h): a
// point inside w parts weighs w times, and one inside a part that is inside out less than nothing. By the
// winding number w of the whole surface,
//     share = integral of |w - [w > 0]| over integral of [w > 0].
// Found along straight lines, exactly along each, on a grid of lines across. Called by worlds, which warn.
#pragma once

#include "impuls/shapes.h"

namespace impuls {

// Of compounds and meshes; 0 for all others, and within the grid's accuracy (1e-2) for parts that only touch.
double miscounted_share(const Shape& shape);

}  // namespace impuls
