// Machine parts as meshes: involute spur gears and disc cams (their descriptions are in impuls/shapes.h and
// convert to Mesh by what is here). With module m, z teeth, pressure angle a, profile shift x,
//     r = m z/2,  r_b = r cos a,  r_a = m (z/2 + 1 + x),  r_f = m (z/2 - 1.25 + x),
// a tooth's half thickness at the radius p is, as an angle (inv t = tan t - t, cos t = r_b/p),
//     pi/(2 z) + 2 x tan(a)/z - j/(2 r) + inv a - inv t - relief(p)/p         (spec: areal-contact 3.1)
// Rows of facets along a flank have equal arc lengths. Called by shape checks and tests.
#pragma once

#include <string>

#include "impuls/shapes.h"

namespace impuls {

// What is wrong with a gear's numbers together; "": nothing.
std::string gear_problem(const SpurGear& gear);

struct GearRadii {
    double pitch, base, tip, root;  // m
};
GearRadii radii_of(const SpurGear& gear);
// Half the angle of a tooth at a radius between base and tip, rad.
double half_tooth(const SpurGear& gear, double radius);
// How many pairs of teeth are in contact on average, at this distance of axes (m); relief does not count.
double contact_ratio(const SpurGear& a, const SpurGear& b, double distance);

}  // namespace impuls
