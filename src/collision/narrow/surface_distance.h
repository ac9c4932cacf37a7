// Signed distance of a point from a contact surface (mesh or height field), negative behind it. The sign is
// that of the pseudo-normal at the nearest point (Baerentzen and Aanaes 2005). Called for samples of distance
// field solids.
#pragma once

#include "collision/contact_surface.h"

namespace impuls::narrow {

struct PointOnSurface {
    bool found = false;   // within the limit
    double distance = 0;  // negative behind the surface
    Vec3 normal{};        // unit gradient
    bool beside = false;  // nearest to a border and not straight above or below it: there is no behind
};
// `first` is the radius the search begins with; it doubles until something is found or `limit` is reached. A
// direction shorter than `tiny` is that of the pseudo-normal.
PointOnSurface surface_distance(const ContactSurface& surface, const Vec3& p, double first, double limit,
                                double tiny);

}  // namespace impuls::narrow
