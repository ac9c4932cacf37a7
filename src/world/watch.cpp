// What a world watches (watch_tables.h). Everything is visited in the order of bodies, pairs and joints, so
// that warnings do not depend on threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow/narrow.h"
#include "dynamics/first_order.h"
#include "geometry/miscounted.h"
#include "impuls/scene.h"
#include "steppers/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kOpen = 0.01;          // of a joint's size, or rad
constexpr double kCountedTwice = 0.05;  // of a body's volume
constexpr std::size_t kJointsAChunk = 64;
constexpr double kNotable = 1e-9;  // energy removed, of the energy there is

const std::string kNobody;

std::string name_of(const WorldState& s, std::uint32_t body) {
    return s.body_ids.name(body);
}

double time_after(const WorldState& s) {
    return static_cast<double>(s.step) * s.dt;
}

bool yields(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    const ContactLaw& law = s.laws.between(s.bodies.material[a], s.bodies.material[b]);
    return law.compliance > 0 || areal_between(s.bodies, law, a, b).is_on();
}

double size_of_pair(const WorldState& s, std::size_t p) {
    const auto [ca, cb] = s.pairs.colliders[p];
    return smaller_size(s.colliders.size[ca], s.colliders.size[cb]);
}

void note_pair(WorldState& s, WarningKind kind, std::size_t p, double depth, double share) {
    const auto [a, b] = s.pairs.bodies[p];
    s.output.warnings.note({kind, name_of(s, a), name_of(s, b), depth, share * size_of_pair(s, p), "m"},
                           time_after(s));
}

// The depth of a pair where its bodies are now.
double depth_of(const WorldState& s, std::size_t p, std::vector<Manifold>& manifolds) {
    const auto [a, b] = s.pairs.bodies[p];
    const Collider& ca = s.bodies.colliders[a][s.pairs.keys[p].element_a];
    const Collider& cb = s.bodies.colliders[b][s.pairs.keys[p].element_b];
    manifolds.clear();
    collide(ca, s.bodies.carrier_pose(a, s.pairs.keys[p].element_a) * ca.X_BC, cb,
            s.bodies.carrier_pose(b, s.pairs.keys[p].element_b) * cb.X_BC, 0, manifolds);
    double depth = 0;
    for (const Manifold& m : manifolds)
        for (int k = 0; k < m.count; ++k)
            depth = std::max(depth, -m.points[static_cast<std::size_t>(k)].separation);
    return depth;
}

// Contacts that are deeper than kCrushed, each pair once.
void watch_contacts(WorldState& s) {
    const auto& pair = s.pairs.of_contact;
    for (std::size_t k = 0; k < s.contacts.size();) {
        const std::size_t p = pair[k];
        double depth = 0;
        for (; k < s.contacts.size() && pair[k] == p; ++k)
            if (s.contacts[k].is_present) depth = std::max(depth, -s.contacts[k].separation);
        const auto [a, b] = s.pairs.bodies[p];
        if (depth > kCrushed * size_of_pair(s, p) && !yields(s, a, b))
            note_pair(s, WarningKind::Penetration, p, depth, kCrushed);
    }
}

// What a joint's error is measured against: the smaller of its bodies that can turn; of points, how far they
// are from each other. 0: there is nothing.
double size_of_joint(const WorldState& s, std::uint32_t j) {
    double size = kUnbounded;
    for (const auto k : {s.joints.a[j], s.joints.b[j]}) {
        if (k == kNoBody || !s.bodies.is_dynamic(k)) continue;
        const double radius = gyration_radius(s.bodies.mass[k], s.bodies.inertia[k]);
        if (radius > 0) size = std::min(size, radius);
    }
    if (size < kUnbounded) return size;
    const JointPoses poses = poses_of(s.joints, j, s.bodies);
    return length(poses.a.position - poses.b.position);
}

// Errors of the joint's equations; those of its axes (limits, motors, springs) are in blocks of their own.
void check_joint(WorldState& s, std::uint32_t j, JointCheck& check) {
    Rows& rows = check.rows;
    rows.clear();
    JointRows out{rows, 0, 1, 2};
    out.angles = s.joints.angle.of(j);
    make_rows(s.joints, j, poses_of(s.joints, j, s.bodies), out);
    double way2 = 0, angle2 = 0;
    for (const Row& row : rows.rows_of(rows.blocks[out.first_block]))
        if (row.is_equation()) (row.is_linear ? way2 : angle2) += row.error * row.error;
    if (way2 > 0) {
        const double allowed = kOpen * size_of_joint(s, j), way = std::sqrt(way2);
        if (way > allowed && allowed > 0) check.open.push_back({j, way, allowed, false});
    }
    if (angle2 > kOpen * kOpen) check.open.push_back({j, std::sqrt(angle2), kOpen, true});
}

