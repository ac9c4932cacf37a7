// What a patch of contact does to two grains: force at its centre, and a torque besides. Values in, values
// out.
//     elastic  L1  F = k V               k = E* / l (Yade's, and polygon codes'; l = 4 ra rb / (ra + rb))
//              L2  F = 1.064 E* V / sqrt(S)       Hertz of a sphere, within 6 % of a flat punch, 1.3 % of a
//              cone U   F = 0.851 E* grad(V^2 / S^1.5) is an oracle of energy only; L3 F = 1.5 k sqrt(V) S
//              spheres: Hertz's 4/3 E* sqrt(R) d^1.5, or k d
//     damping  -c v_n, c = 2 z sqrt(k_d m) with the slope k_d of the force, 0.75 k for round and nearly so
//     for other
//              patches; z by restitution; the sum never pulls (but cohesion)
//     friction is a force with memory (Cundall, Strack 1979): f -= k_t v_t dt with k_t = 0.8 k, scaled down
//     when k_t
//              falls, carried with the patch; beyond mu_s F it slides at mu_d F until it needs less. (A
//              spring times a stiffness that changes with S would move grains at rest.)
//     patch    -c (a^2/4) w_t - c (a^2/2) w_n, a^2 = S / pi, at most F a / 2: face on face must not rock for
//     ever rolling  a torque with memory, at most (lever) F, and damping: rattlers on two contacts come to
//     rest
// Sources: spec of granular matter 3.1, 3.2, and its study, 2 and 3. Called by contacts.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dynamics/laws/normal.h"
#include "impuls/vec.h"

