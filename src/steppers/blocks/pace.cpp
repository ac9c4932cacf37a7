// Passes and substeps of a step by blocks (pace.h).
#include "steppers/blocks/pace.h"

#include <algorithm>
#include <cmath>

#include "steppers/blocks/context.h"
#include "steppers/blocks/tuning.h"
#include "steppers/joint_size.h"

namespace impuls::blocks {
namespace {

// Substeps n that something asks for, as n^2. Limits: the levels, and the share of the last number of
// substeps at which fewer are chosen.
constexpr std::size_t kLimits = kLevels.size() + 1;
using SubstepCounter = PercentileCounter<kLimits>;

std::array<double, kLimits> squared_limits(double fewer) {
    std::array<double, kLimits> limits;
    std::copy(kLevels.begin(), kLevels.end(), limits.begin());
    limits.back() = fewer;
    std::sort(limits.begin(), limits.end());
    for (double& n : limits) n *= n;
    return limits;
}

// Sag = a/w^2 with a = F (1/m_a + 1/m_b) and w = pi n/(2 dt), less under loads of many times a body's own
// weight: towers buckle. Edges, points and slopes make no towers, and may give more (but figures press on
// each other with levers, through joints).
double wanted_by(const Context& c, const BlockManifold& m, double scale, double sag, double g) {
    const double a = m.load * inv_mass_of(c.island, m.a, m.b);
    const bool is_tower = c.island.joints.empty() ? m.count > 2 && std::abs(m.rise) > kUpright : m.count > 1;
    return scale * a / (sag * m.size) * (is_tower ? 1 + a / (kHeavy * g) : 1 / kLoose);
}

// 1/s: how fast a joint under the force that it bore swings across it. Rows that are frozen for a pass do
// not feel that: passes must be shorter than 2/w (leapfrog). Of rods of length L and mass m under the tension
// T, w^2 = 12 T/(m L), with 1/m + lever^2/J = 4/m for each of two and levers of L/2.
double swing_of(const Context& c, const IslandJoint& joint) {
    const JointGeometry g = geometry_of(c.view.joints, joint.joint, c.island.joint_poses(joint));
    double yields = 0, levers = 0;
    const auto add = [&](std::uint32_t node, const Vec3& anchor) {
        const IslandNode& body = c.island.nodes[node];
        if (!body.is_dynamic) return;
        const Vec3& inv = c.view.bodies.inv_inertia[body.body];
        const double lever = length(anchor - body.pose.position);
        yields += body.inv_mass + lever * lever * std::max({inv.x, inv.y, inv.z});
        levers += lever;
    };
    add(joint.a, g.X_WJa.position);
    add(joint.b, g.X_WJb.position);
    const double force = length(c.view.joints.reaction[joint.joint].force);
    return levers > 0 ? std::sqrt(1.5 * force * yields / levers) : 0;
}

}  // namespace

int count_passes(const Context& c) {
    PassCounter counter = c.contacts.passes;
    for (const IslandJoint& joint : c.island.joints) {
        const double spin = std::max(length(c.island.nodes[joint.a].w), length(c.island.nodes[joint.b].w));
        counter.add(std::min<double>(c.fineness.passes, c.view.dt / kPassAngle * spin));
    }
    const auto few_passes = static_cast<std::size_t>(c.fineness.few_passes);
    if (c.island.dynamic_count <= kFew && counter.is_any_above(few_passes)) return kMostPasses + 1;
    int passes = 1;
    while (passes < c.fineness.passes && !counter.is_within(static_cast<std::size_t>(passes - 1))) ++passes;
    double swing = 0;
    for (const IslandJoint& joint : c.island.joints) swing = std::max(swing, swing_of(c, joint));
    return std::max(
        passes, static_cast<int>(std::min<double>(kMostLoadPasses, std::ceil(c.view.dt * swing / kSwing))));
}

int count_substeps(const Context& c) {
    const double g = length(c.view.gravity), sag = c.fineness.sag,
                 scale = c.view.dt * c.view.dt / kQuarterPeriod2;
    const double fewer = kFewer * c.substeps;
    const auto limits = squared_limits(fewer);
    SubstepCounter wanted(limits);
    const auto& manifolds = c.contacts.manifolds;
    c.view.executor.parallel_for(manifolds.size(), 1024, [&](std::size_t begin, std::size_t end) {
        SubstepCounter own(limits);
        for (std::size_t k = begin; k < end; ++k)
            if (manifolds[k].load != 0) own.add(wanted_by(c, manifolds[k], scale, sag, g));
        wanted.add(own);
    });
    for (const IslandJoint& joint : c.island.joints) {
        if (c.joints.is_factored) break;  // these do not sag
        wanted.add(scale * length(c.view.joints.reaction[joint.joint].force) *
                   inv_mass_of(c.island, joint.a, joint.b) /
                   (sag * kBoundingRadius * joint_size(c.view, c.island, joint)));
    }
    const double least = std::max<double>(static_cast<double>(c.view.method.rows().substeps),
                                          c.island.joints.empty() ? 0 : kJointed);
    const auto suffices = [&](double n) {
        const auto at = std::find(limits.begin(), limits.end(), n * n) - limits.begin();
        return least <= n && wanted.is_within(static_cast<std::size_t>(at));
    };
    const auto enough = std::find_if(kLevels.begin(), kLevels.end() - 1, suffices);
    const int level = std::max(*enough, static_cast<int>(c.view.method.rows().substeps));
    return level >= c.substeps || suffices(fewer) ? level : c.substeps;
}

}  // namespace impuls::blocks
