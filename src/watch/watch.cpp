// What a world is watched for (watch.h). Everything is visited in the order of bodies, pairs and joints, so
// that warnings do not depend on threads.
#include "watch/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow/narrow.h"
#include "geometry/miscounted.h"
#include "impuls/scene.h"
#include "steppers/island.h"
#include "steppers/joint_size.h"

namespace impuls {
namespace {

constexpr double kOpen = 0.01;          // of a joint's size, or rad
constexpr double kCountedTwice = 0.05;  // of a body's volume
constexpr std::size_t kJointsAChunk = 64;
constexpr double kNotable = 1e-9;  // energy removed, of the energy there is

const std::string kNobody;

std::string name_of(const WatchView& view, std::uint32_t body) {
    return view.ids.body_ids.name(body);
}

bool is_sensor_pair(const WorldView& world, std::size_t p) {
    const auto [a, b] = world.pairs.bodies[p];
    return world.bodies.is_sensor[a] || world.bodies.is_sensor[b];
}

bool yields(const WatchView& view, std::uint32_t a, std::uint32_t b) {
    const ContactLaw& law = view.laws.between(view.bodies.material[a], view.bodies.material[b]);
    return law.compliance > 0 || areal_between(view.bodies, law, a, b).is_on();
}

double size_of_pair(const WatchView& view, std::size_t p) {
    const auto [ca, cb] = view.pairs.colliders[p];
    return smaller_size(view.colliders.size[ca], view.colliders.size[cb]);
}

void note_pair(const WatchView& view, WarningKind kind, std::size_t p, double depth, double share) {
    const auto [a, b] = view.pairs.bodies[p];
    view.warnings.note({kind, name_of(view, a), name_of(view, b), depth, share * size_of_pair(view, p), "m"},
                       view.time);
}

// The depth of a pair where its bodies are now.
double depth_of(const WatchView& view, std::size_t p, std::vector<Manifold>& manifolds) {
    const auto [a, b] = view.pairs.bodies[p];
    const Collider& ca = view.bodies.colliders[a][view.pairs.keys[p].element_a];
    const Collider& cb = view.bodies.colliders[b][view.pairs.keys[p].element_b];
    manifolds.clear();
    collide(ca, view.bodies.carrier_pose(a, view.pairs.keys[p].element_a) * ca.X_BC, cb,
            view.bodies.carrier_pose(b, view.pairs.keys[p].element_b) * cb.X_BC, 0, manifolds);
    double depth = 0;
    for (const Manifold& m : manifolds)
        for (int k = 0; k < m.count; ++k)
            depth = std::max(depth, -m.points[static_cast<std::size_t>(k)].separation);
    return depth;
}

// Contacts that are deeper than kCrushed, each pair once.
void watch_contacts(const WatchView& view) {
    const auto& pair = view.pair_of;
    for (std::size_t k = 0; k < view.pairs.points.size();) {
        const std::size_t p = pair[k];
        double depth = 0;
        for (; k < view.pairs.points.size() && pair[k] == p; ++k)
            if (view.pairs.points[k].is_present) depth = std::max(depth, -view.pairs.points[k].separation);
        const auto [a, b] = view.pairs.bodies[p];
        if (depth > kCrushed * size_of_pair(view, p) && !yields(view, a, b))
            note_pair(view, WarningKind::Penetration, p, depth, kCrushed);
    }
}

// What a joint's error is measured against: its size; of points, how far they are from each other. 0: there
// is nothing.
double measure_of_joint(const WorldView& world, std::uint32_t j) {
    if (const double size = joint_size(world.joints, j, world.bodies); size > 0) return size;
    const JointPoses poses = poses_of(world.joints, j, world.bodies);
    return length(poses.a.position - poses.b.position);
}

// Errors of the joint's equations; those of its axes (limits, motors, springs) are in blocks of their own.
void check_joint(const WatchView& view, std::uint32_t j, JointCheck& check) {
    Rows& rows = check.rows;
    rows.clear();
    JointRows out{rows, 0, 1, 2};
    out.angles = view.angles.of(j);
    make_rows(view.joints, j, poses_of(view.joints, j, view.bodies), out);
    double way2 = 0, angle2 = 0;
    for (const Row& row : rows.rows_of(rows.blocks[out.first_block]))
        if (row.is_equation()) (row.is_linear ? way2 : angle2) += row.error * row.error;
    if (way2 > 0) {
        const double allowed = kOpen * measure_of_joint(view, j), way = std::sqrt(way2);
        if (way > allowed && allowed > 0) check.open.push_back({j, way, allowed, false});
    }
    if (angle2 > kOpen * kOpen) check.open.push_back({j, std::sqrt(angle2), kOpen, true});
}

void watch_joints(const WatchView& view) {
    const auto& list = view.active_joints;
    auto& chunks = view.watch.joints;
    const std::size_t used = (list.size() + kJointsAChunk - 1) / kJointsAChunk;
    if (chunks.size() < used) chunks.resize(used);
    view.executor.parallel_for(list.size(), kJointsAChunk, [&](std::size_t begin, std::size_t end) {
        JointCheck& check = chunks[begin / kJointsAChunk];
        check.open.clear();
        for (std::size_t k = begin; k < end; ++k)
            if (view.joints.holds(list[k])) check_joint(view, list[k], check);
    });
    for (std::size_t c = 0; c < used; ++c)
        for (const JointOpening& open : chunks[c].open)
            view.warnings.note({WarningKind::JointOpen, view.ids.joint_ids.name(open.joint), kNobody,
                                open.value, open.allowed, open.is_angle ? "rad" : "m"},
                               view.time);
}

// Bodies that nothing touched keep their energy, but belong to what there is.
void add_free_bodies(const WatchView& view, double& kinetic, double& released) {
    for (const auto k : view.free_bodies) {
        if (!view.bodies.is_dynamic(k)) continue;
        const Vec3 way = view.bodies.pose[k].position - view.old[k].pose.position;
        kinetic += 0.5 * view.bodies.mass[k] * length_squared(view.bodies.v[k]);
        released += view.bodies.mass[k] * dot(external_acceleration(view.bodies, k, view.gravity), way);
    }
}

void note_island(const WatchView& view, WarningKind kind, const Outcome& outcome, double value,
                 double allowed, const char* unit, double energy = 0) {
    view.warnings.note({kind, name_of(view, outcome.first_body), kNobody, value, allowed, unit}, view.time,
                       energy);
}

void note_areal(const WatchView& view, const ArealNote& note) {
    constexpr WarningKind kinds[] = {WarningKind::LayerDepth, WarningKind::Unresolved, WarningKind::Immersed};
    const bool is_depth = note.kind == ArealNote::Kind::Depth;
    view.warnings.note({kinds[static_cast<int>(note.kind)], name_of(view, note.a), name_of(view, note.b),
                        note.value, note.allowed, is_depth ? "m" : ""},
                       view.time);
}

// What the steppers noted of each island, beside its energy.
void watch_outcome(const WatchView& view, const Outcome& outcome, const IslandNote& note) {
    const double there_is = std::max(note.lift, note.kinetic + outcome.energy_removed);
    if (outcome.energy_removed > kNotable * there_is)
        note_island(view, WarningKind::EnergyRemoved, outcome, outcome.energy_removed, 0, "J",
                    outcome.energy_removed);
    if (note.unclosed > 0)
        note_island(view, WarningKind::NotConverged, outcome, note.unclosed, view.method.rattle().tolerance,
                    "");
    if (note.short_step > 0)
        view.warnings.note(
            {WarningKind::ShortStep, name_of(view, note.short_body),
             note.short_force == kNoForce ? kNobody : view.ids.force_ids.name(note.short_force),
             note.short_step, 0, "s"},
            view.time);
    if (note.is_cut) note_island(view, WarningKind::WorkLimit, outcome, 1, 0, "");
}

void watch_energy(const WatchView& view, const Outcome* most, double gained, double lost, double kinetic,
                  double negligible) {
    EnergyWatch& energy = view.watch.energy;
    if (view.watch.is_parting) {
        view.warnings.add_energy(WarningKind::InitialOverlap, gained);
        gained = 0;
    }
    energy.sum += gained + lost;
    energy.gain.note(kinetic, -energy.fallen, energy.sum, negligible);
    const double gain = energy.gain.gained(), allowed = energy.gain.allowed();
    if (!most || !(gain > allowed) || !(gain > energy.told)) return;
    energy.told = gain;
    note_island(view, WarningKind::EnergyGained, *most, gain, allowed, "J");
}

// All islands of the step.
void watch_islands(const WatchView& view, bool& has_overlap, bool& has_deep) {
    double kinetic = 0, released = 0, negligible = 0, gained = 0, lost = 0, most_gained = 0;
    const Outcome* most = nullptr;
    for (std::size_t c = 0; c < view.islands.chunks(); ++c) {
        const Results& results = view.islands.results(c);
        has_overlap |= results.has_overlap;
        has_deep |= results.has_deep;
        for (const ArealNote& note : results.areal_notes) note_areal(view, note);
        for (std::size_t i = 0; i < results.notes.size(); ++i) {
            const IslandNote& note = results.notes[i];
            watch_outcome(view, results.outcomes[i], note);
            kinetic += note.kinetic;
            released += note.released;
            negligible += note.negligible;
            if (std::isnan(note.gained)) continue;
            (note.gained > 0 ? gained : lost) += note.gained;
            if (note.gained > most_gained) {
                most_gained = note.gained;
                most = &results.outcomes[i];
            }
        }
    }
    add_free_bodies(view, kinetic, released);
    view.watch.energy.fallen += released;
    watch_energy(view, most, gained, lost, kinetic, negligible);
}

}  // namespace

void find_overlaps(const WatchView& view) {
    std::vector<Manifold> manifolds;
    for (std::size_t p = 0; p < view.pairs.bodies.size(); ++p) {
        const auto [a, b] = view.pairs.bodies[p];
        if (view.bodies.uid[a] < view.watch.checked_uid && view.bodies.uid[b] < view.watch.checked_uid)
            continue;
        if (is_sensor_pair(view, p) || yields(view, a, b)) continue;
        const double depth = depth_of(view, p, manifolds);
        if (!(depth > kOverlapped * size_of_pair(view, p))) continue;
        note_pair(view, WarningKind::InitialOverlap, p, depth, kOverlapped);
        view.watch.is_parting = true;
    }
    view.watch.checked_uid = view.bodies.next_uid;
}

void watch_step(const WatchView& view) {
    bool has_overlap = false, has_deep = false;
    watch_islands(view, has_overlap, has_deep);
    view.watch.is_parting &= has_overlap;
    if (has_deep) watch_contacts(view);
    watch_joints(view);
}

void watch_mass(const BodySet& bodies, std::size_t k, const BodyDesc& desc, double time, Watch& watch,
                WarningLog& warnings) {
    const bool has_parts =
        std::holds_alternative<Compound>(desc.shape) || std::holds_alternative<Mesh>(desc.shape);
    if (!has_parts || desc.kind != BodyKind::Dynamic) return;
    if (desc.mass && desc.center_of_mass && desc.inertia) return;
    const Vec3 moments = bodies.inertia[k], center = bodies.X_BP[k].position;
    const auto [at, is_new] = watch.counted.try_emplace(
        {bodies.mass[k], moments.x, moments.y, moments.z, center.x, center.y, center.z}, 0);
    if (is_new) at->second = miscounted_share(desc.shape);
    if (at->second > kCountedTwice)
        warnings.note({WarningKind::CountedTwice, desc.name, kNobody, at->second, kCountedTwice, ""}, time);
}

void watch_laws(const WatchView& view) {
    if (!view.method.is<VelocityMethod>()) return;
    for (const ContactDesc& contact : view.structure.contacts)
        if (contact.restitution_law == RestitutionLaw::Poisson && contact.restitution.value_or(1) > 0)
            view.warnings.say(
                WarningKind::LawNotMet, 0,
                fmt::format("contact of '{}' and '{}': the velocity stepper has Newton's law of restitution, "
                            "not Poisson's",
                            contact.a, contact.b));
}

void watch_forces(const WatchView& view) {
    const auto moves = [&](std::uint32_t k) { return k != kNoBody && view.bodies.is_dynamic(k); };
    for (std::size_t f = 0; f < view.forces->size(); ++f)
        if (!moves(view.forces->a[f]) && !moves(view.forces->b[f]))
            view.warnings.say(
                WarningKind::LawNotMet, 0,
                fmt::format("force '{}' acts on '{}', which no force moves", view.ids.force_ids.name(f),
                            view.ids.body_ids.name(view.forces->b[f])));
}

}  // namespace impuls
