// The matrix of a unit quaternion by its polynomial entries: 12 products instead of the three rotations of
// to_matrix(), from which it differs in the last bits only. Exactly the identity for the unit quaternion.
// Called where a matrix is made for every pair.
#pragma once

#include "impuls/vec.h"

namespace impuls {

constexpr Mat3 rotation_matrix(const Quat& q) {
    const double x = 2 * q.x, y = 2 * q.y, z = 2 * q.z;
    const double xx = q.x * x, yy = q.y * y, zz = q.z * z, xy = q.x * y, xz = q.x * z, yz = q.y * z;
    const double wx = q.w * x, wy = q.w * y, wz = q.w * z;
    return {{1 - (yy + zz), xy + wz, xz - wy},
            {xy - wz, 1 - (xx + zz), yz + wx},
            {xz + wy, yz - wx, 1 - (xx + yy)}};
}

}  // namespace impuls
