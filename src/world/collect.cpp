// Taking over what the steppers left: motions, contacts, outcomes. Nothing is taken over when a value is not
// finite.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/assert.h"
#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

template <class Visit>
void for_each_result(WorldState& s, Visit&& visit) {
    for (std::size_t k = 0; k < s.islands.schedule.chunks(); ++k) visit(s.islands.schedule.results(k));
}

void warn_of_lost(WorldState& s, std::uint32_t body) {
    static const std::string nobody;
    const Vec3& x = s.bodies.pose[body].position;
    s.output.warnings.note(
        {WarningKind::BodyLost, s.body_ids.name(body), nobody, length(x), 0, "m from the origin"},
        static_cast<double>(s.step) * s.dt);
}

void check_result(WorldState& s) {
    StepStatus& status = s.output.status;
    for_each_result(s, [&](const Results& results) {
        if (results.failure.empty()) return;
        status = {false, fmt::format("body '{}' {}", s.body_ids.name(results.failed_body), results.failure)};
        warn_of_lost(s, results.failed_body);
    });
    for (const auto k : s.islands.groups.free_bodies) {
        const Motion& m = s.islands.next[k];
        if (!status.ok ||
            (is_finite(m.pose.position) && is_finite(m.pose.orientation) && is_finite(m.v) && is_finite(m.w)))
            continue;
        status = {false, fmt::format("body '{}' is not finite after free motion", s.body_ids.name(k))};
        warn_of_lost(s, k);
    }
    if (!status.ok) status.message = fmt::format("step {}: {}", s.step + 1, status.message);
}

// The motion before the step stays in `next`, for triggers.
void take_motions(WorldState& s) {
    const auto& bodies = s.active.lists.bodies;
    s.executor->parallel_for(bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto k = bodies[i];
            Motion& next = s.islands.next[k];
            std::swap(s.bodies.pose[k], next.pose);
            std::swap(s.bodies.v[k], next.v);
            std::swap(s.bodies.w[k], next.w);
        }
    });
    for (const auto k : s.bodies.of_particles) {
        ParticleRange& range = *s.bodies.particles[k];
        if (std::exchange(range.has_next, false)) std::swap(range.now, range.next);
    }
}

// Points of one chunk's results to where their pairs are.
void place_contacts(WorldState& s, const ContactResults& from) {
    const auto& start = s.pairs.contact_start;
    const auto& pair = from.pair;
    s.executor->parallel_for(pair.size(), 256, [&](std::size_t begin, std::size_t end) {
        std::size_t first = begin;  // of the pair's; they follow each other
        while (first > 0 && pair[first - 1] == pair[begin]) --first;
        for (std::size_t k = begin; k < end; ++k) {
            if (pair[k] != pair[first]) first = k;
            const std::size_t at = start[pair[k]] + k - first;
            IMPULS_ASSERT(at < start[pair[k] + 1]);
            s.islands.next_contacts[at] = from.point[k];
            s.pairs.of_contact[at] = pair[k];
        }
    });
}

// Contacts in the order of their pairs, which is the order of their keys. Those of one chunk of islands alone
// may have it already.
void order_contacts(WorldState& s) {
    auto& start = s.pairs.contact_start;
    start.assign(s.pairs.colliders.size() + 1, 0);
    ContactResults* only = nullptr;
    int filled = 0;
    for_each_result(s, [&](Results& results) {
        for (const std::uint32_t pair : results.contacts.pair) ++start[pair];
        if (results.contacts.pair.empty()) return;
        only = &results.contacts;
        ++filled;
    });
    std::exclusive_scan(start.begin(), start.end(), start.begin(), 0u);
    if (filled == 1 && std::is_sorted(only->pair.begin(), only->pair.end())) {
        std::swap(s.contacts, only->point);
        std::swap(s.pairs.of_contact, only->pair);
        return;
    }
    s.islands.next_contacts.resize(start.back());
    s.pairs.of_contact.resize(start.back());
    for_each_result(s, [&](const Results& results) { place_contacts(s, results.contacts); });
    std::swap(s.contacts, s.islands.next_contacts);
}

void take_outcomes(WorldState& s) {
    s.output.outcomes.clear();
    for_each_result(s, [&](const Results& results) {
        s.output.outcomes.insert(s.output.outcomes.end(), results.outcomes.begin(), results.outcomes.end());
        for (std::size_t k = 0; k < kStages; ++k) s.output.stage_seconds[k] += results.stage_seconds[k];
    });
}

// What integrators remember of islands that were advanced now; of others nothing is left.
void take_memories(WorldState& s) {
    if (!s.method.is<ForceMethod>()) return;
    s.memories.clear();
    for_each_result(s, [&](const Results& results) {
        for (const OdeMemory& entry : results.memories.entries)
            s.memories.add(entry.uid, entry.stamp, results.memories.of(entry));
    });
    std::sort(s.memories.entries.begin(), s.memories.entries.end(),
              [](const OdeMemory& a, const OdeMemory& b) { return a.uid < b.uid; });
}

// Joints that bore more than they can are gone from the next step on.
void break_joints(WorldState& s) {
    JointSet& joints = s.joints;
    s.output.broken_joints.clear();
    for (const auto j : s.active.lists.joints) {
        const JointReaction& reaction = joints.reaction[j];
        const bool is_too_much =
            length_squared(reaction.force) > joints.break_force[j] * joints.break_force[j] ||
            length_squared(reaction.torque) > joints.break_torque[j] * joints.break_torque[j];
        if (!joints.holds(j) || !is_too_much) continue;
        joints.is_broken[j] = true;
        for (double& p : joints.impulse.of(j)) p = 0;
        s.output.broken_joints.push_back(j);
    }
    if (!s.output.broken_joints.empty()) update_connected(s);
}

}  // namespace

void collect(WorldState& s) {
    check_result(s);
    if (!s.output.status.ok) return;
    take_motions(s);
    order_contacts(s);
    take_outcomes(s);
    take_memories(s);
    break_joints(s);
    ++s.step;
}

}  // namespace impuls
