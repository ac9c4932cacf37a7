// Drag at b's centre of mass, u its velocity relative to the wind: F = -D |u| u, D = density/2 c_w A. Its
// derivative is -2 D |u| along u and -D |u| across, so it is told along u and two directions across. The area
// that a convex shape shows along u is half the sum of its faces' |n . u|; of other shapes that sum counts
// hidden faces too.
#include <cmath>

#include "dynamics/force.h"

namespace impuls {
namespace {

double area_along(const DragForce& desc, const ForceGeometry& g, const Vec3& d) {
    if (desc.area) return *desc.area;
    const Vec3 d_B = rotate_inverse(g.X_WB, d);
    double sum = g.round_area;
    for (const Vec3& area : g.face_areas) sum += std::abs(dot(area, d_B));
    return sum;
}

}  // namespace

JointFrames force_frames(const DragForce&) {
    return {{}};
}

void add_terms(const DragForce& desc, const ForceGeometry& g, ForceTerms& out) {
    const Vec3 u = g.b.v - desc.wind;
    const double speed = length(u);
    if (!(speed > 0)) return;
    const Pose along_u{{}, along_x(u)};
    const double slope = 0.5 * desc.density * desc.coefficient * area_along(desc, g, u / speed) * speed;
    const auto add = [&](const Vec3& d, double force, double damping) {
        out.add(Rate{}.add(g.b.node, d, {}), force, 0, damping).keeps_rate = true;
    };
    add(x_of(along_u), -slope * speed, 2 * slope);
    add(y_of(along_u), 0, slope);
    add(z_of(along_u), 0, slope);
}

}  // namespace impuls
