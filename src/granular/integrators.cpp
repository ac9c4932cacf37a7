// The other integrators of grains; walls move as in step.cpp.
//     Gear         six stored values of x and q, q'' = w'q/2 - |w|^2 q/4, corrected once: one evaluation a
//     step
//                  (granular text 2.5, with c0 = 3/16 for damped forces; q and q' are projected after it)
//     Runge-Kutta  four evaluations; what patches remember is advanced from the beginning of the step in each
// Called by step.cpp.
#include <cmath>

#include "granular/system.h"
#include "math/integrators/gear_coefficients.h"

namespace impuls::granular {
namespace {

Quat sum(const Quat& a, const Quat& b, double s) {
    return {a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
double dot4(const Quat& a, const Quat& b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
Quat rate_of(const Vec3& w, const Quat& q) {  // q'
    return sum({0, 0, 0, 0}, Quat{0, w.x, w.y, w.z} * q, 0.5);
}

struct Accelerations {
    Vec3 a{};
    Quat q{};  // q''
};
Accelerations accelerations_of(const System& s, std::size_t k) {
    const Grains& g = s.grains;
    const GrainKind& kind = s.kinds[g.kind[k]];
    const Vec3 inertia = inertia_of(kind, g.size[k]);
    const Vec3 turning = rotation_rate(g.q[k], g.torque[k] + cross(g.spin[k], g.w[k]), inertia);
    const Quat second = sum(rate_of(turning, g.q[k]), g.q[k], -0.25 * dot(g.w[k], g.w[k]));
    return {g.force[k] / mass_of(kind, g.size[k]) + s.gravity, second};
}

// Place and rotation of a grain as its stored values say.
void show_gear(System& s, std::size_t k, double dt) {
    Grains& g = s.grains;
    const GearGrain& r = s.gear[k];
    g.x[k] = r.x[0], g.v[k] = r.x[1] / dt;
    const Quat w = r.q[1] * conjugate(r.q[0]);
    const double scale = 2 / (dt * length_squared(r.q[0]));
    g.q[k] = normalized(r.q[0]);
    g.w[k] = Vec3{w.x, w.y, w.z} * scale;
    const Vec3 l = rotate_inverse(g.q[k], g.w[k]), inertia = inertia_of(s.kinds[g.kind[k]], g.size[k]);
    g.spin[k] = rotate(g.q[k], impuls::scale(l, inertia));
}

void begin_gear(System& s, double dt) {
    const std::size_t known = s.gear_step == dt ? s.gear.size() : 0;
    s.gear.resize(s.grains.count());
    s.gear_step = dt;
    for (std::size_t k = known; k < s.gear.size(); ++k) {
        const Accelerations a = accelerations_of(s, k);
        GearGrain& r = s.gear[k] = {};
        for (Quat& q : r.q) q = {0, 0, 0, 0};
        r.x[0] = s.grains.x[k], r.x[1] = s.grains.v[k] * dt, r.x[2] = a.a * (dt * dt / 2);
        r.q[0] = s.grains.q[k], r.q[1] = sum({0, 0, 0, 0}, rate_of(s.grains.w[k], r.q[0]), dt);
        r.q[2] = sum({0, 0, 0, 0}, a.q, dt * dt / 2);
    }
}

}  // namespace

void gear_step(System& s, double dt, Executor& executor) {
    begin_gear(s, dt);
    std::array<double, 6> c;
    for (std::size_t j = 0; j < 6; ++j) c[j] = integrators::find_gear(2, 6)->c[j].value();
    c[0] = integrators::damped_gear(6);
    executor.parallel_for(s.gear.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            GearGrain& r = s.gear[k];
            for (std::size_t i = 0; i < 5; ++i)
                for (std::size_t j = 5; j-- > i;) r.x[j] += r.x[j + 1], r.q[j] = sum(r.q[j], r.q[j + 1], 1);
            show_gear(s, k, dt);
        }
    });
    drift_bodies(s, dt);
    update_neighbours(s, executor);
    find_forces(s, dt, executor);
    executor.parallel_for(s.gear.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            GearGrain& r = s.gear[k];
            const Accelerations a = accelerations_of(s, k);
            const Vec3 d = a.a * (dt * dt / 2) - r.x[2];
            const Quat e = sum(sum({0, 0, 0, 0}, a.q, dt * dt / 2), r.q[2], -1);
            for (std::size_t j = 0; j < 6; ++j) r.x[j] += d * c[j], r.q[j] = sum(r.q[j], e, c[j]);
            r.q[0] = normalized(r.q[0]);
            r.q[1] = sum(r.q[1], r.q[0], -dot4(r.q[0], r.q[1]));
            show_gear(s, k, dt);
        }
    });
}

void runge_kutta_step(System& s, double dt, Executor& executor) {
    Grains& g = s.grains;
    auto& all = s.scratch.stages;
    all.resize(g.count());
    s.scratch.before = s.pairs;
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = {g.x[k], g.v[k], g.spin[k], {}, {}, {}, g.q[k], {0, 0, 0, 0}};
    constexpr double kAhead[4]{0.5, 0.5, 1, 1}, kWeight[4]{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double ahead = 0;             // share of the step that walls have moved
    bool is_listed_anew = false;  // in an earlier stage: what is restored knows nothing of it
    for (int stage = 0; stage < 4; ++stage) {
        const double h = kAhead[stage] * dt, weight = kWeight[stage] * dt;
        for (std::size_t k = 0; k < all.size(); ++k) {
            RungeKuttaGrain& r = all[k];
            const GrainKind& kind = s.kinds[g.kind[k]];
            const Vec3 a = g.force[k] / mass_of(kind, g.size[k]) + s.gravity;
            const Quat rate = rate_of(g.w[k], g.q[k]);
            r.dx += g.v[k] * weight, r.dv += a * weight, r.dspin += g.torque[k] * weight,
                r.dq = sum(r.dq, rate, weight);
            const bool is_last = stage == 3;
            g.x[k] = is_last ? r.x + r.dx : r.x + g.v[k] * h;
            g.v[k] = is_last ? r.v + r.dv : r.v + a * h;
            g.spin[k] = is_last ? r.spin + r.dspin : r.spin + g.torque[k] * h;
            g.q[k] = normalized(is_last ? sum(r.q, r.dq, 1) : sum(r.q, rate, h));
            g.w[k] = rotation_rate(g.q[k], g.spin[k], inertia_of(kind, g.size[k]));
        }
        if (kAhead[stage] > ahead) drift_bodies(s, (kAhead[stage] - ahead) * dt), ahead = kAhead[stage];
        s.pairs = s.scratch.before;
        if (is_listed_anew) s.pairs.is_current = false;
        is_listed_anew = is_listed_anew || are_neighbours_old(s.grains, s.obstacles, s.bodies, s.pairs);
        update_neighbours(s, executor);
        find_forces(s, h, executor);
    }
}

}  // namespace impuls::granular
