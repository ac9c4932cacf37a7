// Grains as columns: one number has its place in all of them. What many share (shape, density) is a kind; a
// grain has a kind and a size. Mass grows with the third power of the size, inertia with the fifth. Momenta
// are state; velocities of rotation follow from them. Called by everything in this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/grain_shape.h"
#include "impuls/vec.h"
#include "math/rotation.h"

namespace impuls::granular {

struct GrainKind {
    GrainShape shape{};
    std::uint32_t material = 0;
    double density = 1000;  // kg/m^3
};

struct Grains {
    std::vector<Vec3> x{}, v{};  // m, m/s: of the centre of mass
    std::vector<Quat> q{};       // of the principal frame
    std::vector<Vec3> spin{};    // kg m^2/s, angular momentum about the centre
    std::vector<Vec3> w{};       // rad/s, as q and spin say
    std::vector<Vec3> force{}, torque{};
    std::vector<Vec3> listed{};  // where it was when neighbours were last looked for
    std::vector<double> size{};
    std::vector<std::uint32_t> kind{};
    std::vector<std::uint32_t> group{};  // of those who made it: its number among them

    std::size_t count() const { return x.size(); }
    template <class Visit>
    void for_columns(Visit&& visit) {
        visit(x), visit(v), visit(q), visit(spin), visit(w), visit(force), visit(torque), visit(listed),
            visit(size), visit(kind), visit(group);
    }
};

inline double mass_of(const GrainKind& kind, double size) {
    return kind.density * kind.shape.volume * size * size * size;
}
inline Vec3 inertia_of(const GrainKind& kind, double size) {
    return kind.shape.inertia * (kind.density * size * size * size * size * size);
}
inline Vec3 rotation_rate(const Quat& q, const Vec3& spin, const Vec3& inertia) {
    if (inertia.x == inertia.y && inertia.y == inertia.z) return spin / inertia.x;
    const Vec3 l = rotate_inverse(q, spin);
    return rotate(q, {l.x / inertia.x, l.y / inertia.y, l.z / inertia.z});
}
// q after dt without torque, by the rate at the middle.
inline Quat rotated_freely(const Quat& q, const Vec3& spin, const Vec3& inertia, double dt) {
    const Quat middle = turned(q, rotation_rate(q, spin, inertia) * (dt / 2));
    return turned(q, rotation_rate(middle, spin, inertia) * dt);
}

}  // namespace impuls::granular
