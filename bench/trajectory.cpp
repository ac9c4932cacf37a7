// The reference trajectory (trajectory.h): Featherstone's algorithm, Runge-Kutta. With 32 steps in one of
// ours its own error after 1 s is below 1e-6 m for the chains and the tree (half the step changes less).
#include "bench/trajectory.h"

#include <cmath>

#include "reference/accelerations.h"

namespace impuls::bench {

std::vector<Vec3> reference_centres(const Model& model, int parts) {
    reference::System system;
    reference::States states;
    system.gravity = model.gravity;
    for (const ModelBody& body : model.bodies) {
        if (body.is_static) return {};
        system.rods.push_back({body.mass, body.moments, {}});
        states.push_back({body.X_WP.position, body.X_WP.orientation, body.v, body.w});
    }
    for (const ModelJoint& joint : model.joints)
        system.joints.push_back({joint.a, joint.b, joint.p_A, joint.p_B, {}});
    if (!system.is_tree()) return {};
    const int steps = static_cast<int>(std::lround(kTrajectoryTime / model.dt));
    for (int k = 0; k < parts * steps; ++k) step_featherstone(system, states, model.dt / parts);
    std::vector<Vec3> out;
    for (const reference::State& state : states) out.push_back(state.x);
    return out;
}

}  // namespace impuls::bench
