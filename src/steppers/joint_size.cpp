// Sizes of joints, and joints that are torn open (joint_size.h).
#include "steppers/joint_size.h"

#include <algorithm>

#include "dynamics/first_order.h"

namespace impuls {
namespace {

// 0: it does not turn.
double turning_size(const BodySet& bodies, std::uint32_t body) {
    return gyration_radius(bodies.mass[body], bodies.inertia[body]);
}

}  // namespace

double joint_size(const WorldView& view, const Island& island, const IslandJoint& joint) {
    const double size = angle_size(view, island, {joint.a, joint.b});
    return size > 0 ? size : kUnbounded;
}

double joint_size(const JointSet& joints, std::size_t j, const BodySet& bodies) {
    double size = kUnbounded;
    for (const auto k : {joints.a[j], joints.b[j]}) {
        if (k == kNoBody || !bodies.is_dynamic(k)) continue;
        const double radius = turning_size(bodies, k);
        if (radius > 0) size = std::min(size, radius);
    }
    return size < kUnbounded ? size : 0;
}

double angle_size(const WorldView& view, const Island& island, std::initializer_list<std::uint32_t> nodes) {
    double size = kUnbounded;
    for (const std::uint32_t k : nodes) {
        if (k >= island.dynamic_count) continue;
        const double radius = turning_size(view.bodies, island.nodes[k].body);
        if (radius > 0) size = std::min(size, radius);
    }
    return size < kUnbounded ? size : 0;
}

double smallest_size(const WorldView& view, const Island& island) {
    double smallest = kUnbounded;
    for (const IslandNode& node : island.dynamic_nodes()) {
        const double radius = turning_size(view.bodies, node.body);
        if (radius > 0) smallest = std::min(smallest, radius);
    }
    for (const IslandLink& link : island.particles.links) smallest = std::min(smallest, link.length);
    return smallest == kUnbounded ? 0 : smallest;
}

bool is_torn(const Rows& rows, const AxisLog& log, std::size_t first, std::size_t end, double size) {
    double distance2 = 0, angle2 = 0;
    for (std::size_t r = first; r < end; ++r) {
        const Row& row = rows.rows[r];
        if (row.is_equation() && log.row_axis[r] == 0)
            (row.is_linear ? distance2 : angle2) += row.error * row.error;
    }
    return distance2 > kTornOpen * kTornOpen * size * size || angle2 > kTornOpen * kTornOpen;
}

}  // namespace impuls
