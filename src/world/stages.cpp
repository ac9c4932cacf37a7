// The stages of a step that concern the whole world: islands, and collecting the results.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

// One edge for each joint that holds, then those to the frames of joints.
void find_joint_edges(WorldState& s) {
    const auto is_absent = [&](std::uint32_t k) { return k != kNoBody && s.roles[k] == NodeRole::Absent; };
    const auto& joints = s.joints;
    const auto count = static_cast<std::uint32_t>(joints.size());
    const auto is_edge = [&](std::uint32_t j) { return joints.holds(j) && !is_absent(joints.c[j]); };
    const auto add = [&](Pair ends, std::uint32_t name) {
        s.joint_edges.push_back(ends), s.edge_joint.push_back(name);
    };
    s.joint_edges.clear(), s.edge_joint.clear();
    for (const auto j : s.in_play.joints) {
        if (!joints.holds(j)) s.joints.forget(j);
        if (is_edge(j)) add({joints.a[j], joints.b[j]}, j);
    }
    for (const auto j : s.in_play.joints)
        for (const auto k : {joints.a[j], joints.b[j]})
            if (is_edge(j) && joints.c[j] != kNoBody && k != kNoBody) add({k, joints.c[j]}, count + j);
}

}  // namespace

void build_islands(WorldState& s) {
    const std::size_t n = s.bodies.size();
    s.roles.resize(n), s.next.resize(n), s.node_of.resize(n);
    for (const auto k : s.in_play.bodies) {
        const bool is_static = s.bodies.kind[k] == BodyKind::Static;
        s.roles[k] = !s.bodies.is_active[k]   ? NodeRole::Absent
                     : is_static              ? NodeRole::Fixed
                     : s.bodies.is_dynamic(k) ? NodeRole::Mover
                                              : NodeRole::Scripted;
        if (is_static || !s.bodies.is_active[k]) s.next[k] = {s.bodies.pose[k], s.bodies.v[k], s.bodies.w[k]};
    }
    find_joint_edges(s);
    s.islands.build(s.roles, s.in_play.bodies, s.contact_edges, s.joint_edges, *s.executor);
    for (std::uint32_t& edge : s.islands.joints) edge = s.edge_joint[edge];
}

namespace {

std::span<const std::unique_ptr<IslandWork>> works_of(const WorldState& s) {
    return std::span(s.work).first(s.works_used);
}

void check_result(WorldState& s) {
    for (const auto& work : works_of(s))
        if (!work->failure.empty()) s.status = {false, work->failure};
    for (const auto k : s.islands.free_bodies) {
        const Motion& m = s.next[k];
        if (!s.status.ok ||
            (is_finite(m.pose.position) && is_finite(m.pose.orientation) && is_finite(m.v) && is_finite(m.w)))
            continue;
        s.status = {false,
                    fmt::format("body '{}' is not finite after free motion", s.structure->bodies[k].name)};
    }
    if (!s.status.ok) s.status.message = fmt::format("step {}: {}", s.step + 1, s.status.message);
}

}  // namespace

namespace {

// Joints that bore more than they can are gone from the next step on.
void break_joints(WorldState& s) {
    JointSet& joints = s.joints;
    s.broken_joints.clear();
    for (const auto j : s.in_play.joints) {
        const JointReaction& reaction = joints.reaction[j];
        const bool is_too_much =
            length_squared(reaction.force) > joints.break_force[j] * joints.break_force[j] ||
            length_squared(reaction.torque) > joints.break_torque[j] * joints.break_torque[j];
        if (!joints.holds(j) || !is_too_much) continue;
        joints.is_broken[j] = true;
        for (double& p : joints.impulse.of(j)) p = 0;
        s.broken_joints.push_back(j);
    }
    if (!s.broken_joints.empty()) update_connected(s);
}

}  // namespace

// Contacts in the order of their pairs, which is the order of their keys. Those of one chunk of islands alone
// may have it already.
static void order_contacts(WorldState& s) {
    const auto has_any = [](const auto& work) { return !work->results.pair.empty(); };
    const auto works = works_of(s);
    auto& start = s.contact_start;
    start.assign(s.collider_pairs.size() + 1, 0);
    for (const auto& work : works)
        for (const std::uint32_t pair : work->results.pair) ++start[pair];
    std::exclusive_scan(start.begin(), start.end(), start.begin(), 0u);
    if (std::count_if(works.begin(), works.end(), has_any) == 1) {
        auto& results = (*std::find_if(works.begin(), works.end(), has_any))->results;
        if (std::is_sorted(results.pair.begin(), results.pair.end())) {
            std::swap(s.contacts, results.point), std::swap(s.contact_pair, results.pair);
            return;
        }
    }
    s.next_contacts.resize(start.back()), s.contact_pair.resize(start.back());
    for (const auto& work : works) {
        const auto& pair = work->results.pair;
        const auto& point = work->results.point;
        s.executor->parallel_for(pair.size(), 256, [&](std::size_t begin, std::size_t end) {
            std::size_t first = begin;  // of the pair's; they follow each other
            while (first > 0 && pair[first - 1] == pair[begin]) --first;
            for (std::size_t k = begin; k < end; ++k) {
                if (pair[k] != pair[first]) first = k;
                const std::size_t at = start[pair[k]] + k - first;
                s.next_contacts[at] = point[k], s.contact_pair[at] = pair[k];
            }
        });
    }
    std::swap(s.contacts, s.next_contacts);
}

void collect(WorldState& s) {
    check_result(s);
    if (!s.status.ok) return;
    // The motion before the step stays in `next`, for triggers.
    const auto& bodies = s.in_play.bodies;
    s.executor->parallel_for(bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto k = bodies[i];
            std::swap(s.bodies.pose[k], s.next[k].pose);
            std::swap(s.bodies.v[k], s.next[k].v), std::swap(s.bodies.w[k], s.next[k].w);
        }
    });

    order_contacts(s);
    for (const auto& work : works_of(s))
        for (int k = 0; k < kStages; ++k) s.stage_seconds[k] += work->stage_seconds[k];
    break_joints(s);
    ++s.step;
}

}  // namespace impuls
