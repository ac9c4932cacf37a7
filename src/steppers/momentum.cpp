// Angular momentum of an island on its own (momentum.h).
#include "steppers/momentum.h"

#include <algorithm>

#include "math/rotation.h"

namespace impuls {
namespace {

constexpr double kRounding = 1e-12;  // of the largest relative speed: what sums of many numbers lose

// Nothing that cannot move is near, and all that acts from outside is one acceleration for every body.
bool is_on_its_own(const WorldView& view, const Island& island) {
    if (island.nodes.size() > island.dynamic_count || !island.forces.empty() || island.is_pushed)
        return false;
    const auto nodes = island.dynamic_nodes();
    return std::all_of(nodes.begin(), nodes.end(), [&](const IslandNode& node) {
        return node.acceleration == nodes[0].acceleration && node.torque == Vec3{} &&
               !view.bodies.damping(node.body).acts();
    });
}

CommonMotion common_motion(const WorldView& view, const Island& island) {
    CommonMotion common;
    for (const IslandNode& node : island.dynamic_nodes())
        common.add_mass(mass_of(view, node), node.pose.position, node.v);
    common.find_center();
    for (const IslandNode& node : island.dynamic_nodes()) {
        const Quat& q = node.pose.orientation;
        const Vec3& inertia = view.bodies.inertia[node.body];
        common.add_turn(mass_of(view, node), turned_diagonal(q, inertia), node.pose.position, node.v,
                        rotate(q, scale(inertia, rotate_inverse(q, node.w))));
    }
    common.find_turn();
    return common;
}

}  // namespace

CommonMotion own_motion(const WorldView& view, const Island& island) {
    return is_on_its_own(view, island) ? common_motion(view, island) : CommonMotion{};
}

AngularMomentum::AngularMomentum(const WorldView& view, const Island& island)
    : is_own_(is_on_its_own(view, island)) {
    if (is_own_) before_ = common_motion(view, island);
}

void AngularMomentum::restore(const WorldView& view, Island& island) const {
    if (!is_own_) return;
    const CommonMotion now = common_motion(view, island);
    CommonMotion kept = now;
    kept.take_angular_momentum(before_);
    const Vec3 dw = kept.angular_velocity() - now.angular_velocity();
    const auto change = [&](const Vec3& x) { return kept.velocity_at(x) - now.velocity_at(x); };
    // What is lost by rounding stays: it would be noise in bodies that do not move.
    double speed = 0, spin = 0, most = 0;
    for (const IslandNode& node : island.dynamic_nodes()) {
        speed = std::max(speed, length_squared(node.v - island.nodes[0].v));
        spin = std::max(spin, length_squared(node.w));
        most = std::max(most, length_squared(change(node.pose.position)));
    }
    if (!(most > kRounding * kRounding * speed || length_squared(dw) > kRounding * kRounding * spin)) return;
    for (std::size_t k = 0; k < island.dynamic_count; ++k) {
        IslandNode& node = island.nodes[k];
        node.v += change(node.pose.position);
        if (view.bodies.inertia[node.body] != Vec3{}) node.w += dw;  // mass points do not turn
    }
}

}  // namespace impuls
