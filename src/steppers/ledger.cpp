// The ledger of energy (ledger.h).
#include "steppers/ledger.h"

#include <algorithm>

#include "dynamics/acting_forces.h"

namespace impuls {
namespace {

double springs_of(const WorldView& view) {
    double sum = 0;
    Rows rows;
    std::vector<double> angles;
    for (std::size_t j = 0; j < view.joints.size(); ++j) {
        if (!view.joints.holds(j) || view.joints.is_passive[j]) continue;
        rows.clear();
        const auto kept = view.joints.angle.of(j);
        angles.assign(kept.begin(), kept.end());
        JointRows out{rows, 0, 1, 2};
        out.angles = angles;
        out.when.middle = out.when.end = view.time;
        make_rows(view.joints, j, poses_of(view.joints, j, view.bodies), out);
        sum += out.spring_energy;
    }
    return sum;
}

double energy_now(const WorldView& view) {
    double sum = springs_of(view) + potential_of(*view.forces, view.bodies, view.time);
    for (std::size_t k = 0; k < view.bodies.size(); ++k) {
        if (!view.bodies.is_dynamic(k) || !view.bodies.is_active[k]) continue;
        if (const auto& range = view.bodies.particles[k]) sum += sums_of(*range, range->now).elastic;
        sum += kinetic_energy(view.bodies, k) - view.bodies.mass[k] * view.bodies.gravity_scale[k] *
                                                    dot(view.gravity, view.bodies.pose[k].position);
    }
    return sum;
}

// Of forces without potential energy that do not depend on velocities: W.
double power_now(const WorldView& view, double from, double h) {
    double sum = 0;
    for (std::size_t k = 0; k < view.bodies.size(); ++k)
        if (view.bodies.is_dynamic(k) && view.bodies.is_active[k])
            sum += dot(view.bodies.force[k], view.bodies.v[k]) + dot(view.bodies.torque[k], view.bodies.w[k]);
    ForceTerms terms;
    for (std::size_t f = 0; f < view.forces->size(); ++f) {
        const auto b = view.forces->b[f];
        const double share = ties(*view.forces, view.bodies, f) ? view.forces->strength(f, from, h) : 0;
        if (share == 0 || !view.bodies.is_dynamic(b)) continue;
        find_terms(*view.forces, f, geometry_of(*view.forces, f, view.bodies), share, terms);
        sum += dot(terms.force, view.bodies.v[b]) + dot(terms.torque, view.bodies.w[b]);
    }
    return sum;
}

// What free bodies won and lost in the step: they move after what commands set and their own damping.
void book_free_bodies(const WorldView& view, std::span<const std::uint32_t> free_bodies,
                      std::span<const Motion> before, double& supplied, double& dissipated) {
    for (const auto k : free_bodies) {
        if (!view.bodies.is_dynamic(k)) continue;
        const Vec3 &f = view.bodies.force[k], &t = view.bodies.torque[k];
        if (f == Vec3{} && t == Vec3{} && !view.bodies.damping(k).acts()) continue;
        const Motion& old = before[k];
        const Vec3 way = view.bodies.pose[k].position - old.pose.position;
        const Vec3 w_0 = rotate_inverse(old.pose.orientation, old.w);
        const double work = dot(f, way) + 0.5 * view.dt * dot(t, old.w + view.bodies.w[k]);
        const double gained = kinetic_energy(view.bodies, k) -
                              0.5 * (view.bodies.mass[k] * length_squared(old.v) +
                                     dot(scale(view.bodies.inertia[k], w_0), w_0)) -
                              view.bodies.mass[k] * view.bodies.gravity_scale[k] * dot(view.gravity, way);
        supplied += work;
        dissipated += work - gained;
    }
}

// Where every island was advanced by a stepper that keeps books, they are added up, and what total +
// dissipated - supplied changes by is the error of its integrator. False: some island has none.
bool add_books(const WorldView& view, const IslandSchedule& islands,
               std::span<const std::uint32_t> free_bodies, std::span<const Motion> before,
               EnergyLedger& ledger) {
    double supplied = 0, dissipated = 0;
    for (std::size_t c = 0; c < islands.chunks(); ++c)
        for (const IslandNote& note : islands.results(c).notes) {
            if (!note.is_booked) return false;
            supplied += note.supplied;
            dissipated += note.dissipated;
        }
    book_free_bodies(view, free_bodies, before, supplied, dissipated);
    ledger.supplied += supplied;
    ledger.dissipated += dissipated;
    return true;
}

}  // namespace

bool keeps_ledger(const ForceSet& forces, const Method& method) {
    return forces.next_uid > 1 || method.is<ForceMethod>();
}

EnergyBefore begin_ledger(const WorldView& view) {
    if (!keeps_ledger(*view.forces, view.method)) return {};
    return {true, energy_now(view), power_now(view, view.time, view.dt)};
}

void note_jump(const WorldView& view, EnergyLedger& ledger, EnergyBefore& before) {
    if (!keeps_ledger(*view.forces, view.method)) return;
    const double energy = energy_now(view);
    if (before.is_known) ledger.supplied += energy - before.energy;
    before = {true, energy, power_now(view, view.time, view.dt)};
}

void end_ledger(const WorldView& view, const IslandSchedule& islands,
                std::span<const std::uint32_t> free_bodies, std::span<const Motion> old,
                const EnergyBefore& before, EnergyLedger& ledger) {
    if (!keeps_ledger(*view.forces, view.method)) return;
    if (view.method.is<ForceMethod>() && add_books(view, islands, free_bodies, old, ledger)) return;
    const double work = 0.5 * view.dt * (before.power + power_now(view, view.time - view.dt, view.dt));
    const double missing = work - (energy_now(view) - before.energy);
    ledger.supplied += work + std::max(0.0, -missing);
    ledger.dissipated += std::max(0.0, missing);
}

}  // namespace impuls
