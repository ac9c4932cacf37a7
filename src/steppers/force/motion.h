// Bodies of an island while it is integrated: what they do now, what acts on them, and what energy comes and
// goes by it. With forces F and torques T (about the centre of mass, world axes) and principal moments J
//     m dv/dt = F,   J dw/dt = T - w x J w                          (spec: workbench 2.3, with the gyroscopic
//     term)
// Parts of the right-hand side (contacts, joints, forces) add to it.
#pragma once

#include <vector>

#include "constraints/problem.h"
#include "dynamics/force.h"
#include "steppers/island.h"

namespace impuls::force_level {

// Power, W: what forces without potential give, and what is lost for good or held by contacts.
struct Power {
    double supplied = 0, dissipated = 0;
};

struct Bodies {
    Nodes nodes{};                   // velocities now; masses, for joints' files
    std::vector<Wrench> wrench{};    // by node
    std::vector<Vec3> a{}, alpha{};  // accelerations found, by node
    std::vector<Pose> start{};       // by node, when the step began: of those that move by themselves
    Power power{};

    void resize(std::size_t count) {
        nodes.inv_mass.resize(count);
        nodes.inv_inertia.resize(count);
        nodes.v.resize(count);
        nodes.w.resize(count);
        wrench.resize(count);
        a.resize(count);
        alpha.resize(count);
        start.resize(count);
    }
    // A force at an arm from the centre of node k.
    void push(std::uint32_t k, const Vec3& force, const Vec3& arm) {
        wrench[k].force += force;
        wrench[k].torque += cross(arm, force);
    }
    Vec3 velocity_at(std::uint32_t k, const Vec3& arm) const { return nodes.v[k] + cross(nodes.w[k], arm); }
};

}  // namespace impuls::force_level
