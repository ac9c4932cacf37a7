// Placing pairs of surfaces, and what they do to bodies (areal.h).
#include "steppers/force/areal.h"

#include <algorithm>
#include <cmath>

#include "areal/surface_cache.h"
#include "dynamics/laws/impact_forms.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

struct Relative {
    Pose X{};  // of the target in the base
    areal::Twist twist{};
    Pose base{};  // of the base surface in the world
};

Relative relative_of(const ArealLink& link, const ArealSide& a, const ArealSide& b) {
    const ArealSide &base = link.pair.a_is_base() ? a : b, &target = link.pair.a_is_base() ? b : a;
    Relative out;
    out.base = base.pose * link.X_base;
    out.X = inverse(out.base) * (target.pose * link.X_target);
    const Vec3 at = out.base.position;
    const auto velocity = [&](const ArealSide& s) {
        return s.v + cross(s.w, at - s.pose.position) + s.surface;
    };
    const Quat& q = out.base.orientation;
    const Vec3 v = rotate_inverse(q, velocity(target) - velocity(base)),
               w = rotate_inverse(q, target.w - base.w);
    out.twist = {{v.x, v.y, v.z}, {w.x, w.y, w.z}};
    return out;
}

std::array<double, 6> value_of(const areal::Pressed<double>& p) {
    return {p.force.x, p.force.y, p.force.z, p.torque.x, p.torque.y, p.torque.z};
}

// The value where the pair is now by that where it was made linear.
std::array<double, 6> by_tangent(const ArealLink& link, const Relative& now) {
    const Quat turn = now.X.orientation * conjugate(link.at.orientation);
    const double side = turn.w < 0 ? -2 : 2;
    const Vec3 d = now.X.position - link.at.position, r = Vec3{turn.x, turn.y, turn.z} * side;
    const auto &v = now.twist.v, &w = now.twist.w;
    const auto &v0 = link.twist.v, &w0 = link.twist.w;
    const std::array<double, areal::kDirections> way{
        d.x, d.y, d.z, r.x, r.y, r.z, v.x - v0.x, v.y - v0.y, v.z - v0.z, w.x - w0.x, w.y - w0.y, w.z - w0.z};
    std::array<double, 6> out = link.value;
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t k = 0; k < way.size(); ++k) out[i] += link.tangent.by[i][k] * way[k];
    return out;
}

ArealSide side_of(const WorldView& view, const Island& island, const Bodies& bodies, std::uint32_t k) {
    const IslandNode& node = island.nodes[k];
    ArealSide side{node.pose, bodies.nodes.v[k], bodies.nodes.w[k], {}};
    if (node.has_surface)
        side.surface = rotate(node.pose.orientation, view.bodies.surface_velocity[node.body]);
    return side;
}

}  // namespace

double areal_size(const Collider& a, const Collider& b, double size) {
    return size > 0 ? size : std::max({a.size, b.size, length(a.half), length(b.half)});
}

areal::ArealLaw areal_law(const WorldView& view, const ArealTerms& terms, const ContactLaw& of, double weight,
                          double size) {
    const ForceMethod& method = view.method.force();
    const double speed = weight > 0 ? std::sqrt(weight * size) : size / view.dt;
    areal::ArealLaw law;
    law.stiffness = terms.stiffness;
    law.damping = terms.damping;
    law.ramp = kArealRamp * (terms.layer > 0 ? terms.layer : size);
    if (!(law.damping > 0) && of.restitution < 1)
        law.dissipation = laws::dissipation_for(std::max(0.01, of.restitution), speed);
    const double slow = method.slip_speed > 0 ? method.slip_speed : kSlipSpeed * speed;
    law.friction = {of.static_friction, of.friction, slow, slow};
    return law;
}

void bind_link(const WorldView& view, const Collider& a, const Collider& b, const ArealTerms& terms,
               const areal::ArealLaw& law, ArealLink& link) {
    const areal::Surface surface_a = view.surfaces->of(a, terms.resolution),
                         surface_b = view.surfaces->of(b, terms.resolution);
    const double spacing =
        terms.isosurface > 0
            ? (terms.resolution > 0 ? terms.resolution : std::min(surface_a.edge, surface_b.edge))
            : 0;
    link.pair.bind(surface_a, surface_b, law, terms.share_a, spacing);
    link.terms = terms;
    link.law = law;
    link.X_base = (link.pair.a_is_base() ? a : b).X_BC;
    link.X_target = (link.pair.a_is_base() ? b : a).X_BC;
}

void append_patches(ArealLink& link, const ArealSide& a, const ArealSide& b, std::uint32_t name_a,
                    std::uint32_t name_b, std::vector<ContactPatch>& patches,
                    std::vector<PressedTriangle>* triangles) {
    const Relative now = relative_of(link, a, b);
    link.pair.find_elements(now.X, now.twist);
    const std::size_t first = patches.size();
    const Quat& q = now.base.orientation;
    const double sign = link.pair.a_is_base() ? -1 : 1;  // forces are on the base, told on b
    for (const areal::Patch& of : link.pair.patches()) {
        ContactPatch& patch = patches.emplace_back();
        patch.a = name_a;
        patch.b = name_b;
        patch.elements = of.elements;
        patch.point = now.base * of.center;
        patch.normal = rotate(q, of.normal) * sign;
        patch.area = of.area;
        patch.depth = of.depth;
        patch.pressure = of.pressure;
        patch.force = rotate(q, of.force) * sign;
        patch.moment = rotate(q, of.moment) * sign;
    }
    if (!triangles) return;
    const auto corners = link.pair.corners();
    for (const areal::Element& e : link.pair.elements())
        for (std::uint32_t k = 1; k + 1 < e.corners; ++k)
            triangles->push_back({static_cast<std::uint32_t>(first) + e.patch, e.pressure,
                                  now.base * corners[e.first_corner], now.base * corners[e.first_corner + k],
                                  now.base * corners[e.first_corner + k + 1]});
}

