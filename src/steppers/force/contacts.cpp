// Forces of contacts (contacts.h).
#include "steppers/force/contacts.h"

#include <algorithm>

#include "steppers/contacts.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

Vec3 running_surface(const WorldView& view, const IslandNode& node) {
    if (!node.has_surface) return {};
    return rotate(node.pose.orientation, view.bodies.surface_velocity[node.body]);
}

// What the surface of a node can do at most, beside its centre's motion, m/s.
double swing(const WorldView& view, const Bodies& bodies, const IslandNode& node, std::uint32_t k) {
    return node.body == kNoBody ? 0 : length(bodies.nodes.w[k]) * view.bodies.radius[node.body];
}

}  // namespace

double closing_speed(const WorldView& view, const Island& island, const Bodies& bodies,
                     const IslandPair& pair) {
    const auto pull = [&](std::uint32_t k) { return island.nodes[k].pull; };
    return length(bodies.nodes.v[pair.b] - bodies.nodes.v[pair.a]) +
           swing(view, bodies, island.nodes[pair.a], pair.a) +
           swing(view, bodies, island.nodes[pair.b], pair.b) + view.dt * (pull(pair.a) + pull(pair.b));
}

Vec3 relative_velocity(const WorldView& view, const Island& island, const Bodies& bodies,
                       const IslandPair& pair, const Vec3& position) {
    const IslandNode &a = island.nodes[pair.a], &b = island.nodes[pair.b];
    return bodies.velocity_at(pair.b, position - b.pose.position) + running_surface(view, b) -
           bodies.velocity_at(pair.a, position - a.pose.position) - running_surface(view, a);
}

double gap_of(const WorldView& view, const Island& island, std::uint32_t p, std::vector<Manifold>& found) {
    const IslandPair& pair = island.pairs[p];
    double gap = pair.margin;
    impuls::find_contacts(view, island, pair, found);
    for (const Manifold& m : found)
        for (int k = 0; k < m.count; ++k)
            gap = std::min(gap, m.points[static_cast<std::size_t>(k)].separation);
    return gap;
}

void Contacts::begin(const WorldView& view, Island& island) {
    laws_.clear();
    points_.clear();
    is_on_.assign(island.pairs.size(), 1);
    grips_.clear();
    have_grips_ = false;
    for (IslandPair& pair : island.pairs) {
        const auto number = static_cast<std::uint32_t>(laws_.size());
        laws_.push_back(force_level::law_of(view, island, pair));
        if (laws_.back().bristle.stiffness > 0) {
            have_grips_ = true;
            grips_.add(number, pair.size, view.pairs, pair.pair);
        }
        const auto speed = [&](std::uint32_t k) {
            const IslandNode& node = island.nodes[k];
            const double radius = node.body == kNoBody ? 0 : view.bodies.radius[node.body];
            double way = length(node.v) + length(node.w) * radius;
            if (node.body != kNoBody && view.bodies.script[node.body]) {
                const Motion ahead = scripted_chord(view.bodies, node.body, view.time, view.dt);
                way = std::max(way, length(ahead.v) + length(ahead.w) * radius);
            }
            return way + view.dt * node.pull;
        };
        pair.margin = MarginPolicy{kMargin}.margin(pair, view.dt * (speed(pair.a) + speed(pair.b)));
    }
}

void Contacts::find(const WorldView& view, const Island& island, Which which) {
    points_.clear();
    for (std::uint32_t p = 0; p < island.pairs.size(); ++p) {
        const IslandPair& pair = island.pairs[p];
        if ((which == Which::On && !is_on_[p]) || pair.areal.is_on()) continue;
        const Pose &a = island.nodes[pair.a].pose, &b = island.nodes[pair.b].pose;
        impuls::find_contacts(view, island, pair, found_);
        for (const Manifold& m : found_)
            for (int k = 0; k < m.count; ++k) {
                const ManifoldPoint& of = m.points[static_cast<std::size_t>(k)];
                Touch& touch = points_.emplace_back();
                touch.pair = p;
                touch.feature = of.feature;
                touch.position = of.position;
                touch.normal = m.normal;
                touch.separation = of.separation;
                touch.p_A = inverse(a) * (of.position - m.normal * (0.5 * of.separation));
                touch.p_B = inverse(b) * (of.position + m.normal * (0.5 * of.separation));
                touch.n_A = rotate_inverse(a.orientation, m.normal);
                if (have_grips_) touch.grip = grips_.find(p, of.feature);
            }
    }
}

