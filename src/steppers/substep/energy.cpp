// The last resort of the energy account in a substep (energy.h).
#include "steppers/substep/energy.h"

#include <algorithm>
#include <cmath>

#include "steppers/substep/contacts.h"
#include "steppers/substep/links.h"
#include "steppers/substep/motion.h"

namespace impuls::substep {
namespace {

// The impulses that did it are no guess for the next substep.
void forget_guesses(Substep& s) {
    std::fill(s.island.memory.impulses.begin(), s.island.memory.impulses.end(), 0.0);
    for (SubstepPoint& point : s.contacts.points) {
        point.previous_n = 0;
        point.previous_t = point.previous_torque = {};
    }
}

}  // namespace

bool may_gain_energy(const Substep& s) {
    if (s.island.is_driven) return false;
    if (!s.island.joints.empty() || has_links(s)) return true;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        const SubstepPoint& point = s.contacts.points[k];
        if (point.is_present && point.separation < -kOverlap * pair_of(s, k).size) return true;
    }
    return false;
}

IslandEnergy energy_of(const Substep& s) {
    IslandEnergy energy;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const IslandNode& node = s.island.nodes[k];
        energy.add(1 / s.problem.nodes.inv_mass[k], s.view.bodies.inertia[node.body], node.acceleration,
                   node.pose, s.problem.nodes.v[k], s.problem.nodes.w[k]);
    }
    return energy;
}

void settle_account(Substep& s, const EnergyAccount& account, double h) {
    if (s.has_failed()) return;
    const IslandEnergy now = energy_of(s);
    const double allowed = account.allowed(now, h / s.view.dt);
    if (now.kinetic <= allowed) return;
    CommonMotion base;
    if (is_free(s)) base = common_motion(s);
    const double relative = now.kinetic - base.kinetic();
    if (!(relative > 0)) return;
    const double share = std::min(1.0, std::sqrt(std::max(0.0, allowed - base.kinetic()) / relative));
    const Vec3 common_w = base.angular_velocity();
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
        const Vec3 common_v = base.velocity_at(s.island.nodes[k].pose.position);
        v = common_v + (v - common_v) * share;
        w = common_w + (w - common_w) * share;
    }
    s.outcome.energy_removed += (1 - share * share) * relative;
    forget_guesses(s);
}

}  // namespace impuls::substep