void ArealContacts::begin(const WorldView& view, const Island& island) {
    used_.clear();
    for (const auto& link : links_) link->is_used = false;
    for (std::uint32_t p = 0; p < island.pairs.size(); ++p) {
        const IslandPair& pair = island.pairs[p];
        if (!pair.areal.is_on()) continue;
        const PairKey& key = view.pairs.keys[pair.pair];
        auto at =
            std::find_if(links_.begin(), links_.end(), [&](const auto& link) { return link->key == key; });
        const double size = areal_size(*pair.collider_a, *pair.collider_b, pair.size);
        const areal::ArealLaw law =
            areal_law(view, pair.areal, *pair.law, weight_of(view, island, pair.a, pair.b), size);
        const bool is_new = at == links_.end();
        if (is_new) {  // in the place of one that is not needed any more
            at = std::find_if(links_.begin(), links_.end(), [&](const auto& link) {
                return !link->is_used &&
                       !std::binary_search(view.pairs.keys.begin(), view.pairs.keys.end(), link->key);
            });
            if (at == links_.end()) at = links_.insert(at, std::make_unique<ArealLink>());
            (*at)->key = key;
        }
        ArealLink& link = **at;
        if (is_new || !(link.terms == pair.areal) || !(link.law == law))
            bind_link(view, *pair.collider_a, *pair.collider_b, pair.areal, law, link);
        link.number = p;
        link.is_used = true;
        link.is_linear = false;
        used_.push_back(&link);
    }
}

void ArealContacts::push(const WorldView& view, const Island& island, Bodies& bodies) {
    for (ArealLink* link : used_) {
        const IslandPair& pair = island.pairs[link->number];
        const Relative now =
            relative_of(*link, side_of(view, island, bodies, pair.a), side_of(view, island, bodies, pair.b));
        const std::array<double, 6> f =
            link->is_linear ? by_tangent(*link, now) : value_of(link->pair.press(now.X, now.twist));
        const Quat& q = now.base.orientation;
        const Vec3 force = rotate(q, {f[0], f[1], f[2]}), torque = rotate(q, {f[3], f[4], f[5]});
        const std::uint32_t base = link->pair.a_is_base() ? pair.a : pair.b,
                            target = link->pair.a_is_base() ? pair.b : pair.a;
        for (const auto& [k, sign] : {std::pair{base, 1.0}, std::pair{target, -1.0}}) {
            const IslandNode& node = island.nodes[k];
            if (!node.is_dynamic) continue;
            const Vec3 arm = now.base.position - node.pose.position;
            const Vec3 push = force * sign, turn = (torque + cross(arm, force)) * sign;
            bodies.wrench[k].force += push;
            bodies.wrench[k].torque += turn;
            bodies.power.dissipated -= dot(push, bodies.nodes.v[k]) + dot(turn, bodies.nodes.w[k]);
        }
    }
}

void ArealContacts::linearise(const WorldView& view, const Island& island, const Bodies& bodies, bool on) {
    for (ArealLink* link : used_) {
        link->is_linear = on;
        if (!on) continue;
        const IslandPair& pair = island.pairs[link->number];
        const Relative now =
            relative_of(*link, side_of(view, island, bodies, pair.a), side_of(view, island, bodies, pair.b));
        link->value = value_of(link->pair.press(now.X, now.twist, &link->tangent));
        link->at = now.X;
        link->twist = now.twist;
    }
}

void ArealContacts::add_touches(const WorldView& view, const Island& island, const Bodies& bodies,
                                std::vector<Touch>& touches, std::vector<ArealNote>& notes) {
    for (ArealLink* link : used_) {
        const IslandPair& pair = island.pairs[link->number];
        const ArealSide a = side_of(view, island, bodies, pair.a), b = side_of(view, island, bodies, pair.b);
        patches_.clear();
        append_patches(*link, a, b, 0, 0, patches_, nullptr);
        double depth = 0;
        std::uint32_t elements = 0;
        const auto at = std::lower_bound(touches.begin(), touches.end(), link->number,
                                         [](const Touch& t, std::uint32_t p) { return t.pair < p; });
        std::vector<Touch>::iterator next = at;
        for (std::uint32_t k = 0; k < patches_.size(); ++k) {
            const ContactPatch& patch = patches_[k];
            Touch touch;
            touch.pair = link->number;
            touch.feature = k;
            touch.position = patch.point;
            touch.normal = patch.normal;
            touch.separation = -patch.depth;
            touch.force = patch.force;
            next = touches.insert(next, touch) + 1;
            depth = std::max(depth, patch.depth);
            elements = std::max(elements, patch.elements);
        }
        const auto note = [&](ArealNote::Kind kind, double value, double allowed) {
            notes.push_back({kind, island.nodes[pair.a].body, island.nodes[pair.b].body, value, allowed});
        };
        if (link->terms.layer > 0 && depth > link->terms.layer)
            note(ArealNote::Kind::Depth, depth, link->terms.layer);
        if (elements > 0 && link->pair.sagitta_share() > 1)
            note(ArealNote::Kind::Facets, link->pair.sagitta_share(), 1);
        if (patches_.empty() && link->pair.is_immersed(relative_of(*link, a, b).X))
            note(ArealNote::Kind::Immersed, 1, 0);
    }
}

}  // namespace impuls::force_level
