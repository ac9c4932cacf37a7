// One substep of a set of grains, in reading order: velocity Verlet with the rotation by the rate at its
// middle. Forces are those of the new positions and of the velocities in between; one evaluation a step.
//     v += F/m dt/2, L += T dt/2      x += v dt, q rotated      neighbours, patches, forces      v, L again
// Gear and Runge-Kutta: integrators.cpp. Called by worlds and tests.
#include "granular/system.h"

namespace impuls::granular {

void drift_bodies(System& s, double dt) {
    for (ObstacleBody& b : s.bodies)
        b.X_WP = {b.X_WP.position + b.v * dt, turned(b.X_WP.orientation, b.w * dt)};
}

namespace {

void kick(System& s, double dt, Executor& executor) {
    executor.parallel_for(s.grains.count(), 1024, [&](std::size_t begin, std::size_t end) {
        Grains& g = s.grains;
        for (std::size_t k = begin; k < end; ++k) {
            const GrainKind& kind = s.kinds[g.kind[k]];
            g.v[k] += (g.force[k] / mass_of(kind, g.size[k]) + s.gravity) * dt;
            g.spin[k] += g.torque[k] * dt;
            g.w[k] = rotation_rate(g.q[k], g.spin[k], inertia_of(kind, g.size[k]));
        }
    });
}

void drift(System& s, double dt, Executor& executor) {
    executor.parallel_for(s.grains.count(), 1024, [&](std::size_t begin, std::size_t end) {
        Grains& g = s.grains;
        for (std::size_t k = begin; k < end; ++k) {
            const Vec3 inertia = inertia_of(s.kinds[g.kind[k]], g.size[k]);
            g.x[k] += g.v[k] * dt;
            g.q[k] = rotated_freely(g.q[k], g.spin[k], inertia, dt);
            g.w[k] = rotation_rate(g.q[k], g.spin[k], inertia);
        }
    });
    drift_bodies(s, dt);
}

}  // namespace

void begin(System& s, Executor& executor) {
    if (s.has_forces) return;
    update_neighbours(s, executor);
    find_forces(s, 0, executor);
    s.has_forces = true;
}

void step(System& s, double dt, Executor& executor) {
    begin(s, executor);
    if (s.integrator == GrainIntegrator::Gear) return gear_step(s, dt, executor);
    if (s.integrator == GrainIntegrator::Rk4) return runge_kutta_step(s, dt, executor);
    kick(s, dt / 2, executor);
    drift(s, dt, executor);
    update_neighbours(s, executor);
    find_forces(s, dt, executor);
    kick(s, dt / 2, executor);
}

}  // namespace impuls::granular
