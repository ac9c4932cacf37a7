// Gathering an island (island.h). Large islands are gathered by all threads: nothing here depends on their
// number.
#include <algorithm>
#include <atomic>

#include "collision/graph/groups.h"
#include "steppers/island.h"
#include "steppers/joint_size.h"

namespace impuls {
namespace {

constexpr std::size_t kPrefetch = 6;  // pairs: their outlines and points are scattered in memory

void set_node(const WorldView& view, std::uint32_t body, IslandNode& node) {
    node = {};
    node.body = body;
    if (body == kNoBody) return;
    const BodySet& bodies = view.bodies;
    node.pose = bodies.pose[body];
    node.v = bodies.v[body];
    node.w = bodies.w[body];
    node.is_dynamic = bodies.is_dynamic(body);
    node.has_surface = bodies.surface_velocity[body] != Vec3{};
    if (!node.is_dynamic) return;
    node.inv_mass = bodies.inv_mass[body];
    node.acceleration = view.acceleration_of(body);
    node.torque = view.bodies.torque[body];
    node.pull = view.pull_of(body);
}

// A particle of a body: where it is, and no other motion than its own.
void set_particle(const WorldView& view, std::uint32_t body, std::uint32_t part, IslandNode& node) {
    set_node(view, body, node);
    const ParticleRange& range = *view.bodies.particles[body];
    node.part = part;
    node.pose = {range.now.x[part], {}};
    node.v = range.now.v[part];
    node.w = node.torque = {};
    node.inv_mass = range.inv_mass[part];
    node.is_dynamic = node.inv_mass > 0;
    if (node.is_dynamic) return;
    node.acceleration = {};
    node.pull = 0;
}

// The node of a body that is not one of the island's own; added when there is none.
std::uint32_t other_node(const WorldView& view, std::uint32_t body, Island& island) {
    auto at = std::lower_bound(island.others.begin(), island.others.end(), std::pair{body, 0u});
    if (at == island.others.end() || at->first != body) {
        at = island.others.insert(at, {body, static_cast<std::uint32_t>(island.nodes.size())});
        set_node(view, body, island.nodes.emplace_back());
    }
    return at->second;
}

void set_pair(const WorldView& view, std::span<const std::uint32_t> node_of, std::uint32_t pair,
              const Island& island, IslandPair& p) {
    const auto [ca, cb] = view.pairs.colliders[pair];
    const auto [a, b] = view.pairs.bodies[pair];
    const auto node = [&](std::uint32_t body, std::uint32_t collider) {
        if (!island.particles.ranges.empty() && view.bodies.particles[body])
            return island.particles.part_nodes[node_of[body] + view.colliders.number[collider]];
        if (view.bodies.is_dynamic(body)) return node_of[body];
        return std::lower_bound(island.others.begin(), island.others.end(), std::pair{body, 0u})->second;
    };
    p.pair = pair;
    p.a = node(a, ca);
    p.b = node(b, cb);
    p.patch = kNoPatch;
    p.collider_a = &view.bodies.colliders[a][view.colliders.number[ca]];
    p.collider_b = &view.bodies.colliders[b][view.colliders.number[cb]];
    p.law = &view.laws.between(view.bodies.material[a], view.bodies.material[b]);
    p.size = smaller_size(view.colliders.size[ca], view.colliders.size[cb]);
    p.margin = 0;
    p.areal = areal_between(view.bodies, *p.law, a, b);
}

void gather_pairs(const WorldView& view, std::span<const std::uint32_t> pairs,
                  std::span<const std::uint32_t> node_of, Island& island) {
    for (const std::uint32_t pair : pairs)
        for (const std::uint32_t body : {view.pairs.bodies[pair].first, view.pairs.bodies[pair].second})
            if (!view.bodies.is_dynamic(body)) other_node(view, body, island);
    island.pairs.resize(pairs.size());
    view.executor.parallel_for(pairs.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (k + kPrefetch < pairs.size()) {
                const auto [ca, cb] = view.pairs.colliders[pairs[k + kPrefetch]];
                __builtin_prefetch(&view.colliders.size[ca]);
                __builtin_prefetch(&view.colliders.size[cb]);
            }
            set_pair(view, node_of, pairs[k], island, island.pairs[k]);
        }
    });
}

