// Adding and removing bodies, their free flight, and what they add up to (body_set.h).
#include "dynamics/body_set.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "base/compact.h"
#include "collision/make_colliders.h"
#include "geometry/mass_properties.h"
#include "math/free_rotation.h"
#include "math/motion/rotation_spline.h"
#include "math/rotation.h"
#include "scene/body_mass.h"

namespace impuls {
namespace {

Vec3 inverse_of(const Vec3& a) {
    return {a.x > 0 ? 1 / a.x : 0, a.y > 0 ? 1 / a.y : 0, a.z > 0 ? 1 / a.z : 0};
}

// Calls f with every array that has one entry a body: with those that are each body's own, and with those
// that share equal values.
template <class Set, class F>
void for_each_own_array(Set& s, F&& f) {
    const auto each = [&](auto&... lists) { (f(lists), ...); };
    each(s.uid, s.pose, s.v, s.w, s.is_active, s.is_asleep, s.script, s.particles);
    each(s.kind, s.material, s.collides, s.is_sensor, s.layer, s.ignores);
}
template <class Set, class F>
void for_each_shared_array(Set& s, F&& f) {
    const auto each = [&](auto&... lists) { (f(lists), ...); };
    each(s.force, s.torque, s.X_BP, s.mass, s.inv_mass, s.inertia, s.inv_inertia);
    each(s.gravity_scale, s.linear_damping, s.angular_damping, s.spin_axis);
    each(s.colliders, s.radius, s.surface_velocity, s.areal);
}

void assert_whole(const BodySet& s) {
    const auto is_whole = [&](const auto& list) { IMPULS_ASSERT(list.size() == s.size()); };
    for_each_own_array(s, is_whole);
    for_each_shared_array(s, is_whole);
    IMPULS_ASSERT(s.rest.size() <= s.size());
    IMPULS_ASSERT(std::is_sorted(s.uid.begin(), s.uid.end()));
}

// Of a sphere about the origin around all colliders.
double radius_of(const std::vector<Collider>& colliders) {
    double radius = 0;
    for (const auto& c : colliders)
        if (c.kind != ColliderKind::Plane) radius = std::max(radius, length(c.X_BC.position) + reach(c));
    return radius;
}

// Of a surface that touches over areas: half of its smallest extent; of a flat sheet of its largest.
double half_width(const ContactSurface& surface) {
    const Vec3 side = (surface.box().max - surface.box().min) * 0.5;
    const double least = std::min({side.x, side.y, side.z});
    return least > 0 ? least : std::max({side.x, side.y, side.z});
}

bool is_same_collider(const Collider& a, const Collider& b) {
    const auto has_same_bits = [](const auto& x, const auto& y) {
        return InstanceTraits<std::decay_t<decltype(x)>>::is_same(x, y);
    };
    return a.kind == b.kind && a.covered == b.covered && has_same_bits(a.half, b.half) &&
           has_same_bits(a.radius, b.radius) && has_same_bits(a.size, b.size) &&
           has_same_bits(a.X_BC, b.X_BC) && a.polyhedron == b.polyhedron && a.surface == b.surface &&
           a.field == b.field;
}

}  // namespace

bool InstanceTraits<std::vector<Collider>>::is_same(const std::vector<Collider>& a,
                                                    const std::vector<Collider>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same_collider);
}

// Not of what is shared, whose addresses vary: equal colliders are often of equal size, too.
std::uint64_t InstanceTraits<std::vector<Collider>>::hash(const std::vector<Collider>& colliders) {
    std::uint64_t h = colliders.size();
    for (const Collider& c : colliders) {
        h = std::rotl(h, 7) ^ InstanceTraits<Vec3>::hash(c.half) ^ InstanceTraits<double>::hash(c.size);
        h = (h ^ InstanceTraits<Pose>::hash(c.X_BC)) + static_cast<std::uint64_t>(c.kind);
    }
    return h * 0x9e3779b97f4a7c15u;
}

void BodySet::reserve(std::size_t count) {
    const auto reserve_in = [&](auto& list) { list.reserve(count); };
    for_each_own_array(*this, reserve_in);
    for_each_shared_array(*this, reserve_in);
}

void BodySet::add(const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number) {
    IMPULS_ASSERT(uid.empty() || uid.back() < next_uid);
    append(desc, of, material_number);
    uid.back() = next_uid++;
}