namespace impuls::granular {

enum class NormalLaw : std::uint8_t { Volume, Hertz, Potential, Linear };

inline constexpr double kHertz = 1.0638460810704302;  // 4 sqrt(2) / (3 sqrt(pi))

// Between two materials.
struct PairLaw {
    NormalLaw normal = NormalLaw::Hertz;
    double modulus = 1e7;    // E*, Pa
    double damping = 0.165;  // z
    double sticking = 0.5, sliding = 0.5;
    double rolling = 0;        // m: lever arm of the load
    double rolling_share = 0;  // the same by the effective radius of the pair
    double torsion = 0;        // m
    double cohesion = 0;       // Pa: the patch pulls with cohesion times its area
};

// Normal from a to b; area S, volume V. Of spheres V is not used: depth and effective radius are.
struct Patch {
    Vec3 normal{}, center{};  // the centre relative to that of a
    double area = 0, volume = 0;
    Vec3 couple{};  // integral of (r - center) x n over the surface of a in b
    double depth = 0;
    double radius = 0;  // > 0: two round surfaces
};

struct PatchMotion {
    Vec3 arm_a{}, arm_b{};  // from the centres of mass to the patch
    Vec3 v_a{}, v_b{}, w_a{}, w_b{};
    double mass = 0;    // effective
    double radius = 0;  // effective, of the two grains
};

// What a touching pair remembers.
struct PatchMemory {
    Vec3 friction{}, rolling{};  // on b
    double stiffness = 0;        // k_t of the friction
    bool is_sliding = false;
};

struct PatchForce {
    Vec3 force{}, torque{};  // on b, at the centre of the patch
    double normal = 0, stiffness = 0;
    double energy = 0;  // J, of the normal spring
    double loss = 0;    // W, by damping and sliding
};

struct Elastic {
    double force = 0, stiffness = 0, energy = 0;
    double slope = 0;  // dF / d depth
};

inline Elastic elastic_of(const PairLaw& law, const Patch& p, double radius) {
    if (p.radius > 0) {
        const laws::NormalState<double> state{p.depth, 0};
        if (law.normal == NormalLaw::Linear) {  // as stiff as Hertz at 1 % of the diameter
            const double k = 2 * law.modulus * p.radius * 0.2;
            const auto f = laws::force_of(laws::Linear<double>{k, 0}, state);
            return {f.force, f.stiffness, f.energy, f.stiffness};
        }
        const auto f = laws::force_of(laws::hertz_of(law.modulus, p.radius), state);
        return {f.force, f.stiffness, f.energy, f.stiffness};
    }
    const double root = std::sqrt(p.area);
    switch (law.normal) {
        case NormalLaw::Volume: {
            const double k = law.modulus / (4 * radius);
            return {k * p.volume, k * p.area, k * p.volume * p.volume / (2 * p.area), 0.75 * k * p.area};
        }
        case NormalLaw::Potential: {  // E = k V^1.5, k = E* / r^1.5
            const double k = law.modulus / (radius * std::sqrt(radius)), v = std::sqrt(p.volume);
            return {1.5 * k * v * p.area, 0.75 * k * p.area * p.area / v, k * v * p.volume,
                    0.75 * k * p.area * p.area / v};
        }
        default:
            return {kHertz * law.modulus * p.volume / root, kHertz * law.modulus * root,
                    0.4 * kHertz * law.modulus * p.volume * p.volume / (p.area * root),
                    0.75 * kHertz * law.modulus * root};
    }
}

// A vector of the patch, turned with it.
inline Vec3 carried_with(const Vec3& v, const Vec3& spin) {
    return v + cross(spin, v);
}

inline Vec3 at_most(const Vec3& v, double limit) {
    const double size = length(v);
    return size > limit ? v * (limit / size) : v;
}

// Advances the memory by dt.
inline PatchForce force_of(const PairLaw& law, const Patch& p, const PatchMotion& m, double dt,
                           PatchMemory& memory) {
    const Vec3& n = p.normal;
    const Vec3 v = m.v_b + cross(m.w_b, m.arm_b) - m.v_a - cross(m.w_a, m.arm_a);
    const Vec3 spin = m.w_b - m.w_a, mean = (m.w_a + m.w_b) * (dt / 2);
    const double v_n = dot(v, n);
    const Vec3 v_t = v - n * v_n;
    const Elastic elastic = elastic_of(law, p, m.radius);
    const double c = 2 * law.damping * std::sqrt(elastic.slope * m.mass);
    const double pull = law.cohesion * p.area;
    const double push = std::max(0.0, elastic.force - c * v_n);

    // Friction.
    const double k_t = 0.8 * elastic.stiffness,
                 c_t = 2 * law.damping * std::sqrt(0.8 * elastic.slope * m.mass);
    const double old = length(memory.friction);
    Vec3 f = carried_with(memory.friction, n * dot(n, mean));
    f -= n * dot(n, f);
    if (const double size = length(f); size > 0) f *= old / size;
    if (memory.stiffness > k_t) f *= k_t / memory.stiffness;
    memory.stiffness = k_t;
    f -= v_t * (k_t * dt);
    Vec3 tangential = f - v_t * c_t;
    const double size = length(tangential), limit = push * (memory.is_sliding ? law.sliding : law.sticking);
    memory.is_sliding = size > limit;
    if (memory.is_sliding) {
        tangential *= push * law.sliding / size;
        f = tangential + v_t * c_t;
        f = at_most(f, push * law.sliding);
    }
    memory.friction = f;

    // Of the patch, and rolling.
    const double a2 = p.area * 0.3183098861837907, a = std::sqrt(a2);
    const Vec3 w_n = n * dot(n, spin), w_t = spin - w_n;
    Vec3 torque = at_most(w_t * (-c * a2 / 4) + w_n * (-c * a2 / 2), push * a / 2);
    const double lever = law.rolling + law.rolling_share * m.radius,
                 twist = law.torsion + law.rolling_share * a;
    if (lever + twist > 0) {
        const double r2 = m.radius * m.radius;
        Vec3 t = carried_with(memory.rolling, mean);
        t -= spin * (0.1 * elastic.stiffness * r2 * dt);
        Vec3 t_n = n * dot(n, t), t_t = t - t_n;
        t_n = at_most(t_n, push * twist), t_t = at_most(t_t, push * lever);
        memory.rolling = t_n + t_t;
        torque += memory.rolling + at_most(spin * (-0.1 * c * r2), push * std::max(lever, twist));
    }
    PatchForce out;
    out.normal = push - pull;
    out.force = n * out.normal + tangential;
    out.torque = torque;
    if (law.normal == NormalLaw::Potential && p.radius == 0) out.torque += p.couple * (push / p.area);
    out.stiffness = elastic.stiffness;
    out.energy = elastic.energy;
    out.loss = -(dot(out.force - n * elastic.force, v) + dot(torque, spin));
    return out;
}

// z of a restitution, for a force with the exponent 1.5 that never pulls (study, 2.4).
double damping_of(double restitution);

}  // namespace impuls::granular