// Patches of particles that a ball may touch between them.
void find_patches(const WorldView& view, Island& island) {
    for (IslandPair& p : island.pairs)
        for (const bool is_a : {true, false}) {
            const auto [ca, cb] = view.pairs.colliders[p.pair];
            const std::uint32_t body =
                is_a ? view.pairs.bodies[p.pair].first : view.pairs.bodies[p.pair].second;
            const Collider& other = is_a ? *p.collider_b : *p.collider_a;
            const std::uint32_t lead = view.colliders.number[is_a ? ca : cb];
            if (!view.bodies.particles[body] || other.kind != ColliderKind::Sphere ||
                !view.bodies.particles[body]->has_triangles(lead))
                continue;
            const auto& ranges = island.particles.ranges;
            const auto range = std::find_if(ranges.begin(), ranges.end(),
                                            [&](const IslandRange& r) { return r.body == body; });
            p.patch = static_cast<std::uint32_t>(island.particles.patches.size());
            island.particles.patches.push_back(
                {static_cast<std::uint32_t>(range - ranges.begin()), lead, is_a});
            break;  // of two that touch each other, one is enough
        }
}

// Nodes and links of the bodies that are made of particles: those that move.
void gather_particles(const WorldView& view, std::span<const std::uint32_t> bodies,
                      std::span<std::uint32_t> node_of, Island& island) {
    IslandParticles& all = island.particles;
    island.nodes.clear();
    for (const std::uint32_t body : bodies) {
        if (!view.bodies.particles[body]) {
            node_of[body] = static_cast<std::uint32_t>(island.nodes.size());
            set_node(view, body, island.nodes.emplace_back());
            continue;
        }
        const ParticleRange& range = *view.bodies.particles[body];
        node_of[body] = static_cast<std::uint32_t>(all.part_nodes.size());
        all.ranges.push_back({body, node_of[body], 0, &range});
        for (std::uint32_t part = 0; part < range.size(); ++part) {
            all.part_nodes.push_back(static_cast<std::uint32_t>(island.nodes.size()));
            if (range.inv_mass[part] > 0) set_particle(view, body, part, island.nodes.emplace_back());
        }
    }
    island.dynamic_count = island.nodes.size();
}

void gather_pinned(const WorldView& view, Island& island) {
    IslandParticles& all = island.particles;
    for (IslandRange& r : all.ranges) {
        for (std::uint32_t part = 0; part < r.range->size(); ++part) {
            if (r.range->inv_mass[part] > 0) continue;
            all.part_nodes[r.first_part + part] = static_cast<std::uint32_t>(island.nodes.size());
            set_particle(view, r.body, part, island.nodes.emplace_back());
        }
        r.first_link = static_cast<std::uint32_t>(all.links.size());
        const bool is_stiff = r.range->is_stiff();
        for (std::size_t k = 0; k < r.range->net->links.size(); ++k) {
            const ParticleLink& link = r.range->net->links[k];
            const std::uint32_t a = island.node_of_part(r, link.a), b = island.node_of_part(r, link.b);
            for (const std::uint32_t node : {a, b})
                island.nodes[node].is_joined = island.nodes[node].is_dynamic;
            if (is_stiff)
                all.links.push_back({a, b, link.length, r.range->now.impulse[k]});
            else
                all.springs.push_back({a, b, link.length, r.range->stiffness(link)});
        }
    }
}

void gather_joints(const WorldView& view, std::span<const std::uint32_t> joints,
                   std::span<const std::uint32_t> node_of, Island& island) {
    JointMemory& memory = island.memory;
    memory.impulses.clear();
    memory.angles.clear();
    memory.axis_impulses.clear();
    memory.pace = kUnbounded;
    memory.is_paced = false;
    const JointSet& all = view.joints;
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const auto append = [](auto& list, std::span<const double> values) {
        list.insert(list.end(), values.begin(), values.end());
    };
    const auto node_for = [&](std::uint32_t body, std::uint32_t part = kNoPart) {
        if (part != kNoPart) return island.particles.part_nodes[node_of[body] + part];
        return body != kNoBody && view.bodies.is_dynamic(body) ? node_of[body]
                                                               : other_node(view, body, island);
    };
    const auto count = static_cast<std::uint32_t>(all.size());
    for (const std::uint32_t j : joints) {
        if (j >= 2 * count) {
            const std::uint32_t f = j - 2 * count;
            if (f >= view.forces->size()) continue;  // a body of particles, which is here anyway
            const IslandForce force{f, node_for(view.forces->a[f], view.forces->part_a[f]),
                                    node_for(view.forces->b[f], view.forces->part_b[f])};
            for (const std::uint32_t node : {force.a, force.b})
                island.nodes[node].is_joined = island.nodes[node].has_force = island.nodes[node].is_dynamic;
            island.forces.push_back(force);
            continue;
        }
        if (j >= count) continue;  // the edge to a joint's frame
        IslandJoint joint{};
        joint.joint = j;
        joint.a = node_for(all.a[j], all.part_a[j]);
        joint.b = node_for(all.b[j], all.part_b[j]);
        joint.c = has_frame(all.joint[j]) ? node_for(all.c[j]) : joint.a;
        for (const std::uint32_t node : {joint.a, joint.b, joint.c})
            island.nodes[node].is_joined = island.nodes[node].is_dynamic;
        joint.size = angle_size(view, island, {joint.a, joint.b, joint.c});
        joint.first_row = size(memory.impulses);
        joint.first_angle = size(memory.angles);
        joint.first_axis = size(memory.axis_impulses);
        island.joints.push_back(joint);
        append(memory.impulses, all.impulse.of(j));
        append(memory.angles, all.angle.of(j));
        memory.axis_impulses.resize(memory.axis_impulses.size() + all.axis_force.of(j).size());
        if (all.pace[j] > 0) memory.pace = std::min(memory.pace, all.pace[j]);
    }
    memory.reactions.assign(island.joints.size(), {});
}

