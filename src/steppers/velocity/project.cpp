// Error correction by projection (project.h).
#include "steppers/velocity/project.h"

#include <utility>

#include "dynamics/first_order.h"
#include "steppers/contacts.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/layers.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::velocity {
namespace {

// Depths below, relative to size, are rounding.
constexpr double kDepth = kTouching;

// Anything to correct: depths of contacts; with joints always, as they never close exactly.
bool is_off(const Velocity& s) {
    if (!s.island.joints.empty()) return true;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        const IslandPair& pair = pair_of(s, k);
        const SubstepPoint& point = s.contacts.points[k];
        if (point.is_present && pair.law->compliance == 0 && point.separation < -kDepth * pair.size)
            return true;
    }
    return false;
}

// Gaps and depths of a pair where its bodies are now; whether any is a depth.
bool add_gap_rows(Velocity& s, const IslandPair& pair) {
    if (pair.law->compliance > 0) return false;  // its depth is no error
    const Pose &X_WA = s.island.nodes[pair.a].pose, &X_WB = s.island.nodes[pair.b].pose;
    const auto& found = s.contacts.found;
    impuls::find_contacts(s.view, s.island, pair, s.contacts.found);
    bool is_deep = false;
    for (const Manifold& m : found) {
        add_gaps(m, pair.a, X_WA, pair.b, X_WB, s.problem.contacts, 1, kDepth * pair.size);
        for (int k = 0; k < m.count; ++k)
            is_deep |= m.points[static_cast<std::size_t>(k)].separation < -kDepth * pair.size;
    }
    return is_deep;
}

// Displacements of the nodes of these edges, with depths and gaps where the bodies are now.
void project(Velocity& s, std::span<const std::uint32_t> edges) {
    s.problem.contacts.clear();
    s.problem.rows.clear();
    bool is_deep = false;
    for (const auto e : edges) {
        if (e < s.layers.pair_edges) {
            is_deep |= add_gap_rows(s, s.island.pairs[s.layers.items[e]]);
            continue;
        }
        const IslandJoint& joint = s.island.joints[s.layers.items[e]];
        JointRows out = rows_for(s, joint, s.problem.rows, 1, Phase::Displacement);
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
    }
    keep_geometry(s.problem.rows);
    if (is_deep || !s.problem.rows.rows.empty())
        s.solve({.iterations = static_cast<int>(s.view.method.velocity().correction_iterations),
                 .stop = s.view.stop});
    // What pushes here has pushed: the energy of a lift is owed by whoever was lifted from something fixed.
    const ContactRows& rows = s.problem.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows.impulse_n[r] > 0) s.nodes[rows.a[r]].is_held = s.nodes[rows.b[r]].is_held = true;
    // Loops of joints that are stretched or folded ask for displacements of any size.
    if (!s.problem.rows.rows.empty()) limit_displacements(s);
}

void project_layers(Velocity& s) {
    find_layers(s);
    for (std::size_t i = 0; i < s.layers.layers.size(); ++i) {
        hold_lower(s, i);
        project(s, s.layers.edges_of(i));
        release_lower(s);
        for (const auto k : s.layers.upper_of(i)) displace(s, k);
    }
}

}  // namespace

void correct(Velocity& s, double h) {
    if (s.view.method.velocity().correction != Correction::Projection || !is_off(s)) return;
    Nodes& n = s.problem.nodes;
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    n.v.assign(s.nodes.size(), {});
    n.w.assign(s.nodes.size(), {});
    list_edges(s);
    if (s.view.method.velocity().shock == Switch::Off) {
        project(s, s.layers.all);
        for (std::size_t k = 0; k < s.island.dynamic_count; ++k) displace(s, k);
    } else {
        project_layers(s);
    }
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    update_inertia(s);
    find_contacts(s, h);
    check_finite(s, "the correction of positions");
}

}  // namespace impuls::velocity