// Moves the centre of mass to where it is now in the body: v' = v + w x (c' - c).
void BodySet::replace(std::size_t k, const BodyDesc& desc, const MaterialDesc& of,
                      std::uint32_t material_number, bool takes_motion) {
    IMPULS_ASSERT_INDEX(k, size());
    append(desc, of, material_number);
    uid.back() = uid[k];
    const std::size_t last = size() - 1;
    if (!takes_motion) {
        pose[last] = body_pose(k) * X_BP[last];
        if (particles[last]) take_particles(k, last);
        if (desc.kind != BodyKind::Static && !particles[last]) {
            w[last] = w[k];
            v[last] = v[k] + cross(w[k], pose[last].position - pose[k].position);
        }
    }
    force.set(last, force[k]);
    torque.set(last, torque[k]);
    for_each_own_array(*this, [k](auto& list) {
        list[k] = std::move(list.back());
        list.pop_back();
    });
    for_each_shared_array(*this, [k](auto& list) { list.move_last_to(k); });
    forget_rest(k);
    list_special();
    assert_whole(*this);
}

// The new particles where the old ones are when there are as many, else moved as one to where the body is.
void BodySet::take_particles(std::size_t from, std::size_t to) {
    ParticleRange& range = *particles[to];
    if (particles[from] && particles[from]->size() == range.size()) {
        range.now.x = particles[from]->now.x;
        range.now.v = particles[from]->now.v;
        for (std::size_t i = 0; i < range.size(); ++i)
            if (range.inv_mass[i] == 0) range.now.v[i] = {};
        follow_particles(to);
        return;
    }
    const Pose X_WP = pose[to];
    pose[to] = Pose{X_WP.position, pose[to].orientation};
    const Vec3 before = sums_of(range, range.now).center;
    for (Vec3& x : range.now.x) x += X_WP.position - before;
    for (std::size_t i = 0; i < range.size(); ++i) range.now.v[i] = range.inv_mass[i] > 0 ? v[from] : Vec3{};
    follow_particles(to);
}

void BodySet::append(const BodyDesc& desc, const MaterialDesc& of, std::uint32_t material_number) {
    const MassProperties m = mass_of(desc, of);
    const auto made_of = particles_of(desc.shape);
    const PrincipalAxes axes = made_of ? PrincipalAxes{} : principal_axes(m.inertia);
    const bool is_moved = desc.kind == BodyKind::Dynamic;
    const Pose frame{m.center, axes.rotation};
    const auto* layer_of = desc.contact ? std::get_if<ArealContact>(&*desc.contact) : nullptr;
    std::vector<Collider> touching;  // of what touches over areas surfaces, never fields
    if (desc.collides && can_collide(desc.shape))
        make_colliders(desc.shape, inverse(frame), is_moved && !layer_of, shapes, touching);
    for (Collider& c : touching)
        if (layer_of && c.surface && !(c.size > 0)) c.size = half_width(*c.surface);
    for_each_own_array(*this, [](auto& list) { list.emplace_back(); });
    kind.back() = desc.kind;
    pose.back() = Pose{desc.position, desc.orientation} * frame;
    if (desc.kind != BodyKind::Static) {
        v.back() = desc.velocity;
        w.back() = desc.angular_velocity;
    }
    if (desc.motion) {
        script.back() =
            std::make_shared<Script>(*desc.motion, Pose{desc.position, normalized(desc.orientation)});
        scripted.push_back(static_cast<std::uint32_t>(size() - 1));
    }
    if (made_of) {
        particles.back() = Owned(make_particles(*made_of, desc.density.value_or(of.density), m.mass,
                                                {desc.position, normalized(desc.orientation)}, desc.velocity,
                                                desc.angular_velocity));
        of_particles.push_back(static_cast<std::uint32_t>(size() - 1));
        w.back() = {};
        follow_particles(size() - 1);
    }
    material.back() = material_number;
    collides.back() = desc.collides;
    is_sensor.back() = desc.sensor;
    is_active.back() = desc.active;
    layer.back() = static_cast<std::uint32_t>(desc.layer);
    for (const auto other : desc.ignores) ignores.back() |= 1u << other;
    force.push_back({});
    torque.push_back({});
    X_BP.push_back(frame);
    mass.push_back(m.mass);
    inv_mass.push_back(is_moved && m.mass > 0 ? 1 / m.mass : 0);
    inertia.push_back(axes.moments);
    inv_inertia.push_back(is_moved ? inverse_of(axes.moments) : Vec3{});
    gravity_scale.push_back(desc.gravity_scale);
    linear_damping.push_back(desc.linear_damping);
    angular_damping.push_back(desc.angular_damping);
    spin_axis.push_back(desc.spin_axis == Vec3{} ? Vec3{}
                                                 : rotate_inverse(axes.rotation, normalized(desc.spin_axis)));
    surface_velocity.push_back(rotate_inverse(axes.rotation, desc.surface_velocity));
    areal.push_back(layer_of ? areal_terms(*layer_of, of) : ArealTerms{});
    radius.push_back(radius_of(touching));
    colliders.push_back(std::move(touching));
}

