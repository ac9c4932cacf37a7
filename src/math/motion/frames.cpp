// Frames along directions (frames.h). With |v| = r: r' = n.v', r r'' = v'.v' + v.v'' - r'^2, n' = (v' - r' n)
// / r, n'' = (v'' - r'' n - 2 r' n') / r; and for columns e_i of a rotation w = sum e_i x e_i' / 2, w' = sum
// e_i x e_i'' / 2.
#include "math/motion/frames.h"

#include <cmath>

namespace impuls {

Moving unit(const Moving& v) {
    const double r = length(v.value);
    if (!(r > 0)) return {};
    Moving n;
    n.value = v.value / r;
    const double r1 = dot(n.value, v.first);
    const double r2 = (length_squared(v.first) + dot(v.value, v.second) - r1 * r1) / r;
    n.first = (v.first - n.value * r1) / r;
    n.second = (v.second - n.value * r2 - n.first * (2 * r1)) / r;
    return n;
}

Moving cross(const Moving& a, const Moving& b) {
    return {cross(a.value, b.value), cross(a.first, b.value) + cross(a.value, b.first),
            cross(a.second, b.value) + 2.0 * cross(a.first, b.first) + cross(a.value, b.second)};
}

// By the largest of the four components (Shepperd 1978).
Quat from_columns(const Vec3& x, const Vec3& y, const Vec3& z) {
    const double trace = x.x + y.y + z.z;
    if (trace >= x.x && trace >= y.y && trace >= z.z)
        return normalized(Quat{1 + trace, y.z - z.y, z.x - x.z, x.y - y.x});
    if (x.x >= y.y && x.x >= z.z)
        return normalized(Quat{y.z - z.y, 1 + 2 * x.x - trace, x.y + y.x, z.x + x.z});
    if (y.y >= z.z) return normalized(Quat{z.x - x.z, x.y + y.x, 1 + 2 * y.y - trace, y.z + z.y});
    return normalized(Quat{x.y - y.x, z.x + x.z, y.z + z.y, 1 + 2 * z.z - trace});
}

Orientation along(const Moving& direction, const Vec3& up, const Quat& last) {
    constexpr double kParallel = 1e-6;  // sine of the angle between
    const Moving across = cross(direction, Moving{up, {}, {}});
    const double most = length(direction.value) * length(up);
    if (!(length(across.value) > kParallel * most)) return {last, {}, {}, true};
    const Moving x = unit(direction), z = unit(across), y = cross(z, x);
    Orientation o;
    o.rotation = from_columns(x.value, y.value, z.value);
    o.angular_velocity = 0.5 * (cross(x.value, x.first) + cross(y.value, y.first) + cross(z.value, z.first));
    o.angular_acceleration =
        0.5 * (cross(x.value, x.second) + cross(y.value, y.second) + cross(z.value, z.second));
    return o;
}

}  // namespace impuls