void Contacts::carry(const Island& island) {
    for (Touch& touch : points_) {
        const IslandPair& pair = island.pairs[touch.pair];
        const Pose &a = island.nodes[pair.a].pose, &b = island.nodes[pair.b].pose;
        const Vec3 on_a = a * touch.p_A, on_b = b * touch.p_B;
        touch.normal = rotate(a.orientation, touch.n_A);
        touch.separation = dot(touch.normal, on_b - on_a);
        // A point of what moves: half the way to where it began would turn the body.
        const bool is_on_a = island.nodes[pair.a].is_dynamic && !island.nodes[pair.b].is_dynamic;
        touch.position = is_on_a ? on_a : on_b;
    }
}

bool Contacts::settle_grips(const WorldView& view, const Island& island, const Bodies& bodies) {
    grips_.begin_renewal();
    for (Touch& touch : points_) {
        const PairLaw& law = laws_[touch.pair];
        const IslandPair& pair = island.pairs[touch.pair];
        touch.grip = kNoGrip;
        if (!(law.bristle.stiffness > 0) || touch.separation > kTouch * pair.size) continue;
        const Vec3 u = relative_velocity(view, island, bodies, pair, touch.position);
        const double approach = -dot(u, touch.normal);
        const double load = touch.separation < 0 ? normal_force(law, {-touch.separation, approach}).force : 0;
        touch.grip = static_cast<std::uint32_t>(grips_.all().size());
        Grip& grip = grips_.renew(touch.pair, touch.feature, pair.size);
        Grips::settle(law.bristle, grip, touch.normal, u + touch.normal * approach, load);
    }
    return grips_.have_changed();
}

void Contacts::push(const WorldView& view, const Island& island, bool keeps, Bodies& bodies) {
    if (!keeps)
        for (Grip& grip : grips_.all()) {
            grip.rate = grip.slip = {};
            grip.spare = 0;
        }
    for (Touch& touch : points_) {
        const IslandPair& pair = island.pairs[touch.pair];
        const PairLaw& law = laws_[touch.pair];
        const Vec3 u = relative_velocity(view, island, bodies, pair, touch.position);
        if (!keeps) {
            touch.force = {};
            touch.slides = false;
            if (touch.separation >= 0) continue;
            const double approach = -dot(u, touch.normal);
            const double load = normal_force(law, {-touch.separation, approach}).force;
            const Vec3 slip = u + touch.normal * approach;
            touch.force = touch.normal * load;
            if (law.bristle.stiffness > 0) {
                Grip fresh;
                Grip& grip = touch.grip == kNoGrip ? fresh : grips_.all()[touch.grip];
                const double spin = 0.5 * dot(touch.normal, bodies.nodes.w[pair.a] + bodies.nodes.w[pair.b]);
                touch.force += Grips::force(law.bristle, grip, touch.normal, slip, load, spin);
                touch.slides = grip.slides;
            } else if (law.friction.sticking > 0) {
                const laws::SlidingFriction<double> friction = friction_under(law, load);
                touch.force += laws::force_of(friction, slip, load).force;
                touch.slides = length_squared(slip) > friction.slow * friction.slow;
            }
        }
        if (touch.force == Vec3{}) continue;
        for (const auto& [k, force] : {std::pair{pair.a, -touch.force}, std::pair{pair.b, touch.force}}) {
            const IslandNode& node = island.nodes[k];
            if (!node.is_dynamic) continue;
            const Vec3 arm = touch.position - node.pose.position;
            bodies.push(k, force, arm);
            bodies.power.dissipated -= dot(force, bodies.velocity_at(k, arm));
        }
    }
}

}  // namespace impuls::force_level
