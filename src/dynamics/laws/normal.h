// Forces along the normal of a contact as functions of its depth and the speed of approach: values in, values
// out, no memory, no libm beyond sqrt; T is double, float or what a GPU likes. Each gives its derivatives,
// which implicit integrators use, and the energy that its spring stores; none ever pulls.
//     linear         F = k d + c v                                     (Cundall, Strack 1979)
//     Hertz          F = k d^(3/2),  k = 4/3 E* sqrt(R)                (Hertz 1882)
//     Hunt-Crossley  F = k d^(3/2) (1 + l v)                           (Hunt, Crossley 1975)
//     AERO's spring  F = k d while approaching, u k d while parting: u = e as printed, which gives
//     restitution
//                    sqrt(e); u = e^2 gives e                          (spec: workbench 2.7)
//     penalty        F = k d + c v where |v| <= v_Nmax; what is faster is an impact  (spec: workbench 2.8)
// Called by force-level steppers, grains and areal elements.
#pragma once

#include <cmath>

namespace impuls::laws {

template <class T>
struct NormalState {
    T depth;  // m, > 0: overlapping
    T speed;  // m/s, of approach: d depth / dt
};
template <class T>
struct NormalForce {
    T force = 0;      // N, >= 0
    T stiffness = 0;  // dF/d depth
    T damping = 0;    // dF/d speed
    T energy = 0;     // J, what the spring would give back without damping
};

template <class T>
struct Linear {
    T stiffness, damping;
};
template <class T>
struct Hertz {
    T stiffness;  // N/m^1.5
};
template <class T>
struct HuntCrossley {
    T stiffness;    // N/m^1.5
    T dissipation;  // s/m
};
template <class T>
struct UnloadingSpring {
    T stiffness, unloading;  // share of the force that is left while parting
};
template <class T>
struct Penalty {
    T stiffness, damping;
    T most_speed;  // v_Nmax
};

// 1/E* = (1 - n1^2)/E1 + (1 - n2^2)/E2; a rigid partner has an infinite modulus.
template <class T>
constexpr T effective_modulus(T modulus_1, T poisson_1, T modulus_2, T poisson_2) {
    return 1 / ((1 - poisson_1 * poisson_1) / modulus_1 + (1 - poisson_2 * poisson_2) / modulus_2);
}
// Of two in series: radii (a plane has an infinite one), masses, stiffnesses and dampings of two materials.
template <class T>
constexpr T in_series(T a, T b) {
    return 1 / (1 / a + 1 / b);
}
template <class T>
constexpr Hertz<T> hertz_of(T modulus, T radius) {
    return {T(4) / 3 * modulus * std::sqrt(radius)};
}
template <class T>
constexpr UnloadingSpring<T> as_printed(T stiffness, T restitution) {
    return {stiffness, restitution};
}
template <class T>
constexpr UnloadingSpring<T> corrected(T stiffness, T restitution) {
    return {stiffness, restitution * restitution};
}

template <class T>
constexpr NormalForce<T> force_of(const Linear<T>& law, const NormalState<T>& s) {
    if (!(s.depth > 0)) return {};
    const T force = law.stiffness * s.depth + law.damping * s.speed,
            energy = law.stiffness * s.depth * s.depth / 2;
    if (force <= 0) return {0, 0, 0, energy};
    return {force, law.stiffness, law.damping, energy};
}

template <class T>
constexpr NormalForce<T> force_of(const HuntCrossley<T>& law, const NormalState<T>& s) {
    if (!(s.depth > 0)) return {};
    const T root = std::sqrt(s.depth), elastic = law.stiffness * s.depth * root,
            energy = elastic * s.depth * 2 / 5;
    const T factor = 1 + law.dissipation * s.speed;
    if (factor <= 0) return {0, 0, 0, energy};
    return {elastic * factor, law.stiffness * root * factor * 3 / 2, elastic * law.dissipation, energy};
}

template <class T>
constexpr NormalForce<T> force_of(const Hertz<T>& law, const NormalState<T>& s) {
    return force_of(HuntCrossley<T>{law.stiffness, 0}, s);
}

// The force jumps where the speed changes sign: an event for integrators with control of errors.
template <class T>
constexpr NormalForce<T> force_of(const UnloadingSpring<T>& law, const NormalState<T>& s) {
    if (!(s.depth > 0)) return {};
    const T stiffness = s.speed >= 0 ? law.stiffness : law.unloading * law.stiffness;
    return {stiffness * s.depth, stiffness, 0, stiffness * s.depth * s.depth / 2};
}

template <class T>
constexpr bool is_impact(const Penalty<T>& law, const NormalState<T>& s) {
    return s.depth > 0 && s.speed > law.most_speed;
}
template <class T>
constexpr NormalForce<T> force_of(const Penalty<T>& law, const NormalState<T>& s) {
    if (s.speed > law.most_speed || s.speed < -law.most_speed) return {};
    return force_of(Linear<T>{law.stiffness, law.damping}, s);
}

}  // namespace impuls::laws
