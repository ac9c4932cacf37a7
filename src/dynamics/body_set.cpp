// Adding and removing bodies, their free flight, and what they add up to (body_set.h).
#include "dynamics/body_set.h"

#include <algorithm>

#include "geometry/mass_properties.h"
#include "math/free_rotation.h"
#include "math/rotation.h"

namespace impuls {
namespace {

// Mass, centre and inertia from the shape, as far as the description does not give them.
MassProperties mass_of(const BodyDesc& desc, const MaterialDesc& material) {
    MassProperties m = mass_properties(desc.shape, desc.density.value_or(material.density));
    if (desc.mass) {
        if (m.mass > 0) m.inertia = m.inertia * (*desc.mass / m.mass);
        m.mass = *desc.mass;
    }
    if (desc.center_of_mass) m.center = *desc.center_of_mass;
    if (desc.inertia) m.inertia = diagonal(*desc.inertia);
    return m;
}

Vec3 inverse_of(const Vec3& a) {
    return {a.x > 0 ? 1 / a.x : 0, a.y > 0 ? 1 / a.y : 0, a.z > 0 ? 1 / a.z : 0};
}

// Calls f with every array that has one entry a body.
template <class Set, class F>
void for_each_array(Set& s, F&& f) {
    f(s.uid), f(s.kind), f(s.pose), f(s.v), f(s.w), f(s.force), f(s.torque), f(s.X_BP), f(s.mass),
        f(s.inv_mass);
    f(s.inertia), f(s.inv_inertia), f(s.gravity_scale), f(s.linear_damping), f(s.angular_damping);
    f(s.colliders), f(s.radius), f(s.friction), f(s.restitution), f(s.collides);
}

}  // namespace

void BodySet::add(const BodyDesc& desc, const MaterialDesc& material) {
    const MassProperties m = mass_of(desc, material);
    const PrincipalAxes axes = principal_axes(m.inertia);
    for_each_array(*this, [](auto& list) { list.emplace_back(); });
    uid.back() = next_uid++;
    kind.back() = desc.kind;
    X_BP.back() = {m.center, axes.rotation};
    pose.back() = Pose{desc.position, desc.orientation} * X_BP.back();
    mass.back() = m.mass;
    inertia.back() = axes.moments;
    if (desc.kind == BodyKind::Dynamic) {
        inv_mass.back() = m.mass > 0 ? 1 / m.mass : 0;
        inv_inertia.back() = inverse_of(axes.moments);
    }
    if (desc.kind != BodyKind::Static) v.back() = desc.velocity, w.back() = desc.angular_velocity;
    gravity_scale.back() = desc.gravity_scale;
    linear_damping.back() = desc.linear_damping;
    angular_damping.back() = desc.angular_damping;
    friction.back() = material.friction;
    restitution.back() = material.restitution;
    collides.back() = desc.collides;
    if (!desc.collides || !can_collide(desc.shape)) return;
    make_colliders(desc.shape, inverse(X_BP.back()), desc.kind == BodyKind::Dynamic, shapes,
                   colliders.back());
    for (const auto& c : colliders.back())
        if (c.kind != ColliderKind::Plane)
            radius.back() = std::max(radius.back(), length(c.X_BC.position) + reach(c));
}

void BodySet::remove(std::size_t k) {
    for_each_array(*this, [k](auto& list) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(k)); });
}

// Translation by kick-drift-kick, exact for constant force; damping half before and half after, so that it
// does not scale the force.
// Rotation by the chosen integrator, divided when the body turns by more than kTurn rad.
Motion fly(const BodySet& bodies, std::size_t k, const Motion& start, const Vec3& gravity,
           Integrator integrator, double h) {
    Motion m = start;
    if (bodies.kind[k] != BodyKind::Dynamic) {
        m.pose.position += m.v * h;
        if (m.w != Vec3{}) m.pose.orientation = turned(m.pose.orientation, m.w * h);
        return m;
    }
    const Vec3 kick = (gravity * bodies.gravity_scale[k] + bodies.force[k] * bodies.inv_mass[k]) * (0.5 * h);
    const double keep = decay(0.5 * h * bodies.linear_damping[k]);
    m.v = m.v * keep + kick;
    m.pose.position += m.v * h;
    m.v = (m.v + kick) * keep;
    if (bodies.inv_inertia[k] == Vec3{} || (m.w == Vec3{} && bodies.torque[k] == Vec3{})) return m;

    constexpr double kTurn = 0.05;  // rad
    int pieces = 1;
    for (double angle = length(m.w) * h; angle > kTurn && pieces < 64; angle *= 0.5) pieces *= 2;
    Spin spin{m.pose.orientation, m.w};
    const double keep_spin = decay(0.5 * h / pieces * bodies.angular_damping[k]);
    for (int piece = 0; piece < pieces; ++piece) {
        spin.w *= keep_spin;
        spin = rotate_freely(integrator, spin, bodies.inertia[k], bodies.torque[k], h / pieces);
        spin.w *= keep_spin;
    }
    m.pose.orientation = spin.q;
    m.w = spin.w;
    return m;
}

void measure_bodies(const BodySet& bodies, const Vec3& gravity, Frame& frame) {
    frame.energy = {};
    frame.linear_momentum = frame.angular_momentum = {};
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        if (!bodies.is_dynamic(k)) continue;
        const Vec3& x = bodies.pose[k].position;
        const Vec3 p = bodies.v[k] * bodies.mass[k];
        const Vec3 w_P = rotate_inverse(bodies.pose[k].orientation, bodies.w[k]);
        const Vec3 l_P = scale(bodies.inertia[k], w_P);
        frame.energy.kinetic += 0.5 * (dot(p, bodies.v[k]) + dot(l_P, w_P));
        frame.energy.potential -= bodies.mass[k] * bodies.gravity_scale[k] * dot(gravity, x);
        frame.linear_momentum += p;
        frame.angular_momentum += cross(x, p) + rotate(bodies.pose[k].orientation, l_P);
    }
    frame.energy.total = frame.energy.kinetic + frame.energy.potential;
}

}  // namespace impuls
