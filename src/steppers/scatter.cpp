// The way back from an island to the world (scatter.h).
#include "steppers/scatter.h"

#include <algorithm>

#include "collision/graph/groups.h"

namespace impuls {
namespace {

void scatter_joint(const WorldView& view, const Island& island, std::size_t k, JointSet& joints) {
    const IslandJoint& joint = island.joints[k];
    const JointMemory& memory = island.memory;
    const std::uint32_t j = joint.joint;
    const auto impulses = joints.impulse.of(j), angles = joints.angle.of(j);
    std::copy_n(memory.impulses.begin() + joint.first_row, impulses.size(), impulses.begin());
    std::copy_n(memory.angles.begin() + joint.first_angle, angles.size(), angles.begin());
    std::size_t axis = joint.first_axis;
    for (double& force : joints.axis_force.of(j)) force = memory.axis_impulses[axis++] / view.dt;
    const JointReaction& sum = memory.reactions[k];
    joints.reaction[j] = {sum.force / view.dt, sum.torque / view.dt, 0};
    if (memory.is_paced) joints.pace[j] = memory.pace < view.dt ? memory.pace : 0;
}

// The body follows its particles.
void scatter_range(const Island& island, const IslandRange& of, StepOutput& out) {
    ParticleRange& range = *out.bodies.particles[of.body];
    range.next = range.now;
    range.has_next = true;
    for (std::uint32_t part = 0; part < range.size(); ++part) {
        const IslandNode& node = island.nodes[island.node_of_part(of, part)];
        range.next.x[part] = node.pose.position;
        range.next.v[part] = node.v;
    }
    for (std::size_t k = 0; k < range.next.impulse.size(); ++k)
        range.next.impulse[k] = island.particles.links[of.first_link + k].impulse;
    const ParticleSums sums = sums_of(range, range.next);
    out.next[of.body] = {{sums.center, out.bodies.pose[of.body].orientation}, sums.v, {}};
}

}  // namespace

void scatter(const WorldView& view, const Island& island, StepOutput& out) {
    view.executor.parallel_for(island.dynamic_count, 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const IslandNode& node = island.nodes[k];
            if (node.is_particle()) continue;
            out.next[node.body] = {node.pose, node.v, node.w};
        }
    });
    for (const IslandRange& range : island.particles.ranges) scatter_range(island, range, out);
    for (std::size_t k = 0; k < island.joints.size(); ++k) scatter_joint(view, island, k, out.joints);
}

void keep_as_it_is(const WorldView& view, const Groups& groups, std::size_t i, StepOutput& out,
                   Results& results) {
    const BodySet& bodies = view.bodies;
    for (auto k = groups.body_start[i]; k < groups.body_start[i + 1]; ++k) {
        const std::uint32_t body = groups.bodies[k];
        out.next[body] = {bodies.pose[body], bodies.v[body], bodies.w[body]};
    }
    for (auto k = groups.pair_start[i]; k < groups.pair_start[i + 1]; ++k) {
        const std::uint32_t pair = groups.pairs[k];
        for (const ContactPoint& point : view.pairs.old_range(pair))
            if (view.pairs.is_kept(pair, point)) results.contacts.add(pair, point);
    }
}

}  // namespace impuls
