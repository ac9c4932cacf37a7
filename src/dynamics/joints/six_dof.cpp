// Six axes, each locked (an equation) or free. Translations x, y, z are the coordinates of p_b in a's frame,
// with the rates of slider.cpp. The rotation of b seen from a is R_x(rx) R_y(ry) R_z(rz), about the axes
//     e_1 = x of a,   e_2 = R_x y,   e_3 = z of b,   w_b - w_a = rx' e_1 + ry' e_2 + rz' e_3
// so that the rates are the products of w_b - w_a with the dual axes (e_2 x e_3) / D and so on, D = cos ry.
// ry must stay within a quarter turn to each side.
#include <algorithm>

#include "dynamics/joint.h"
#include "math/arc_tangent.h"

namespace impuls {
namespace {

struct Coordinate {
    double x;
    Rate rate;
};

std::array<Coordinate, 6> coordinates(const JointGeometry& g, JointRows& out) {
    const std::array<Vec3, 3> a{x_of(g.X_WJa), y_of(g.X_WJa), z_of(g.X_WJa)};
    const std::array<Vec3, 3> b{x_of(g.X_WJb), y_of(g.X_WJb), z_of(g.X_WJb)};
    std::array<Coordinate, 6> all{};
    for (std::size_t k = 0; k < 3; ++k)
        all[k] = {dot(a[k], g.X_WJb.position - g.X_WJa.position), slide_rate(out, g, a[k])};

    // e_2 is across both e_1 and e_3.
    const Vec3 e2 = normalized(cross(b[2], a[0]));
    constexpr double kLeast = 1.0 / 8;  // keeps the rates finite where ry has left its range
    const double inverse = 1 / std::max(kLeast, dot(a[0], cross(e2, b[2])));
    const std::array<Vec3, 3> dual{cross(e2, b[2]) * inverse, cross(b[2], a[0]) * inverse,
                                   cross(a[0], e2) * inverse};
    const std::array<double, 3> angle{arc_tangent(-dot(a[1], b[2]), dot(a[2], b[2])),
                                      arc_tangent(dot(a[0], b[2]), length(cross(b[2], a[0]))),
                                      arc_tangent(-dot(a[0], b[1]), dot(a[0], b[0]))};
    for (std::size_t k = 0; k < 3; ++k) {
        const Rate rate = turn_rate(out, dual[k]);
        all[3 + k] = {with_turns(out, angle[k], rate), rate};
    }
    return all;
}

}  // namespace

JointFrames joint_frames(const SixDofJoint& desc) {
    return {{desc.anchor, along_xy(desc.x_axis, desc.y_axis)}};
}

void add_rows(const SixDofJoint& desc, const JointGeometry& g, JointRows& out) {
    const auto all = coordinates(g, out);
    const std::array<const std::optional<AxisDesc>*, 6> axes{&desc.x,  &desc.y,  &desc.z,
                                                             &desc.rx, &desc.ry, &desc.rz};
    for (std::size_t k = 0; k < 6; ++k)
        if (!*axes[k]) add_equation(out, all[k].rate, all[k].x);
    for (std::size_t k = 0; k < 6; ++k)
        if (*axes[k]) add_axis(out, **axes[k], all[k].x, all[k].rate);
}

}  // namespace impuls
