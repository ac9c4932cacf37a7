// Impacts (impacts.h).
#include "steppers/force/impacts.h"

#include <algorithm>
#include <cmath>

#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

double kinetic(const WorldView& view, const Island& island, const Bodies& bodies) {
    double sum = 0;
    for (std::uint32_t k = 0; k < island.dynamic_count; ++k) {
        const std::uint32_t body = island.nodes[k].body;
        const Vec3 w = rotate_inverse(island.nodes[k].pose.orientation, bodies.nodes.w[k]);
        sum += view.bodies.mass[body] * length_squared(bodies.nodes.v[k]) +
               dot(scale(view.bodies.inertia[body], w), w);
    }
    return 0.5 * sum;
}

Vec3 node_change(const WorldView& view, const IslandNode& node, const Vec3& torque) {
    const Quat& q = node.pose.orientation;
    return rotate(q, scale(view.bodies.inv_inertia[node.body], rotate_inverse(q, torque)));
}

}  // namespace

bool Impacts::are_due(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                      const Bodies& bodies) {
    for (const Touch& touch : contacts.points()) {
        const PairLaw& law = contacts.law_of(touch.pair);
        const IslandPair& pair = island.pairs[touch.pair];
        if (law.impact_speed == kUnbounded || touch.separation > kTouch * pair.size) continue;
        if (-dot(relative_velocity(view, island, bodies, pair, touch.position), touch.normal) >
            law.impact_speed)
            return true;
    }
    for (const JointAxis& axis : joints.axes()) {
        const double fast = impact_share(view.method.force()) * axis_speed(view, axis);
        if (axis.desc->lower && axis.beyond(-1) >= -kTouch && -axis.speed > fast) return true;
        if (axis.desc->upper && axis.beyond(1) >= -kTouch && axis.speed > fast) return true;
    }
    return false;
}

void Impacts::list(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints) {
    hits_.clear();
    const auto points = contacts.points();
    const ImpactOrder order = view.method.force().impacts;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const PairLaw& law = contacts.law_of(points[k].pair);
        const IslandPair& pair = island.pairs[points[k].pair];
        if (law.impact_speed == kUnbounded || points[k].separation > kTouch * pair.size) continue;
        Hit& hit = hits_.emplace_back();
        hit.point = static_cast<std::int32_t>(k);
        hit.restitution = law.restitution;
        hit.friction = law.friction.sliding;
        hit.group = order == ImpactOrder::Simultaneous ? 0
                    : order == ImpactOrder::Sequential ? static_cast<std::uint32_t>(hits_.size())
                                                       : points[k].pair;
    }
    const auto axes = joints.axes();
    for (std::size_t k = 0; k < axes.size(); ++k)
        for (const int side : {-1, 1}) {
            if (!(side < 0 ? axes[k].desc->lower : axes[k].desc->upper) || axes[k].beyond(side) < -kTouch)
                continue;
            Hit& hit = hits_.emplace_back();
            hit.axis = static_cast<std::int32_t>(k);
            hit.side = side;
            hit.restitution = axes[k].desc->restitution;
            hit.group = order == ImpactOrder::Simultaneous
                            ? 0
                            : static_cast<std::uint32_t>(island.pairs.size() + points.size() + hits_.size());
        }
}

Vec3 Impacts::direction(const Contacts& contacts, const Hit& hit) const {
    return hit.point < 0 ? Vec3{} : contacts.points()[static_cast<std::size_t>(hit.point)].normal;
}

void Impacts::set_unit(const Island& island, const Contacts& contacts, Joints& joints, const Hit& hit,
                       const Vec3& d) {
    std::fill(unit_.begin(), unit_.end(), Wrench{});
    if (hit.point < 0) {
        const Rate& rate = joints.axes()[static_cast<std::size_t>(hit.axis)].rate;
        for (std::uint32_t p = 0; p < rate.count; ++p) {
            unit_[rate.parts[p].node].force += rate.parts[p].linear * -hit.side;
            unit_[rate.parts[p].node].torque += rate.parts[p].angular * -hit.side;
        }
        return;
    }
    const Touch& touch = contacts.points()[static_cast<std::size_t>(hit.point)];
    const IslandPair& pair = island.pairs[touch.pair];
    unit_[pair.a] = {-d, -cross(touch.position - island.nodes[pair.a].pose.position, d)};
    unit_[pair.b] = {d, cross(touch.position - island.nodes[pair.b].pose.position, d)};
}

// Of b relative to a, along d; away from the limit.
double Impacts::velocity_along(const Island& island, const Contacts& contacts, Joints& joints, const Hit& hit,
                               const Vec3& d, const Bodies& bodies) const {
    if (hit.point < 0)
        return -hit.side *
               impuls::velocity_of(joints.axes()[static_cast<std::size_t>(hit.axis)].rate, bodies.nodes);
    const Touch& touch = contacts.points()[static_cast<std::size_t>(hit.point)];
    const IslandPair& pair = island.pairs[touch.pair];
    return dot(d, bodies.velocity_at(pair.b, touch.position - island.nodes[pair.b].pose.position) -
                      bodies.velocity_at(pair.a, touch.position - island.nodes[pair.a].pose.position));
}

