// The set of forces: frames carried by bodies, terms of a force (force.h).
#include "dynamics/force.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "base/compact.h"
#include "geometry/tessellate.h"

namespace impuls {

void ForceTerms::clear() {
    along.clear();
    force = torque = {};
    potential = 0;
    has_potential = false;
}

ForceTerm& ForceTerms::add(const Rate& rate, double force_along, double stiffness, double damping) {
    return along.emplace_back(ForceTerm{rate, force_along, stiffness, damping});
}

void ForceTerms::push(const ForceEnd& b, const Vec3& at_point, const Vec3& turning) {
    force += at_point;
    torque += cross(b.arm(), at_point) + turning;
}

Rate stretch_rate(const ForceGeometry& g, const Vec3& direction) {
    const Vec3 half = (g.b.X_WF.position - g.a.X_WF.position) * 0.5;
    return Rate{}
        .add(g.a.node, -direction, -cross(g.a.arm() + half, direction))
        .add(g.b.node, direction, cross(g.b.arm() - half, direction));
}

double velocity_of(const Rate& rate, const ForceGeometry& g) {
    double sum = 0;
    for (std::uint32_t k = 0; k < rate.count; ++k) {
        const ForceEnd& end = rate.parts[k].node == g.a.node ? g.a : g.b;
        sum += dot(rate.parts[k].linear, end.v) + dot(rate.parts[k].angular, end.w);
    }
    return sum;
}

void add_spring_terms(const ForceGeometry& g, double stiffness, double damping, double length_at_ease,
                      ForceTerms& out) {
    const Vec3 way = g.b.X_WF.position - g.a.X_WF.position;
    const double stretch = length(way) - length_at_ease;
    const Rate rate = stretch_rate(g, normalized(way));
    out.add(rate, -stiffness * stretch - damping * velocity_of(rate, g), stiffness, damping);
    if (stiffness > 0) out.add_potential(0.5 * stiffness * stretch * stretch);
}

Wrench wrench_on(const ForceTerms& terms, std::uint32_t node) {
    Wrench sum;
    for (const ForceTerm& term : terms.along)
        for (std::uint32_t k = 0; k < term.rate.count; ++k)
            if (term.rate.parts[k].node == node) {
                sum.force += term.rate.parts[k].linear * term.applied();
                sum.torque += term.rate.parts[k].angular * term.applied();
            }
    return sum;
}

Wrench wrench_on_b(const ForceTerms& terms, std::uint32_t node) {
    Wrench sum = wrench_on(terms, node);
    sum.force += terms.force;
    sum.torque += terms.torque;
    return sum;
}

namespace {

// Calls f with every array that has one entry a force.
template <class Set, class F>
void for_each_force_array(Set& s, F&& f) {
    const auto each = [&](auto&... lists) { (f(lists), ...); };
    each(s.uid, s.uid_a, s.uid_b, s.a, s.b, s.part_a, s.part_b, s.force, s.magnitude, s.from, s.until, s.X_AF,
         s.X_BF, s.face_areas, s.round_area, s.is_enabled);
}

Pose frame_of(const BodySet& bodies, std::uint32_t k, std::uint32_t part) {
    return k == kNoBody ? Pose{} : bodies.part_pose(k, part);
}

std::uint32_t place_of(const BodySet& bodies, std::uint64_t uid) {
    if (uid == 0) return kNoBody;
    const auto it = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    IMPULS_ASSERT(it != bodies.uid.end() && *it == uid);  // forces go with their bodies
    return static_cast<std::uint32_t>(it - bodies.uid.begin());
}

// A face's cross product of two edges is twice its area; half of the sum of |A n . d| is what a convex shape
// shows along d.
std::vector<Vec3> faces_of(const Shape& shape, const Quat& q_PB) {
    const TriangleMesh mesh = tessellate(shape);
    std::vector<Vec3> areas;
    areas.reserve(mesh.triangles.size());
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3& p = mesh.vertices[static_cast<std::size_t>(i)];
        areas.push_back(rotate(q_PB, cross(mesh.vertices[static_cast<std::size_t>(j)] - p,
                                           mesh.vertices[static_cast<std::size_t>(k)] - p)) *
                        0.25);
    }
    return areas;
}

}  // namespace

