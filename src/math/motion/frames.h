// Orientation by directions that move: the body's x along d(t), its y as near as can be to a fixed `up`
// (tangent-and-up for d = dc/du, look-at for d = target - position), with angular velocity and acceleration
// in closed form from d, d', d''. Where d vanishes or is parallel to up there is no such frame. Called by
// scripted motion.
#pragma once

#include <span>

#include "impuls/vec.h"

namespace impuls {

// A vector with its first and second derivatives by time.
struct Moving {
    Vec3 value, first, second;
};
// v / |v|; zero where v is.
Moving unit(const Moving& v);
Moving cross(const Moving& a, const Moving& b);

struct Orientation {
    Quat rotation;
    Vec3 angular_velocity, angular_acceleration;  // world axes
    bool is_degenerate = false;
};
// `last` where there is no frame: then it stays, and does not turn.
Orientation along(const Moving& direction, const Vec3& up, const Quat& last);

// The rotation whose matrix has these orthonormal columns.
Quat from_columns(const Vec3& x, const Vec3& y, const Vec3& z);

}  // namespace impuls
