// Error correction by projection: a step of the first-order world (dynamics/first_order.h) in which overlaps
// and open joints are all that drives. Nodes have displacements in place of velocities (m and rad, unit
// time); velocities are put aside by the caller.
#include <cmath>

#include "dynamics/first_order.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {

// Depths below, relative to size, are rounding.
constexpr double kDepth = kTouching;

}  // namespace

// Anything to correct: depths of contacts; with joints always, as they never close exactly.
bool IslandWork::is_off() const {
    if (!joints_.empty()) return true;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const ContactLaw& law = pairs_[point_pair_[k]].law;
        if (points_[k].is_present && law.compliance == 0 && points_[k].separation < -kDepth * law.size)
            return true;
    }
    return false;
}

// Displacements of the nodes of these edges, with depths and gaps where the bodies are now.
void IslandWork::project(std::span<const std::uint32_t> edges) {
    problem_.contacts.clear(), problem_.rows.clear();
    bool is_deep = false;
    for (const auto e : edges) {
        if (e >= stack_.pair_edges) {
            const JointWork& joint = joints_[stack_.items[e]];
            JointRows out = joint_rows(joint, problem_.rows, 1, Phase::Displacement);
            make_rows(world_->joints, joint.joint, joint_poses(joint), out);
            continue;
        }
        const PairWork& pair = pairs_[stack_.items[e]];
        if (pair.law.compliance > 0) continue;  // its depth is no error
        const auto& found = contacts_between(*pair.collider_a, nodes_[pair.a].pose, *pair.collider_b,
                                             nodes_[pair.b].pose, pair.margin, *pair.cache);
        for (const Manifold& m : found) {
            add_gaps(m, pair.a, nodes_[pair.a].pose, pair.b, nodes_[pair.b].pose, problem_.contacts, 1,
                     kDepth * pair.law.size);
            for (int k = 0; k < m.count; ++k)
                is_deep |= m.points[static_cast<std::size_t>(k)].separation < -kDepth * pair.law.size;
        }
    }
    keep_geometry(problem_.rows);
    if (is_deep || !problem_.rows.rows.empty())
        solver_->solve(problem_, {static_cast<int>(world_->method.correction_iterations), 0});
}

// Moves a node by its displacement, which is then done.
void IslandWork::displace(std::uint32_t k) {
    Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
    nodes_[k].pose = displaced(nodes_[k].pose, v, w);
    v = w = {};
}

}  // namespace impuls
