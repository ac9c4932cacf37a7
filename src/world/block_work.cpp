// A step of an island by blocks (block_work.h).
#include "world/block_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "impuls/scene.h"
#include "math/rotation.h"
#include "world/state.h"

namespace impuls {
namespace {

bool is_plain(const ContactLaw& law) {
    return law.rolling == 0 && law.torsion == 0 && law.compliance == 0 &&
           (law.restitution == 0 || law.restitution_law == RestitutionLaw::Newton);
}

}  // namespace

bool BlockWork::takes(const WorldState& s, std::size_t i) {
    const auto bodies = s.islands.body_start[i + 1] - s.islands.body_start[i],
               joints = s.islands.joint_start[i + 1] - s.islands.joint_start[i];
    const bool is_large = s.method.stepper == Stepper::Impulse && s.method.blocks_from > 0 &&
                          bodies >= s.method.blocks_from && joints == 0;
    if (s.method.stepper != Stepper::Blocks && !is_large) return false;
    if (s.method.friction != FrictionModel::Cone) return false;
    if (!takes_joints(s, i)) return false;
    const auto laws = s.laws.all();
    const auto first = s.islands.pair_start[i], end = s.islands.pair_start[i + 1];
    if (laws.size() < end - first && std::all_of(laws.begin(), laws.end(), is_plain)) return true;
    for (auto k = first; k < end; ++k) {
        const auto [a, b] = s.body_pairs[s.islands.pairs[k]];
        if (!is_plain(s.laws.between(s.bodies.material[a], s.bodies.material[b]))) return false;
    }
    return true;
}

Executor& BlockWork::executor() const {
    return *world_->executor;
}

void BlockWork::set_node(Node& node, std::uint32_t body) const {
    const auto& bodies = world_->bodies;
    node = {};
    node.body = body;
    if (body == kNoBody) return;
    node.pose = bodies.pose[body], node.v = bodies.v[body], node.w = bodies.w[body];
    node.is_dynamic = bodies.is_dynamic(body);
    if (!node.is_dynamic) {
        node.is_round = !moves(node);
        set_swing(node);
        return;
    }
    node.inv_mass = bodies.inv_mass[body];
    node.acceleration = world_->gravity * bodies.gravity_scale[body] + bodies.force[body] * node.inv_mass;
    node.pull = length(node.acceleration);
    const Vec3& inv = bodies.inv_inertia[body];
    const auto first = world_->outlines.begin() + world_->first_collider[body],
               end = world_->outlines.begin() + world_->first_collider[body + 1];
    node.is_round = inv.x == inv.y && inv.y == inv.z && std::all_of(first, end, [&](const Outline& ball) {
                        return ball.radius > 0 && ball.centre == node.pose.position;
                    });
    set_swing(node);
}

void BlockWork::set_swing(Node& node) const {
    node.swing = node.is_round ? 0 : length(node.w) * world_->bodies.radius[node.body];
}

std::uint32_t BlockWork::node_for(std::uint32_t body) {
    if (body != kNoBody && world_->bodies.is_dynamic(body)) return world_->node_of[body];
    auto it = std::lower_bound(others_.begin(), others_.end(), std::pair{body, 0u});
    if (it == others_.end() || it->first != body) {
        it = others_.insert(it, {body, static_cast<std::uint32_t>(nodes_.size())});
        set_node(nodes_.emplace_back(), body);
    }
    return it->second;
}

void BlockWork::gather(WorldState& s, std::size_t i, IslandWork& out) {
    world_ = &s;
    results_ = &out.results, first_ = out.results.point.size();
    others_.clear(), parts_.clear();
    const auto& islands = s.islands;
    dynamic_count_ = islands.body_start[i + 1] - islands.body_start[i];
    nodes_.resize(dynamic_count_);
    const auto* members = islands.bodies.data() + islands.body_start[i];
    for_nodes([&](std::size_t k) {
        s.node_of[members[k]] = static_cast<std::uint32_t>(k);
        set_node(nodes_[k], members[k]);
    });
    const double g = length(s.gravity);
    up_ = g > 0 ? s.gravity / -g : Vec3{};
    const std::span<const std::uint32_t> pairs(islands.pairs.data() + islands.pair_start[i],
                                               islands.pair_start[i + 1] - islands.pair_start[i]);
    for (const std::uint32_t pair : pairs)
        for (const std::uint32_t body : {s.body_pairs[pair].first, s.body_pairs[pair].second})
            if (!s.bodies.is_dynamic(body)) node_for(body);
    pairs_.resize(pairs.size());
    std::atomic<int> level = 0;
    pace_ = {};
    s.executor->parallel_for(pairs.size(), 256, [&](std::size_t begin, std::size_t end) {
        int most = 0;
        PassTally pace;
        for (std::size_t k = begin; k < end; ++k) {
            if (k + kAhead < pairs.size()) {
                const auto [ca, cb] = s.collider_pairs[pairs[k + kAhead]];
                __builtin_prefetch(&s.outlines[ca]), __builtin_prefetch(&s.outlines[cb]);
                __builtin_prefetch(s.contacts.data() + s.old_contacts[pairs[k + kAhead]]);
            }
            set_pair(pairs_[k], pairs[k]);
            pace.add(pairs_[k].way / (kPassWay * pairs_[k].size));
            const auto c = s.old_contacts[pairs[k]];
            if (c < s.old_contacts[pairs[k] + 1] && s.contacts[c].key == s.pair_keys[pairs[k]])
                most = std::max(most, static_cast<int>(s.contacts[c].substeps));
        }
        for (int now = level; most > now && !level.compare_exchange_weak(now, most);) {
        }
        pace_.add(pace);
    });
    level_ = level;
    gather_joints(s, i);
}

// Once all nodes are there.
void BlockWork::set_pair(PairPart& p, std::uint32_t pair) const {
    const WorldState& s = *world_;
    const auto [ca, cb] = s.collider_pairs[pair];
    const auto [a, b] = s.body_pairs[pair];
    const auto node = [&](std::uint32_t body) {
        if (s.bodies.is_dynamic(body)) return s.node_of[body];
        return std::lower_bound(others_.begin(), others_.end(), std::pair{body, 0u})->second;
    };
    p.pair = pair;
    p.a = node(a), p.b = node(b);
    p.collider_a = &s.bodies.colliders[a][s.collider_number[ca]];
    p.collider_b = &s.bodies.colliders[b][s.collider_number[cb]];
    const Outline &oa = s.outlines[ca], &ob = s.outlines[cb];
    p.radius_a = oa.radius, p.radius_b = ob.radius;
    p.are_spheres = p.radius_a > 0 && p.radius_b > 0;
    p.cache = p.are_spheres ? nullptr : &world_->pair_cache[pair];
    p.are_centred = oa.centre == nodes_[p.a].pose.position && ob.centre == nodes_[p.b].pose.position;
    p.law = &s.laws.between(s.bodies.material[a], s.bodies.material[b]);
    p.size = smaller_size(s.collider_size[ca], s.collider_size[cb]);
    p.margin = p.way_left = 0;
    p.way = way_of(p, s.dt);
}

// How far a pair's surfaces can move relative to each other in a time h.
double BlockWork::way_of(const PairPart& pair, double h) const {
    const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
    return h * (length(b.v - a.v) + a.swing + b.swing + h * length(b.acceleration - a.acceleration));
}

// A body of blocks_ for a contact or a joint. A kinematic body turns as its law says: it is given such an
// inertia that no impulse shows in it, and each of its contacts a copy of it, so that none sees another's.
std::uint32_t BlockWork::number_of(const Node& node) {
    if (node.is_dynamic || !moves(node)) return node.number;
    return blocks_.add_body(0, diagonal(heavy_ > 0 ? Vec3{1, 1, 1} / heavy_ : Vec3{}), node.v,
                            node.w * heavy_, {}, {});
}

// Inertia as it is at the start of the pass. Masses and impulses of blocks_ are in a power of two near the
// largest mass, so that roots of inertia, too, scale with lengths by powers of two, and floats stay in their
// range.
void BlockWork::fill_bodies() {
    const auto& bodies = world_->bodies;
    double largest = 0, heaviest = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Vec3& inertia = bodies.inertia[nodes_[k].body];
        largest = std::max({largest, inertia.x, inertia.y, inertia.z});
        heaviest = std::max(heaviest, bodies.mass[nodes_[k].body]);
    }
    unit_ = heaviest > 0 ? std::exp2(std::ilogb(heaviest)) : 1;
    heavy_ = 0x1p20 * std::sqrt(largest / unit_);
    const auto roots = [](const Vec3& x) { return Vec3{std::sqrt(x.x), std::sqrt(x.y), std::sqrt(x.z)}; };
    blocks_.clear(dynamic_count_, parts_.size());
    inertias_.resize(nodes_.size()), surfaces_.resize(nodes_.size()), ways_.resize(nodes_.size());
    for_nodes([&](std::size_t k) {
        Node& node = nodes_[k];
        node.is_touched = node.is_joined;
        if (node.body != kNoBody) {
            const Vec3& surface = bodies.surface_velocity[node.body];
            node.runs = surface != Vec3{};
            if (node.runs) surfaces_[k] = rotate(node.pose.orientation, surface);
        }
        if (!node.is_dynamic) return;
        const Vec3 i = bodies.inertia[node.body] / unit_, inv = bodies.inv_inertia[node.body] * unit_;
        Inertia& inertia = inertias_[k];
        inertia.inverse_root = turned_diagonal(node.pose.orientation, roots(inv));
        inertia.root = turned_diagonal(node.pose.orientation, inv == Vec3{} ? Vec3{} : roots(i));
        node.number = static_cast<std::uint32_t>(k + 1);
        blocks_.set_body(node.number, bodies.inv_mass[node.body] * unit_, inertia.inverse_root, node.v,
                         inertia.root * node.w, node.acceleration,
                         inertia.inverse_root * (bodies.torque[node.body] / unit_));
    });
    const auto set_ends = [&](std::size_t k, std::uint32_t a, std::uint32_t b) {
        blocks_.set_manifold(k, a, b, parts_[k].count, parts_[k].is_round);
    };
    executor().parallel_for(parts_.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            set_ends(k, nodes_[parts_[k].a].number, nodes_[parts_[k].b].number);
    });
    const auto is_scripted = [](const Node& node) { return !node.is_dynamic && moves(node); };
    if (std::none_of(nodes_.begin() + static_cast<std::ptrdiff_t>(dynamic_count_), nodes_.end(), is_scripted))
        return;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const Node &a = nodes_[parts_[k].a], &b = nodes_[parts_[k].b];
        if (!is_scripted(a) && !is_scripted(b)) continue;
        const std::uint32_t number_a = number_of(a);
        set_ends(k, number_a, number_of(b));
    }
}

