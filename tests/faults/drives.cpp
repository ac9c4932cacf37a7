// Work of drives and energies of comparison (drives.h).
#include "faults/drives.h"

#include <algorithm>
#include <cmath>

#include "impuls/joints.h"

namespace impuls::faults {

Drives::Drives(const Frame& start) {
    std::size_t place = 0;
    for (const JointDesc& joint : start.structure->joints)
        visit_axes(joint.joint, [&](const char*, const AxisDesc& axis) {
            if (axis.speed || axis.target) {
                axes_.push_back(place);
                positions_.push_back(start.axes[place].position);
            }
            ++place;
        });
}

double Drives::work(const Frame& frame) {
    for (std::size_t k = 0; k < axes_.size(); ++k) {
        const AxisState& axis = frame.axes[axes_[k]];
        work_ += axis.force * (axis.position - positions_[k]);
        positions_[k] = axis.position;
    }
    return work_;
}

namespace {

Vec3 extent(const std::vector<Vec3>& points) {
    if (points.empty()) return {};
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points)
        for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    return high - low;
}

struct SizeOf {
    double operator()(const Sphere& s) const { return 2 * s.radius * std::sqrt(3.0); }
    double operator()(const Box& s) const { return length(s.size); }
    double operator()(const Capsule& s) const {
        return length({2 * s.radius, 2 * s.radius, s.length + 2 * s.radius});
    }
    double operator()(const Cylinder& s) const { return length({2 * s.radius, 2 * s.radius, s.height}); }
    double operator()(const Cone& s) const { return length({2 * s.radius, 2 * s.radius, s.height}); }
    double operator()(const Ellipsoid& s) const { return 2 * length(s.radii); }
    double operator()(const Convex& s) const { return length(extent(s.points)); }
    double operator()(const Mesh& s) const { return length(extent(s.vertices)); }
    double operator()(const Compound& s) const {
        double most = 0;
        for (const CompoundPart& part : s.parts)
            most = std::max(most, std::visit(*this, part.shape) + 2 * length(part.position));
        return most;
    }
    template <class Other>
    double operator()(const Other&) const {
        return 0;
    }
};

}  // namespace

double shape_size(const Shape& shape) {
    return std::visit(SizeOf{}, shape);
}

double lifting_energy(World& world) {
    const Frame& frame = world.frame();
    const Scene& scene = *frame.structure;
    double sum = 0;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
        if (scene.bodies[k].kind == BodyKind::Dynamic)
            sum += world.mass(frame.bodies[k]) * length(scene.settings.gravity) *
                   shape_size(scene.bodies[k].shape);
    return sum;
}

}  // namespace impuls::faults
