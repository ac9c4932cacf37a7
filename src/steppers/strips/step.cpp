// A step of an island of ropes, sheets and nets, in reading order (step.h).
#include "steppers/strips/step.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/stop.h"
#include "deformable/tuning.h"
#include "steppers/contacts.h"
#include "steppers/finite.h"
#include "steppers/strips/tuning.h"
#include "steppers/substep/faces.h"

namespace impuls::strips {
namespace {

constexpr MarginPolicy kMargin{kNear};

struct Strips {
    const WorldView& view;
    Island& island;
    Scratch& s;
    Results& results;
    double h = 0;

    bool is_particle(std::uint32_t node) const { return island.nodes[node].is_particle(); }
};

// ---- what is advanced

const CachedNet& cached_net(Scratch& s, const std::shared_ptr<const ParticleNet>& net) {
    for (const CachedNet& known : s.nets)
        if (known.net == net) return known;
    if (s.nets.size() >= kMostNets) s.nets.clear();
    CachedNet& made = s.nets.emplace_back();
    made.net = net;
    deformable::Columns rest(net->points.size());
    Aabb box;
    for (std::size_t i = 0; i < net->points.size(); ++i) {
        rest.set(i, net->points[i]);
        include_box(box, {net->points[i], net->points[i]});
    }
    const Vec3 size = box.max - box.min;
    made.extent = std::max({size.x, size.y, size.z});
    made.shortest = std::numeric_limits<double>::infinity();
    std::vector<std::array<std::uint32_t, 2>> edges;
    for (const ParticleLink& link : net->links) {
        edges.push_back({link.a, link.b});
        made.shortest = std::min(made.shortest, link.length);
        made.extent = std::max(made.extent, link.length);
    }
    // A path knows its edges by their ends; of two links between the same, the first counts.
    const auto length_of = [&](std::uint32_t a, std::uint32_t b) {
        for (const ParticleLink& link : net->links)
            if ((link.a == a && link.b == b) || (link.a == b && link.b == a)) return link.length;
        return 0.0;
    };
    double sum = 0;
    for (const auto& path : deformable::cover_by_paths(rest, edges)) {
        std::vector<double> lengths, stiffness;
        sum = 0;
        for (std::size_t e = 0; e + 1 < path.size(); ++e) {
            lengths.push_back(length_of(path[e], path[e + 1]));
            stiffness.push_back(net->compliance > 0 ? 1 / (net->compliance * lengths.back()) : 1);
            sum += lengths.back();
        }
        made.paths.add(path, lengths, stiffness);
        made.extent = std::max(made.extent, sum);
    }
    return made;
}

// Places and velocities of all particles, and their paths; returns the number of substeps.
int gather_particles(Strips& a) {
    Scratch& s = a.s;
    const IslandParticles& all = a.island.particles;
    const std::size_t n = all.part_nodes.size();
    if (s.particles.size() != n) {
        s.particles = deformable::Particles(n);
        s.preview = s.acceleration = deformable::Columns(n);
    }
    s.place.assign(a.island.nodes.size(), 0);
    s.damping.resize(n);
    double rate = 1 / a.view.dt;
    for (std::uint32_t i = 0; i < n; ++i) {
        const IslandNode& node = a.island.nodes[all.part_nodes[i]];
        s.place[all.part_nodes[i]] = i;
        s.particles.x.set(i, node.pose.position);
        s.particles.v.set(i, node.v);
        s.particles.k[i] = node.inv_mass;
        s.acceleration.set(i, node.acceleration);
        s.damping[i] = a.view.bodies.damping(node.body);
    }
    s.chains.nodes.clear();
    s.chains.squared.clear();
    s.chains.compliance.clear();
    s.chains.begin.assign(1, 0);
    for (const IslandRange& range : all.ranges) {
        const CachedNet& net = cached_net(s, range.range->net);
        double pull = 0, fastest = 0;
        const Vec3 v = s.particles.v.at(range.first_part);
        for (std::uint32_t i = 0; i < range.range->size(); ++i) {
            pull = std::max(pull, length_squared(s.acceleration.at(range.first_part + i)));
            fastest = std::max(fastest, length_squared(s.particles.v.at(range.first_part + i) - v));
        }
        rate = std::max(rate, std::sqrt(std::max(std::sqrt(pull) * net.extent, 0.25 * fastest)) /
                                  (deformable::kFallPace * net.shortest));
    }
    return static_cast<int>(std::clamp(std::ceil(a.view.dt * rate), 1.0, static_cast<double>(kMostSubsteps)));
}

void gather_paths(Strips& a) {
    Scratch& s = a.s;
    for (const IslandRange& range : a.island.particles.ranges) {
        const CachedNet& net = cached_net(s, range.range->net);
        const bool is_stiff = range.range->is_stiff();
        const auto first = static_cast<std::uint32_t>(s.chains.nodes.size());
        for (std::size_t k = 0; k < net.paths.nodes.size(); ++k) {
            const std::uint32_t node = net.paths.nodes[k] + range.first_part;
            s.chains.nodes.push_back(node);
            s.chains.squared.push_back(net.paths.squared[k]);
            double compliance = net.paths.compliance[k];
            if (is_stiff) {
                const bool has_next = k + 1 < net.paths.nodes.size();
                const double both = s.particles.k[node] +
                                    (has_next ? s.particles.k[net.paths.nodes[k + 1] + range.first_part] : 0);
                compliance = kGive * (both > 0 ? both : 1) * net.paths.squared[k] * a.h * a.h;
            }
            s.chains.compliance.push_back(compliance);
        }
        for (std::size_t k = 1; k < net.paths.begin.size(); ++k)
            s.chains.begin.push_back(first + net.paths.begin[k]);
    }
}

void gather_bodies(Strips& a) {
    Scratch& s = a.s;
    if (!s.contacts)
        s.contacts = std::make_unique<deformable::BodyContacts>(s.no_surface, 0, 0,
                                                                std::vector<deformable::ContactBody>{});
    auto& bodies = s.contacts->bodies();
    bodies.clear();
    for (std::size_t k = 0; k < a.island.nodes.size(); ++k) {
        const IslandNode& node = a.island.nodes[k];
        if (node.is_particle()) continue;
        s.place[k] = static_cast<std::uint32_t>(bodies.size());
        deformable::ContactBody& body = bodies.emplace_back();
        body.pose = node.pose;
        body.node.v = node.v;
        body.node.w = node.w;
        if (!node.is_dynamic) continue;
        body.acceleration = node.acceleration;
        body.torque = node.torque;
        body.node.inv_mass = node.inv_mass;
        body.inv_inertia = diagonal(a.view.bodies.inv_inertia[node.body]);
        body.inertia = diagonal(a.view.bodies.inertia[node.body]);
        if (a.view.bodies.inv_inertia[node.body] == Vec3{}) body.inertia = Mat3{{}, {}, {}};
    }
    double radius = std::numeric_limits<double>::infinity();
    for (const IslandRange& range : a.island.particles.ranges)
        radius = std::min(radius, range.range->net->radius);
    s.contacts->keep(0, kRecovered * radius / a.h);
    s.contacts->begin_step();
    s.contacts->planes().clear();
    s.plane_pair.clear();
    s.pair_impulse.assign(a.island.pairs.size(), Vec3{});
}

// ---- contacts

void scatter_places(Strips& a) {
    for (std::size_t k = 0; k < a.island.nodes.size(); ++k) {
        IslandNode& node = a.island.nodes[k];
        if (node.is_particle()) {
            node.pose.position = a.s.particles.x.at(a.s.place[k]);
            node.v = a.s.particles.v.at(a.s.place[k]);
            continue;
        }
        const deformable::ContactBody& body = a.s.contacts->bodies()[a.s.place[k]];
        node.pose = body.pose;
        node.v = body.node.v;
        node.w = body.node.w;
    }
}

void collect_impulses(Strips& a) {
    auto& planes = a.s.contacts->planes();
    for (std::size_t k = 0; k < planes.size(); ++k) {
        const std::uint32_t p = a.s.plane_pair[k];
        // Planes tell what the body got; a pair's impulse is on its b.
        a.s.pair_impulse[p] += a.is_particle(a.island.pairs[p].b) ? -planes[k].impulse : planes[k].impulse;
        planes[k].impulse = {};
    }
}

void search(Strips& a, const IslandPair& pair) {
    impuls::find_contacts(a.view, a.island, pair, a.s.found);
    if (pair.patch != kNoPatch) substep::find_face_contacts(a.island, pair, a.s.found);
}

// Each point of a manifold is a plane that goes with the rigid body.
void find_planes(Strips& a, double ahead) {
    scatter_places(a);
    collect_impulses(a);
    auto& planes = a.s.contacts->planes();
    planes.clear();
    a.s.plane_pair.clear();
    for (std::uint32_t p = 0; p < a.island.pairs.size(); ++p) {
        IslandPair& pair = a.island.pairs[p];
        const auto speed = [&](std::uint32_t k) {
            const IslandNode& node = a.island.nodes[k];
            const double radius =
                node.body == kNoBody || node.is_particle() ? 0 : a.view.bodies.radius[node.body];
            return length(node.v) + length(node.w) * radius + ahead * node.pull;
        };
        pair.margin = kMargin.margin(pair, 2 * ahead * (speed(pair.a) + speed(pair.b)));
        search(a, pair);
        const bool b_is_particle = a.is_particle(pair.b);
        const std::uint32_t particle = b_is_particle ? pair.b : pair.a,
                            body = b_is_particle ? pair.a : pair.b;
        const Pose& pose = a.island.nodes[body].pose;
        for (const Manifold& m : a.s.found)
            for (int i = 0; i < m.count; ++i) {
                ContactPoint point;
                point.position = m.points[i].position;
                point.feature = m.points[i].feature;
                deformable::PlaneContact plane;
                plane.node[0] = a.s.place[particle];
                Vec3 q = a.island.nodes[particle].pose.position;
                if (substep::is_on_face(pair, point)) {
                    q = {};
                    plane.nodes = 3;
                    const std::array<SidePart, 3> parts = substep::face_parts(a.island, pair, point);
                    for (std::size_t k = 0; k < 3; ++k) {
                        plane.node[k] = a.s.place[parts[k].node];
                        plane.weight[k] = parts[k].weight;
                        q += a.island.nodes[parts[k].node].pose.position * parts[k].weight;
                    }
                }
                const Vec3 n = b_is_particle ? m.normal : -m.normal;  // from the body to the particle
                plane.body = a.s.place[body];
                plane.normal = rotate_inverse(pose.orientation, n);
                plane.offset = dot(n, q - pose.position) - m.points[i].separation;
                plane.friction = pair.law->friction;
                planes.push_back(plane);
                a.s.plane_pair.push_back(p);
            }
    }
}

// Points as they are at the end, with what each pair gave in the step.
void store_contacts(Strips& a) {
    collect_impulses(a);
    for (std::uint32_t p = 0; p < a.island.pairs.size(); ++p) {
        IslandPair& pair = a.island.pairs[p];
        pair.margin = kMargin.margin(pair, 0);
        search(a, pair);
        a.s.points.clear();
        const PairKey& key = a.view.pairs.keys[pair.pair];
        match_points<ContactPoints>(key, a.s.found, {}, 0, a.s.points);
        if (a.s.points.empty() && !(a.s.pair_impulse[p] == Vec3{})) {
            ContactPoint gone{};
            gone.key = key;
            gone.position = a.island.nodes[pair.a].pose.position;
            gone.normal = normalized(a.s.pair_impulse[p]);
            a.s.points.push_back(gone);
        }
        for (std::size_t k = 0; k < a.s.points.size(); ++k) {
            ContactPoint& point = a.s.points[k];
            point.is_fresh = false;
            if (k == 0) point.sum = a.s.pair_impulse[p];
            a.results.contacts.add(pair.pair, point);
            a.results.note_depth(-point.separation, pair.size);
        }
    }
}

// ---- the substep

void take_substep(Strips& a) {
    Scratch& s = a.s;
    deformable::Particles& all = s.particles;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.k[i] > 0)
            all.v.set(i, all.v.at(i) * s.damping[i].left_of_v(a.h) + a.h * s.acceleration.at(i));  // (1)
        s.preview.set(i, all.x.at(i) + a.h * all.v.at(i));
    }
    for (std::size_t k = 0; k < a.island.dynamic_count; ++k) {
        const IslandNode& node = a.island.nodes[k];
        if (node.is_particle()) continue;
        deformable::RigidNode& body = s.contacts->bodies()[s.place[k]].node;
        const Damping damping = a.view.bodies.damping(node.body);
        body.v *= damping.left_of_v(a.h);
        body.w *= damping.left_of_w(a.h);
    }
    s.contacts->begin(a.h);
    deformable::solve_chains(s.chains, all.k, a.h, s.preview, s.chain_scratch);  // (2)
    s.contacts->solve({all.x, s.preview, all.k, a.h});                           // (3)
    s.contacts->end(a.h);
    const double rate = 1 / a.h;
    for (std::size_t i = 0; i < all.size(); ++i) {  // (4)
        if (all.k[i] > 0) all.v.set(i, (s.preview.at(i) - all.x.at(i)) * rate);
        all.x.set(i, s.preview.at(i));
    }
}

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    if (!view.method.is<BlocksOptions<Decided>>()) return Refusal::NotSelected;
    if (island.particles.ranges.empty()) return Refusal::HasNoParticles;
    if (!island.joints.empty()) return Refusal::HasJoints;
    if (!island.forces.empty()) return Refusal::HasForces;
    if (view.method.rows().friction != FrictionModel::Cone) return Refusal::FrictionModel;
    for (const IslandNode& node : island.nodes) {
        if (node.has_force) return Refusal::HasForces;
        if (node.has_surface) return Refusal::ContactLaw;
        if (node.body != kNoBody && view.bodies.script[node.body]) return Refusal::HasScript;
    }
    for (const IslandPair& pair : island.pairs) {
        if (island.nodes[pair.a].is_particle() == island.nodes[pair.b].is_particle())
            return Refusal::HasPairs;
        const ContactLaw& law = *pair.law;
        if (law.restitution > 0 || law.rolling > 0 || law.torsion > 0 || law.compliance > 0 ||
            law.static_friction != law.friction)
            return Refusal::ContactLaw;
    }
    return Refusal::None;
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock timed(results.stage_seconds);
    Strips a{view, island, scratch, results};
    const int n = gather_particles(a);
    a.h = view.dt / n;
    gather_paths(a);
    gather_bodies(a);
    for (int i = 0; i < n; ++i) {
        check_stop(view.stop);
        if (i % kRenewed == 0) {
            timed(Stage::Solve);
            find_planes(a, std::min(kRenewed, n - i) * a.h);
            timed(Stage::Contacts);
        }
        take_substep(a);
    }
    timed(Stage::Solve);
    scatter_places(a);
    for (const IslandNode& node : island.dynamic_nodes())
        if (const char* reason = lost_reason(node.pose, node.v, node.w, view.bodies.radius[node.body]))
            note_lost(node.body, reason, "substep", results);
    store_contacts(a);
    timed(Stage::Contacts);
    outcome.substeps = static_cast<std::uint32_t>(n);
    return Refusal::None;
}

}  // namespace impuls::strips