void BodySet::remove(std::span<const std::uint8_t> is_dead) {
    for_each_own_array(*this, [&](auto& list) { compact(list, is_dead); });
    for_each_shared_array(*this, [&](auto& list) { list.erase(is_dead); });
    compact(rest, is_dead);
    list_special();
    assert_whole(*this);
}

void BodySet::list_special() {
    scripted.clear();
    for (std::size_t k = 0; k < size(); ++k)
        if (script[k]) scripted.push_back(static_cast<std::uint32_t>(k));
    of_particles.clear();
    for (std::size_t k = 0; k < size(); ++k)
        if (particles[k]) of_particles.push_back(static_cast<std::uint32_t>(k));
}

void BodySet::follow_particles(std::size_t k) {
    const ParticleSums sums = sums_of(*particles[k], particles[k]->now);
    pose[k].position = sums.center;
    v[k] = sums.v;
}

void BodySet::carry_particles(std::size_t k, const Pose& X_WP) {
    const Pose move = X_WP * inverse(pose[k]);
    ParticleRange& range = *particles[k];
    for (std::size_t i = 0; i < range.size(); ++i) {
        range.now.x[i] = move * range.now.x[i];
        range.now.v[i] = rotate(move.orientation, range.now.v[i]);
    }
    pose[k] = X_WP;
    follow_particles(k);
}

std::uint32_t part_near(const BodySet& bodies, std::uint32_t k, const Vec3& point) {
    if (k == kNoBody || !bodies.particles[k]) return kNoPart;
    return nearest_particle(*bodies.particles[k], point);
}

// The centre of mass is off the origin by r: v + w x r.
Motion scripted_motion(const BodySet& bodies, std::size_t k, double time) {
    const Script::State state = bodies.script[k]->at(time);
    Motion m;
    m.pose = Pose{state.place.value, state.turn.rotation} * bodies.X_BP[k];
    m.w = state.turn.angular_velocity;
    m.v = state.place.first + cross(m.w, m.pose.position - state.place.value);
    return m;
}

Motion scripted_chord(const BodySet& bodies, std::size_t k, double time, double h) {
    Motion m = scripted_motion(bodies, k, time);
    const Pose end = scripted_motion(bodies, k, time + h).pose;
    m.v = (end.position - m.pose.position) / h;
    m.w = log_of(normalized(end.orientation * conjugate(m.pose.orientation))) / h;
    return m;
}

namespace {

// Translation by kick-drift-kick, exact for constant force; damping half before and half after, so that it
// does not scale the force.
Motion translated(const BodySet& bodies, std::size_t k, const Motion& start, const Vec3& gravity, double h) {
    Motion m = start;
    if (bodies.kind[k] != BodyKind::Dynamic) {
        m.pose.position += m.v * h;
        return m;
    }
    const Vec3 kick = external_acceleration(bodies, k, gravity) * (0.5 * h);
    const double keep = bodies.damping(k).left_of_v(0.5 * h);
    m.v = m.v * keep + kick;
    m.pose.position += m.v * h;
    m.v = (m.v + kick) * keep;
    return m;
}

// Rotation by the chosen integrator between two halves of the damping.
void rotate_alone(const BodySet& bodies, std::size_t k, Integrator integrator, double h, Motion& m) {
    if (bodies.kind[k] != BodyKind::Dynamic) {
        if (m.w != Vec3{}) m.pose.orientation = turned(m.pose.orientation, m.w * h);
        return;
    }
    if (bodies.inv_inertia[k] == Vec3{} || (m.w == Vec3{} && bodies.torque[k] == Vec3{})) return;
    const double keep = bodies.damping(k).left_of_w(0.5 * h);
    const Spin spin =
        rotate_freely(integrator, {m.pose.orientation, m.w * keep}, bodies.inertia[k], bodies.torque[k], h);
    m.pose.orientation = spin.q;
    m.w = spin.w * keep;
}

// Tumbling bodies on their way through rotate_midpoint, by the number of pieces of their step.
class TumblingQueue {
  public:
    TumblingQueue(const BodySet& bodies, double h, std::span<Motion> next)
        : bodies_(bodies), next_(next), h_(h) {}

