// Friction with memory: a spring of bristles between the surfaces, stretched by sliding and held to Coulomb's
// limit (Cundall, Strack 1979). It sticks for ever where regularised friction creeps. F = -k s - c v with the
// stretch s and the tangential velocity v; where that is beyond m_s N (while it slides: m_k N), it slides: F
// is cut to m_k N, and s to what belongs to that. The stretch is state of the pair, turns with its normal and
// is written in world axes; a step is
//     s = carried(s, ...), then advance(law, s, v, N, h).
// Called by force-level steppers and grains.
#pragma once

#include <cmath>

namespace impuls::laws {

template <class T>
struct Bristle {
    T stiffness, damping;  // N/m, N s/m
    T sticking, sliding;   // coefficients
};
template <class V>
struct BristleState {
    V stretch{};
    bool is_sliding = false;
};
template <class V, class T>
struct BristleForce {
    V force{};
    T energy = 0;  // J, stored
};

// Tangential beside normal stiffness of equal spheres with Poisson's ratio n (Mindlin 1949): 2 (1 - n) / (2 -
// n).
template <class T>
constexpr T mindlin_ratio(T poisson) {
    return 2 * (1 - poisson) / (2 - poisson);
}

// Force on the body whose velocity relative to the other is v, for a stretch as it is: within the limit of
// its state.
template <class V, class T>
constexpr BristleForce<V, T> force_of(const Bristle<T>& law, const BristleState<V>& state, const V& v,
                                      T normal_force) {
    const V force = state.stretch * -law.stiffness - v * law.damping;
    const T energy = law.stiffness * dot(state.stretch, state.stretch) / 2,
            size = std::sqrt(dot(force, force));
    if (!(normal_force > 0)) return {};
    const T limit = normal_force * (state.is_sliding ? law.sliding : law.sticking);
    return size > limit ? BristleForce<V, T>{force * (normal_force * law.sliding / size), energy}
                        : BristleForce<V, T>{force, energy};
}

// The stretch after h with the constant velocity v.
template <class V, class T>
constexpr BristleState<V> advance(const Bristle<T>& law, const BristleState<V>& state, const V& v,
                                  T normal_force, T h) {
    if (!(normal_force > 0)) return {};
    BristleState<V> next{state.stretch + v * h, false};
    const V force = next.stretch * -law.stiffness - v * law.damping;
    const T size = std::sqrt(dot(force, force));
    if (size <= normal_force * (state.is_sliding ? law.sliding : law.sticking)) return next;
    next.is_sliding = true;
    next.stretch = (force * (normal_force * law.sliding / size) + v * law.damping) * (-1 / law.stiffness);
    return next;
}

// The stretch after the normal went from one unit vector to another, and the pair turned by `spin` (rad)
// about it: across the new normal, as long as before.
template <class V, class T>
constexpr V carried(const V& stretch, const V& from, const V& to, T spin) {
    const V axis = cross(from, to);  // the least turn that takes one normal to the other
    const T cosine = dot(from, to);
    V s = stretch;
    if (cosine > T(-0.999)) s = s * cosine + cross(axis, s) + axis * (dot(axis, s) / (1 + cosine));
    // By tan(spin/2) about the normal, to third order, and to its length: steps turn little.
    const T t = spin / 2 * (1 + spin * spin / 12);
    s = (s * (1 - t * t) + cross(to, s) * (2 * t)) * (1 / (1 + t * t));
    s = s - to * dot(to, s);
    const T length = std::sqrt(dot(s, s)), old = std::sqrt(dot(stretch, stretch));
    return length > 0 ? s * (old / length) : s;
}

}  // namespace impuls::laws