void BlockWork::turn_node(Node& node, const Vec3& angle) const {
    const Vec3& axis = world_->bodies.spin_axis[node.body];
    const Quat old = node.pose.orientation;
    node.pose.orientation = axis == Vec3{} ? turned(old, angle) : turned_apart(old, angle, rotate(old, axis));
}

void BlockWork::move(double h) {
    const auto& bodies = world_->bodies;
    for (const Part& part : parts_)
        if (part.is_pushed) nodes_[part.a].is_touched = nodes_[part.b].is_touched = true;
    for_nodes([&](std::size_t k) {
        Node& node = nodes_[k];
        if (node.body == kNoBody) return;
        if (!node.is_touched || !node.is_dynamic) {
            const Motion m = fly(bodies, node.body, {node.pose, node.v, node.w}, world_->gravity,
                                 world_->method.integrator, h);
            node.pose = m.pose, node.v = m.v, node.w = m.w;
            set_swing(node);
            return;
        }
        const Inertia& inertia = inertias_[k];
        node.pose.position += ways_[k].shift;
        node.v = blocks_.velocity(node.number);
        const Vec3 spin = blocks_.spin(node.number);
        turn_node(node, ways_[k].turn);
        // Angular momentum is what stays while the body turns.
        const Vec3& inv = bodies.inv_inertia[node.body];
        node.w = inv.x == inv.y && inv.y == inv.z
                     ? inertia.inverse_root * spin
                     : turned_diagonal(node.pose.orientation, inv) * (inertia.root * spin * unit_);
        node.v *= decay(h * bodies.linear_damping[node.body]);
        node.w *= decay(h * bodies.angular_damping[node.body]);
        set_swing(node);
    });
}

