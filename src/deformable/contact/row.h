// One contact row between points of deformable bodies and a rigid body, as a displacement within a substep:
// pure functions on plain structs. With the weights w of the nodes (sum 1), the body's lever r and K the
// inverse mass,
//     gap = n . (q - surface),  lambda = (target - gap) / K,  p_i += k_i w_i lambda n,  the body the
//     opposite; friction: t the sliding within the substep, an impulse of at most mu lambda against it.
// A body's displacement within the pass is kept as D + T x r, so that its later rows see it; linear momentum
// is kept exactly, angular momentum about the previewed place. Called by BodyContacts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "deformable/contacts.h"

namespace impuls::deformable {

// A rigid body during a substep. Inverse mass 0: an obstacle, which goes where its velocities lead.
struct RigidNode {
    Vec3 center{};  // previewed
    double inv_mass = 0;
    Mat3 inv_inertia{{}, {}, {}};  // W
    Vec3 v{}, w{};
    Vec3 shift{}, turn{};    // D, T: what contacts moved it by in this substep
    Vec3 impulse{}, spin{};  // sum of what it got since the step began, about its centre
};

struct ContactPoint {
    std::array<std::uint32_t, 3> node{};
    std::array<double, 3> weight{1, 0, 0};
    int nodes = 1;
    Vec3 n{};        // from the body outwards
    double gap = 0;  // of q along n, at the previewed places
    double target = 0;
    double friction = 0;
};

inline Vec3 point_of(const Columns& x, const ContactPoint& c) {
    Vec3 q{};
    for (int i = 0; i < c.nodes; ++i)
        q += x.at(c.node[static_cast<std::size_t>(i)]) * c.weight[static_cast<std::size_t>(i)];
    return q;
}

inline double inverse_mass(const std::vector<double>& k, const ContactPoint& c, const RigidNode& body,
                           const Vec3& r, const Vec3& n) {
    const Vec3 arm = cross(r, n);
    double sum = body.inv_mass + dot(arm, body.inv_inertia * arm);
    for (int i = 0; i < c.nodes; ++i) {
        const auto j = static_cast<std::size_t>(i);
        sum += c.weight[j] * c.weight[j] * k[c.node[j]];
    }
    return sum;
}

// Moves the nodes by an impulse times h along d, and the body by its opposite.
inline void displace(const Substep& s, const ContactPoint& c, RigidNode& body, const Vec3& r, const Vec3& d) {
    for (int i = 0; i < c.nodes; ++i) {
        const auto j = static_cast<std::size_t>(i);
        s.p.add(c.node[j], d * (s.k[c.node[j]] * c.weight[j]));
    }
    const Vec3 spin = cross(r, d);
    body.impulse -= d * (1 / s.h);
    body.spin -= spin * (1 / s.h);
    const Vec3 shift = d * -body.inv_mass, turn = body.inv_inertia * spin * -1.0;
    body.shift += shift;
    body.turn += turn;
    body.v += shift * (1 / s.h);
    body.w += turn * (1 / s.h);
}

// Returns lambda: impulse along n times h.
inline double solve_row(const Substep& s, const ContactPoint& c, RigidNode& body) {
    const Vec3 q = point_of(s.p, c), r = q - body.center;
    const double gap = c.gap - dot(c.n, body.shift + cross(body.turn, r));
    if (!(gap < c.target)) return 0;
    const double mass = inverse_mass(s.k, c, body, r, c.n);
    if (!(mass > 0)) return 0;
    const double lambda = (c.target - gap) / mass;
    displace(s, c, body, r, c.n * lambda);
    const Vec3 slip = point_of(s.p, c) - point_of(s.x, c) - (body.v + cross(body.w, r)) * s.h;
    const Vec3 t = slip - c.n * dot(c.n, slip);
    const double size = length(t);
    if (!(size > 0) || !(c.friction > 0)) return lambda;
    const Vec3 along = t / size;
    const double most = size / inverse_mass(s.k, c, body, r, along);
    displace(s, c, body, r, along * -std::min(c.friction * lambda, most));
    return lambda;
}

}  // namespace impuls::deformable