void watch_joints(WorldState& s) {
    const auto& list = s.active.lists.joints;
    auto& chunks = s.output.watch.joints;
    const std::size_t used = (list.size() + kJointsAChunk - 1) / kJointsAChunk;
    if (chunks.size() < used) chunks.resize(used);
    s.executor->parallel_for(list.size(), kJointsAChunk, [&](std::size_t begin, std::size_t end) {
        JointCheck& check = chunks[begin / kJointsAChunk];
        check.open.clear();
        for (std::size_t k = begin; k < end; ++k)
            if (s.joints.holds(list[k])) check_joint(s, list[k], check);
    });
    for (std::size_t c = 0; c < used; ++c)
        for (const JointOpening& open : chunks[c].open)
            s.output.warnings.note({WarningKind::JointOpen, s.joint_ids.name(open.joint), kNobody, open.value,
                                    open.allowed, open.is_angle ? "rad" : "m"},
                                   time_after(s));
}

// Bodies that nothing touched keep their energy, but belong to what there is.
void add_free_bodies(const WorldState& s, double& kinetic, double& released) {
    for (const auto k : s.islands.groups.free_bodies) {
        if (!s.bodies.is_dynamic(k)) continue;
        const Vec3 way = s.bodies.pose[k].position - s.islands.next[k].pose.position;
        kinetic += 0.5 * s.bodies.mass[k] * length_squared(s.bodies.v[k]);
        released += s.bodies.mass[k] * dot(external_acceleration(s.bodies, k, s.gravity), way);
    }
}

void note_island(WorldState& s, WarningKind kind, const Outcome& outcome, double value, double allowed,
                 const char* unit, double energy = 0) {
    s.output.warnings.note({kind, name_of(s, outcome.first_body), kNobody, value, allowed, unit},
                           time_after(s), energy);
}

void note_areal(WorldState& s, const ArealNote& note) {
    constexpr WarningKind kinds[] = {WarningKind::LayerDepth, WarningKind::Unresolved, WarningKind::Immersed};
    const bool is_depth = note.kind == ArealNote::Kind::Depth;
    s.output.warnings.note({kinds[static_cast<int>(note.kind)], name_of(s, note.a), name_of(s, note.b),
                            note.value, note.allowed, is_depth ? "m" : ""},
                           time_after(s));
}

// What the steppers noted of each island, beside its energy.
void watch_outcome(WorldState& s, const Outcome& outcome, const IslandNote& note) {
    const double there_is = std::max(note.lift, note.kinetic + outcome.energy_removed);
    if (outcome.energy_removed > kNotable * there_is)
        note_island(s, WarningKind::EnergyRemoved, outcome, outcome.energy_removed, 0, "J",
                    outcome.energy_removed);
    if (note.unclosed > 0)
        note_island(s, WarningKind::NotConverged, outcome, note.unclosed, s.method.rattle().tolerance, "");
    if (note.short_step > 0)
        s.output.warnings.note({WarningKind::ShortStep, name_of(s, note.short_body),
                                note.short_force == kNoForce ? kNobody : s.force_ids.name(note.short_force),
                                note.short_step, 0, "s"},
                               time_after(s));
    if (note.is_cut) note_island(s, WarningKind::WorkLimit, outcome, 1, 0, "");
}

void watch_energy(WorldState& s, const Outcome* most, double gained, double lost) {
    Watch& watch = s.output.watch;
    EnergyWatch& energy = watch.energy;
    if (watch.is_parting) {
        s.output.warnings.add_energy(WarningKind::InitialOverlap, gained);
        gained = 0;
    }
    energy.sum += gained + lost;
    energy.least = std::min(energy.least, energy.sum);
    const double gain = energy.gain();
    if (!most || !(gain > energy.allowed()) || !(gain > energy.told)) return;
    energy.told = gain;
    note_island(s, WarningKind::EnergyGained, *most, gain, energy.allowed(), "J");
}