bool BlockWork::check_finite(IslandWork& out) const {
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Node& node = nodes_[k];
        if (is_finite(node.v) && is_finite(node.w) && is_finite(node.pose.position) &&
            is_finite(node.pose.orientation) &&
            (world_->bodies.radius[node.body] == 0 ||
             length(node.pose.position) <= 0x1p52 * world_->bodies.radius[node.body]))
            continue;
        out.failure =
            fmt::format("body '{}' is not finite after contacts", world_->structure->bodies[node.body].name);
        return false;
    }
    return true;
}

void BlockWork::scatter() {
    for_nodes([&](std::size_t k) {
        if (k < dynamic_count_) world_->next[nodes_[k].body] = {nodes_[k].pose, nodes_[k].v, nodes_[k].w};
    });
    scatter_joints();
}

bool BlockWork::advance(WorldState& s, std::size_t i, IslandWork& out) {
    auto clock = std::chrono::steady_clock::now();
    const auto timed = [&](Stage stage) { out.stage_seconds[static_cast<int>(stage)] += lap(clock); };
    gather(s, i, out);
    if (s.method.stepper != Stepper::Blocks && !is_calm()) return false;
    const int passes = count_passes();
    if (passes > kMostPasses || is_torn()) return false;
    const double time = s.dt / passes;
    const Energy before = joints_.empty() ? Energy{} : energy();
    int substeps = 0;
    bool are_held = true;
    for (int pass = 0; pass < passes; ++pass) {
        timed(Stage::Integrate);
        find_contacts(time, time * (passes - pass), pass == 0), timed(Stage::Contacts);
        estimate_loads();
        if (pass == 0) {
            level_ = count_substeps();
            substeps = (level_ + passes - 1) / passes;
        }
        substep_ = time / substeps;
        fill_bodies();
        add_joints(time, substeps);
        timed(Stage::Islands);
        blocks_.solve(time, substeps, *this, *s.executor);
        measure_ways();
        blocks_.take(*this, *s.executor), timed(Stage::Solve);
        take_joints(substep_);
        move(time);
        are_held = close_joints(time) && are_held;
        if (!check_finite(out)) return true;
    }
    if (!joints_.empty() && (!are_held || gains_energy(before))) {
        results_->point.resize(first_), results_->pair.resize(first_);
        timed(Stage::Integrate);
        return false;
    }
    scatter(), timed(Stage::Integrate);
    return true;
}

}  // namespace impuls