// A running surface, a torque, a kinematic body.
bool drives(const WorldView& view, const IslandNode& node) {
    if (node.body == kNoBody) return false;
    return node.has_surface || (node.is_dynamic ? view.bodies.torque[node.body] != Vec3{} : node.moves());
}

// The same of the nodes that are not the island's own; contacts that yield.
bool is_pushed_from_outside(const WorldView& view, const Island& island) {
    const auto others = std::span(island.nodes).subspan(island.dynamic_count);
    if (std::any_of(others.begin(), others.end(), [&](const auto& node) { return drives(view, node); }))
        return true;
    const auto yields = [](const ContactLaw& law) { return law.compliance > 0; };
    if (has_areas(island)) return true;
    const auto laws = view.laws.all();
    const bool may_yield = laws.size() > island.pairs.size() || std::any_of(laws.begin(), laws.end(), yields);
    return may_yield && std::any_of(island.pairs.begin(), island.pairs.end(),
                                    [&](const IslandPair& pair) { return yields(*pair.law); });
}

bool has_driving_joint(const WorldView& view, const Island& island) {
    return std::any_of(island.joints.begin(), island.joints.end(),
                       [&](const IslandJoint& joint) { return !view.joints.is_passive[joint.joint]; });
}

template <class List>
std::span<const std::uint32_t> part(const List& items, const List& start, std::size_t i) {
    return {items.data() + start[i], items.data() + start[i + 1]};
}

}  // namespace

void gather(const WorldView& view, const Groups& groups, std::size_t i, std::span<std::uint32_t> node_of,
            Island& island) {
    const auto bodies = part(groups.bodies, groups.body_start, i);
    island.others.clear();
    island.joints.clear();
    island.forces.clear();
    island.particles.clear();
    std::atomic<bool> has_drive = false;
    const auto is_made = [&](std::uint32_t k) { return static_cast<bool>(view.bodies.particles[k]); };
    const bool has_particles =
        !view.bodies.of_particles.empty() && std::any_of(bodies.begin(), bodies.end(), is_made);
    if (has_particles) {
        gather_particles(view, bodies, node_of, island);
        gather_pinned(view, island);
        for (const IslandNode& node : island.dynamic_nodes()) has_drive = has_drive || drives(view, node);
    } else {
        island.dynamic_count = bodies.size();
        island.nodes.resize(bodies.size());
    }
    if (!has_particles)
        view.executor.parallel_for(bodies.size(), 256, [&](std::size_t begin, std::size_t end) {
            bool is_any = false;
            for (std::size_t k = begin; k < end; ++k) {
                node_of[bodies[k]] = static_cast<std::uint32_t>(k);
                set_node(view, bodies[k], island.nodes[k]);
                is_any |= drives(view, island.nodes[k]);
            }
            if (is_any) has_drive = true;
        });
    gather_pairs(view, part(groups.pairs, groups.pair_start, i), node_of, island);
    if (has_particles) find_patches(view, island);
    gather_joints(view, part(groups.joints, groups.joint_start, i), node_of, island);
    island.is_pushed = has_drive || !island.forces.empty() || !island.particles.springs.empty() ||
                       is_pushed_from_outside(view, island);
    island.is_driven = island.is_pushed || has_driving_joint(view, island);
}

}  // namespace impuls
