// Friction as a function of the tangential velocity alone, without memory (spec: workbench 2.9): below v_Tmax
// a force in proportion, so that something at rest creeps at v_Tmax tan a / m_s on a slope of angle a;
// beyond, sliding friction,
//     |F| = m_s N v / v_Tmax,   v <= v_Tmax;       |F| = m(v) N,   v > v_Tmax,
//     m(v) = m_k + (m_s - m_k) / (1 + ((v - v_Tmax) / w)^2),
// with a width w in which static friction fades (Stribeck); w = 0 is AERO's jump. V is a vector with + - *
// and dot. Called by force-level steppers, grains and areal elements.
#pragma once

#include <cmath>

namespace impuls::laws {

template <class T>
struct SlidingFriction {
    T sticking, sliding;  // coefficients
    T slow;               // v_Tmax, m/s
    T width = 0;          // m/s
};
template <class V, class T>
struct SlidingForce {
    V force{};
    T along = 0, across = 0;  // -dF/dv: along v, and across it
    T loss = 0;               // W
};

// |F| / N and its derivative with respect to v >= 0.
template <class T>
struct Coefficient {
    T value, slope;
};
template <class T>
constexpr Coefficient<T> coefficient_of(const SlidingFriction<T>& law, T v) {
    if (v <= law.slow) return {law.sticking * v / law.slow, law.sticking / law.slow};
    if (!(law.width > 0)) return {law.sliding, 0};
    const T x = (v - law.slow) / law.width, share = 1 / (1 + x * x), excess = law.sticking - law.sliding;
    return {law.sliding + excess * share, -2 * excess * x * share * share / law.width};
}

// On the body whose velocity relative to the other is v.
template <class V, class T>
constexpr SlidingForce<V, T> force_of(const SlidingFriction<T>& law, const V& v, T normal_force) {
    const T speed = std::sqrt(dot(v, v));
    const Coefficient<T> c = coefficient_of(law, speed);
    const T across = speed > 0 ? normal_force * c.value / speed : normal_force * law.sticking / law.slow;
    return {v * -across, normal_force * c.slope, across, across * speed * speed};
}

}  // namespace impuls::laws