    // False when the body is to be rotated alone.
    bool take(std::uint32_t k) {
        const Motion& m = next_[k];
        if (bodies_.kind[k] != BodyKind::Dynamic || bodies_.torque[k] != Vec3{} || m.w == Vec3{} ||
            is_isotropic(bodies_.inertia[k]))
            return false;
        const Vec3 w = m.w * keep(k);
        const auto [ratio, halvings] = tumbling_of(length(w), bodies_.inertia[k], bodies_.inv_inertia[k], h_);
        if (halvings > kMaxHalvings) return false;
        Waiting& waiting = waiting_[static_cast<std::size_t>(halvings)];
        waiting.group.set(waiting.count, {m.pose.orientation, w}, ratio);
        waiting.body[waiting.count++] = k;
        if (waiting.count == SpinGroup::kLanes) rotate(halvings);
        return true;
    }
    void finish() {
        for (int halvings = 0; halvings <= kMaxHalvings; ++halvings)
            if (waiting_[static_cast<std::size_t>(halvings)].count > 0) rotate(halvings);
    }

  private:
    struct Waiting {
        SpinGroup group;
        std::uint32_t body[SpinGroup::kLanes];
        int count = 0;
    };

    double keep(std::size_t k) const { return bodies_.damping(k).left_of_w(0.5 * h_); }
    void rotate(int halvings) {
        Waiting& waiting = waiting_[static_cast<std::size_t>(halvings)];
        rotate_midpoint(waiting.group, halvings, h_);
        for (int lane = 0; lane < waiting.count; ++lane) {
            const auto k = waiting.body[lane];
            const Spin spin = waiting.group.get(lane);
            next_[k].pose.orientation = spin.q;
            next_[k].w = spin.w * keep(k);
        }
        waiting.count = 0;
    }

    const BodySet& bodies_;
    std::span<Motion> next_;
    double h_;
    std::array<Waiting, kMaxHalvings + 1> waiting_;
};

}  // namespace

Motion fly(const BodySet& bodies, std::size_t k, const Motion& start, const Vec3& gravity,
           Integrator integrator, double h) {
    Motion m = translated(bodies, k, start, gravity, h);
    rotate_alone(bodies, k, integrator, h, m);
    return m;
}

void fly_all(const BodySet& bodies, std::span<const std::uint32_t> list, const Vec3& gravity,
             Integrator integrator, double h, std::span<Motion> next) {
    TumblingQueue queue(bodies, h, next);
    for (const auto k : list) {
        next[k] = translated(bodies, k, {bodies.pose[k], bodies.v[k], bodies.w[k]}, gravity, h);
        if (integrator != Integrator::SemiImplicit || !queue.take(k))
            rotate_alone(bodies, k, integrator, h, next[k]);
    }
    queue.finish();
}

double kinetic_energy(const BodySet& bodies, std::size_t k) {
    if (bodies.particles[k]) return sums_of(*bodies.particles[k], bodies.particles[k]->now).kinetic;
    const Vec3 w_P = rotate_inverse(bodies.pose[k].orientation, bodies.w[k]);
    return 0.5 * (bodies.mass[k] * length_squared(bodies.v[k]) + dot(scale(bodies.inertia[k], w_P), w_P));
}

void measure_bodies(const BodySet& bodies, const Vec3& gravity, Frame& frame) {
    frame.energy = {};
    frame.linear_momentum = frame.angular_momentum = {};
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        if (!bodies.is_dynamic(k) || !bodies.is_active[k]) continue;
        const Vec3& x = bodies.pose[k].position;
        if (bodies.particles[k]) {
            const ParticleSums sums = sums_of(*bodies.particles[k], bodies.particles[k]->now);
            frame.energy.kinetic += sums.kinetic;
            frame.energy.potential +=
                sums.elastic - sums.mass * bodies.gravity_scale[k] * dot(gravity, sums.center);
            frame.linear_momentum += sums.v * sums.mass;
            frame.angular_momentum += sums.angular_momentum;
            continue;
        }
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