void Impacts::find_response(const WorldView& view, const Island& island, const Contacts& contacts,
                            Joints& joints, const Hit& hit, const Vec3& d, std::span<Wrench> out) {
    set_unit(island, contacts, joints, hit, d);
    std::fill(out.begin(), out.end(), Wrench{});
    for (std::uint32_t k = 0; k < island.dynamic_count; ++k) {
        if (unit_[k].force == Vec3{} && unit_[k].torque == Vec3{}) continue;
        const IslandNode& node = island.nodes[k];
        out[k] = {unit_[k].force * node.inv_mass, node_change(view, node, unit_[k].torque)};
    }
    if (!joints.are_none()) joints.respond(island, unit_, out);
}

void Impacts::apply(const Island& island, std::span<const Wrench> response, double impulse,
                    Bodies& bodies) const {
    for (std::uint32_t k = 0; k < island.dynamic_count; ++k) {
        bodies.nodes.v[k] += response[k].force * impulse;
        bodies.nodes.w[k] += response[k].torque * impulse;
    }
}

// Projected Gauss-Seidel to rounding: a group is small, and any solution of a redundant one does the same.
void Impacts::resolve_group(const Island& island, const Contacts& contacts, Joints& joints, std::size_t first,
                            std::size_t end, bool bounces, double fastest, Bodies& bodies) {
    for (std::size_t i = first; i < end; ++i) {
        Hit& hit = hits_[i];
        const double u = velocity_along(island, contacts, joints, hit, direction(contacts, hit), bodies);
        hit.target = u < 0 && bounces ? -hit.restitution * u : 0;
        hit.share = 0;
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double worst = 0;
        for (std::size_t i = first; i < end; ++i) {
            Hit& hit = hits_[i];
            if (!(hit.k > 0)) continue;
            const double u = velocity_along(island, contacts, joints, hit, direction(contacts, hit), bodies);
            const double change = std::max(-hit.share, (hit.target - u) / hit.k);
            if (change == 0) continue;
            hit.share += change;
            apply(island, response_of(i), change, bodies);
            worst = std::max(worst, std::abs(change) * hit.k);
        }
        if (worst <= kSolved * fastest) break;
    }
    for (std::size_t i = first; i < end; ++i) hits_[i].impulse += hits_[i].share;
}

// Coulomb's cone about what each point took: an impulse that stops the slip, or as much as friction has.
void Impacts::rub(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                  Bodies& bodies) {
    for (Hit& hit : hits_) {
        if (hit.point < 0 || !(hit.friction > 0) || !(hit.impulse > 0)) continue;
        const Touch& touch = contacts.points()[static_cast<std::size_t>(hit.point)];
        const Vec3 u = relative_velocity(view, island, bodies, island.pairs[touch.pair], touch.position);
        const Vec3 slip = u - touch.normal * dot(u, touch.normal);
        const double speed = length(slip);
        if (!(speed > 0)) continue;
        const Vec3 d = slip / -speed;
        find_response(view, island, contacts, joints, hit, d, tangent_response_);
        double k = 0;
        for (std::uint32_t n = 0; n < island.dynamic_count; ++n)
            k += dot(unit_[n].force, tangent_response_[n].force) +
                 dot(unit_[n].torque, tangent_response_[n].torque);
        if (!(k > 0)) continue;
        const double impulse = std::min(speed / k, hit.friction * hit.impulse);
        apply(island, tangent_response_, impulse, bodies);
        hit.tangent_impulse = d * impulse;
    }
}

double Impacts::resolve(const WorldView& view, const Island& island, const Contacts& contacts, Joints& joints,
                        Bodies& bodies) {
    list(view, island, contacts, joints);
    nodes_ = island.nodes.size();
    unit_.resize(nodes_);
    tangent_response_.resize(nodes_);
    responses_.resize(nodes_ * hits_.size());
    if (!joints.are_none()) joints.factor(view, island, bodies);
    const double before = kinetic(view, island, bodies);
    double fastest = 0;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
        Hit& hit = hits_[i];
        const Vec3 d = direction(contacts, hit);
        find_response(view, island, contacts, joints, hit, d, response_of(i));
        const auto response = response_of(i);
        for (std::uint32_t n = 0; n < island.dynamic_count; ++n)
            hit.k += dot(unit_[n].force, response[n].force) + dot(unit_[n].torque, response[n].torque);
        fastest = std::max(fastest, -velocity_along(island, contacts, joints, hit, d, bodies));
    }
    for (int round = 0;; ++round) {
        check_stop(view.stop);
        const bool is_last = round == kMostRounds;
        bool is_any = false;
        for (std::size_t first = 0, end = 0; first < hits_.size(); first = end) {
            bool approaches = false;
            for (end = first; end < hits_.size() && hits_[end].group == hits_[first].group; ++end)
                approaches |= hits_[end].k > 0 &&
                              velocity_along(island, contacts, joints, hits_[end],
                                             direction(contacts, hits_[end]), bodies) < -kCalm * fastest;
            if (!approaches) continue;
            is_any = true;
            resolve_group(island, contacts, joints, first, end, !is_last, fastest, bodies);
        }
        if (!is_any || is_last) break;
    }
    rub(view, island, contacts, joints, bodies);
    impulses_.clear();
    for (const Hit& hit : hits_)
        if (hit.point >= 0 && hit.impulse > 0)
            impulses_.push_back({static_cast<std::uint32_t>(hit.point),
                                 direction(contacts, hit) * hit.impulse + hit.tangent_impulse});
    return before - kinetic(view, island, bodies);
}

}  // namespace impuls::force_level