// All islands of the step.
void watch_islands(WorldState& s, bool& has_overlap, bool& has_deep) {
    EnergyWatch& energy = s.output.watch.energy;
    double kinetic = 0, released = 0, negligible = 0, gained = 0, lost = 0, most_gained = 0;
    const Outcome* most = nullptr;
    for (std::size_t c = 0; c < s.islands.schedule.chunks(); ++c) {
        const Results& results = s.islands.schedule.results(c);
        has_overlap |= results.has_overlap;
        has_deep |= results.has_deep;
        for (const ArealNote& note : results.areal_notes) note_areal(s, note);
        for (std::size_t i = 0; i < results.notes.size(); ++i) {
            const IslandNote& note = results.notes[i];
            watch_outcome(s, results.outcomes[i], note);
            kinetic += note.kinetic;
            released += note.released;
            negligible += note.negligible;
            if (std::isnan(note.gained)) continue;
            (note.gained > 0 ? gained : lost) += note.gained;
            if (note.gained > most_gained) most_gained = note.gained, most = &results.outcomes[i];
        }
    }
    add_free_bodies(s, kinetic, released);
    energy.kinetic = std::max(energy.kinetic, kinetic);
    energy.fallen += released;
    energy.deepest = std::max(energy.deepest, energy.fallen);
    energy.negligible = std::max(energy.negligible, negligible);
    watch_energy(s, most, gained, lost);
}

}  // namespace

void find_overlaps(WorldState& s) {
    Watch& watch = s.output.watch;
    if (watch.checked_uid == s.bodies.next_uid) return;
    std::vector<Manifold> manifolds;
    for (std::size_t p = 0; p < s.pairs.bodies.size(); ++p) {
        const auto [a, b] = s.pairs.bodies[p];
        if (s.bodies.uid[a] < watch.checked_uid && s.bodies.uid[b] < watch.checked_uid) continue;
        if (is_sensor_pair(s, p) || yields(s, a, b)) continue;
        const double depth = depth_of(s, p, manifolds);
        if (!(depth > kOverlapped * size_of_pair(s, p))) continue;
        note_pair(s, WarningKind::InitialOverlap, p, depth, kOverlapped);
        watch.is_parting = true;
    }
    watch.checked_uid = s.bodies.next_uid;
}

void watch_step(WorldState& s) {
    if (!s.output.status.ok) return;
    bool has_overlap = false, has_deep = false;
    watch_islands(s, has_overlap, has_deep);
    s.output.watch.is_parting &= has_overlap;
    if (has_deep) watch_contacts(s);
    watch_joints(s);
}

void watch_mass(WorldState& s, std::size_t k, const BodyDesc& desc) {
    const bool has_parts =
        std::holds_alternative<Compound>(desc.shape) || std::holds_alternative<Mesh>(desc.shape);
    if (!has_parts || desc.kind != BodyKind::Dynamic) return;
    if (desc.mass && desc.center_of_mass && desc.inertia) return;
    const Vec3 moments = s.bodies.inertia[k], center = s.bodies.X_BP[k].position;
    const auto [at, is_new] = s.output.watch.counted.try_emplace(
        {s.bodies.mass[k], moments.x, moments.y, moments.z, center.x, center.y, center.z}, 0);
    if (is_new) at->second = miscounted_share(desc.shape);
    if (at->second > kCountedTwice)
        s.output.warnings.note({WarningKind::CountedTwice, desc.name, kNobody, at->second, kCountedTwice, ""},
                               time_after(s));
}

void watch_laws(WorldState& s) {
    if (!s.method.is<VelocityMethod>()) return;
    for (const ContactDesc& contact : s.described.parts().contacts)
        if (contact.restitution_law == RestitutionLaw::Poisson && contact.restitution.value_or(1) > 0)
            s.output.warnings.say(
                WarningKind::LawNotMet, 0,
                fmt::format("contact of '{}' and '{}': the velocity stepper has Newton's law of restitution, "
                            "not Poisson's",
                            contact.a, contact.b));
}

void watch_forces(WorldState& s) {
    const auto moves = [&](std::uint32_t k) { return k != kNoBody && s.bodies.is_dynamic(k); };
    for (std::size_t f = 0; f < s.forces.size(); ++f)
        if (!moves(s.forces.a[f]) && !moves(s.forces.b[f]))
            s.output.warnings.say(WarningKind::LawNotMet, 0,
                                  fmt::format("force '{}' acts on '{}', which no force moves",
                                              s.force_ids.name(f), s.body_ids.name(s.forces.b[f])));
}

}  // namespace impuls