void ForceSet::add(const ForceDesc& desc, const BodySet& bodies, std::uint32_t body_a, std::uint32_t body_b,
                   const Shape& shape_b) {
    for_each_force_array(*this, [](auto& list) { list.emplace_back(); });
    const JointFrames X_W = std::visit([](const auto& d) { return force_frames(d); }, desc.force);
    uid.back() = next_uid++;
    force.back() = desc.force;
    a.back() = body_a;
    b.back() = body_b;
    uid_a.back() = body_a == kNoBody ? 0 : bodies.uid[body_a];
    uid_b.back() = body_b == kNoBody ? 0 : bodies.uid[body_b];
    part_a.back() = part_near(bodies, body_a, X_W.a.position);
    part_b.back() = part_near(bodies, body_b, X_W.b.position);
    X_AF.back() = inverse(frame_of(bodies, body_a, part_a.back())) * X_W.a;
    X_BF.back() = inverse(frame_of(bodies, body_b, part_b.back())) * X_W.b;
    if (part_a.back() != kNoPart) X_AF.back().position = {};
    if (part_b.back() != kNoPart) X_BF.back().position = {};
    magnitude.back() = compiled(desc.magnitude);
    from.back() = desc.from;
    until.back() = desc.until.value_or(kUnbounded);
    is_enabled.back() = desc.enabled;
    measure_areas(size() - 1, bodies, shape_b);
}

void ForceSet::measure_areas(std::size_t f, const BodySet& bodies, const Shape& shape_b) {
    const auto* drag = std::get_if<DragForce>(&force[f]);
    if (!drag || drag->area || b[f] == kNoBody) return;
    constexpr double kPi = 3.141592653589793;
    round_area[f] = 0;
    face_areas[f].clear();
    if (const auto* sphere = std::get_if<Sphere>(&shape_b))
        round_area[f] = kPi * sphere->radius * sphere->radius;
    else
        face_areas[f] = faces_of(shape_b, conjugate(bodies.X_BP[b[f]].orientation));
}

void ForceSet::note_body(std::size_t f, const BodySet& bodies, std::uint32_t body, const Pose& X_new_old,
                         const Shape& shape) {
    if (a[f] == body && part_a[f] == kNoPart) X_AF[f] = X_new_old * X_AF[f];
    if (b[f] != body) return;
    if (part_b[f] == kNoPart) X_BF[f] = X_new_old * X_BF[f];
    measure_areas(f, bodies, shape);
}

void ForceSet::remove(std::span<const std::uint8_t> is_dead) {
    for_each_force_array(*this, [&](auto& list) { compact(list, is_dead); });
}

void ForceSet::update_numbers(const BodySet& bodies) {
    for (std::size_t f = 0; f < size(); ++f) {
        a[f] = place_of(bodies, uid_a[f]);
        b[f] = place_of(bodies, uid_b[f]);
    }
}

double ForceSet::share(std::size_t f, double t, double h) const {
    if (!is_enabled[f]) return 0;
    if (!(h > 0)) return t >= from[f] && t < until[f] ? 1 : 0;
    if (t >= from[f] && t + h <= until[f]) return 1;
    return std::max(0.0, std::min(t + h, until[f]) - std::max(t, from[f])) / h;
}

double ForceSet::strength(std::size_t f, double t, double h) const {
    const double of_time = share(f, t, h);
    return of_time == 0 ? 0 : of_time * value_at(magnitude[f], t + 0.5 * h);
}

ForceGeometry geometry_of(const ForceSet& forces, std::size_t f, const BodySet& bodies) {
    ForceGeometry g;
    const auto set = [&](ForceEnd& end, std::uint32_t node, std::uint32_t k, std::uint32_t part,
                         const Pose& X_F) {
        end.node = node;
        end.X_WF = frame_of(bodies, k, part) * X_F;
        if (k == kNoBody) return;
        const bool is_particle = part != kNoPart;
        end.center = bodies.part_pose(k, part).position;
        end.v = is_particle ? bodies.particles[k]->now.v[part] : bodies.v[k];
        end.w = bodies.w[k];
        end.mass = is_particle ? bodies.particles[k]->mass(part) : bodies.mass[k];
    };
    set(g.a, 0, forces.a[f], forces.part_a[f], forces.X_AF[f]);
    set(g.b, 1, forces.b[f], forces.part_b[f], forces.X_BF[f]);
    g.X_WB = frame_of(bodies, forces.b[f], forces.part_b[f]).orientation;
    g.face_areas = forces.face_areas[f];
    g.round_area = forces.round_area[f];
    return g;
}

void find_terms(const ForceSet& forces, std::size_t f, const ForceGeometry& g, double strength,
                ForceTerms& out) {
    out.clear();
    if (strength == 0) return;
    std::visit([&](const auto& desc) { add_terms(desc, g, out); }, forces.force[f]);
    const Course& magnitude = forces.magnitude[f];
    out.has_potential = out.has_potential && !magnitude.varies();
    out.potential = out.has_potential ? out.potential * magnitude.value : 0;
    if (strength == 1) return;
    for (ForceTerm& term : out.along) {
        term.force *= strength;
        term.stiffness *= strength;
        term.damping *= strength;
    }
    out.force *= strength;
    out.torque *= strength;
}

}  // namespace impuls
