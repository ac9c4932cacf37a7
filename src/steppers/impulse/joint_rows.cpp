// Joints of an island in the two phases of a substep (joint_rows.h).
#include "steppers/impulse/joint_rows.h"

#include <algorithm>

#include "steppers/impulse/tuning.h"
#include "steppers/joint_size.h"
#include "steppers/substep/links.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// Share of a joint's error that one substep removes. All of it (RATTLE) where sweeps reach from one end of
// the island's joints to the other; unconverged corrections would pump energy into long chains, so those get
// less, unless the solver closes them whatever their number.
double joint_recovery(const Impulse& s) {
    if (s.solver.closes_joints()) return 1;
    const std::size_t joints = s.island.joints.size();
    const int sweeps = sweeps_for(s, s.problem.contacts.size() + joints);
    const double reach = 0.5 * static_cast<double>(sweeps) / static_cast<double>(joints);
    return std::min(1.0, reach * reach);
}

// What the rows carry on from the displacement phase, or start with.
void begin_rows(Impulse& s, Phase phase) {
    JointWork& work = s.joints;
    Rows& rows = s.problem.rows;
    const std::size_t count = s.island.memory.impulses.size();
    if (phase == Phase::Displacement) {
        work.carried.assign(count, 0);
        work.approach.assign(count, 0);
        s.joint_state.is_torn = false;
        if (s.has_joints()) note_node_starts(s);
    } else {
        for (std::size_t r = 0; r < std::min(count, rows.rows.size()); ++r)
            work.carried[r] = rows.rows[r].impulse;
    }
    rows.clear();
    work.axis_log.axes.clear();
    work.axis_log.row_axis.clear();
}

// A torn joint holds its velocity alone.
void drop_gap(Impulse& s, std::size_t first) {
    Rows& rows = s.problem.rows;
    s.joint_state.is_torn = true;
    for (std::size_t r = first; r < rows.rows.size(); ++r)
        if (rows.rows[r].is_equation() && s.joints.axis_log.row_axis[r] == 0) rows.rows[r].bias = 0;
}

}  // namespace

void make_joint_rows(Impulse& s, double h, Phase phase) {
    begin_rows(s, phase);
    Rows& rows = s.problem.rows;
    const double recovery = joint_recovery(s);
    for (std::size_t k = 0; k < s.island.joints.size(); ++k) {
        const IslandJoint& joint = s.island.joints[k];
        JointRows out = rows_for(s, joint, rows, h, phase);
        out.recovery = recovery;
        out.history.carried = s.joints.carried;
        out.history.approach = s.joints.approach;
        out.history.previous = s.island.memory.impulses;
        out.history.previous_share = 0.5 * s.stretch;
        out.start = s.joints.node_starts;
        out.keeps_angles = true;
        out.log = &s.joints.axis_log;
        s.joints.first_block[k] = static_cast<std::uint32_t>(rows.blocks.size());
        const std::size_t first = rows.rows.size();
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
        hold_nodes(s, joint);
        if (phase == Phase::Displacement &&
            is_torn(rows, s.joints.axis_log, first, rows.rows.size(), joint_size(s.view, s.island, joint)))
            drop_gap(s, first);
    }
    s.joints.end_block = rows.blocks.size();
    if (s.joint_state.is_yielding) add_yielding(s);
    const double warm = 0.5 * s.stretch * s.view.method.rows().warm_start;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        rows.rows[r].impulse = s.joints.carried[r];
        rows.rows[r].guess = warm * s.island.memory.impulses[r];
    }
    add_link_rows(s, h, phase);
}

void make_all_rows(Impulse& s, double h, Phase phase) {
    make_joint_rows(s, h, phase);
    if (phase == Phase::Displacement)
        add_soft_rows(s.forces, 0.5 * h, s.problem.rows);
    else
        repeat_soft_rows(s.forces, s.problem.rows);
}

void add_yielding(Impulse& s) {
    double response = 0, size = kUnbounded;
    for (const IslandJoint& joint : s.island.joints) {
        size = std::min(size, joint_size(s.view, s.island, joint));
        for (const std::uint32_t k : {joint.a, joint.b})
            if (k < s.island.dynamic_count) response = std::max(response, s.problem.nodes.inv_mass[k]);
    }
    const double linear = kYielding * response, angular = size < kUnbounded ? linear / (size * size) : linear;
    for (Row& row : s.problem.rows.rows)
        if (row.is_equation()) row.compliance = row.is_linear ? linear : angular;
}

void LookAhead::refresh(Problem& problem, std::size_t first, std::size_t last) {
    const auto pose = [&](std::uint32_t k) {
        return s_.island.nodes[k].body != kNoBody ? drifted(s_, k, h_) : s_.island.nodes[k].pose;
    };
    Rows& ahead = s_.joint_state.preview_rows;
    for (std::size_t k = 0; k < s_.island.joints.size(); ++k) {
        if (s_.joints.first_block[k] < first || s_.joints.first_block[k] >= last) continue;
        const IslandJoint& joint = s_.island.joints[k];
        ahead.clear();
        JointRows out = rows_for(s_, joint, ahead, h_, Phase::Velocity);
        make_rows(s_.view.joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}, out);
        for (std::size_t r = 0; r < ahead.rows.size(); ++r)
            problem.rows.rows[joint.first_row + r].error = ahead.rows[r].error;
    }
    if (has_links(s_) && last > s_.joints.end_block)
        refresh_links(s_, problem.rows, [&](std::uint32_t k) {
            return s_.island.nodes[k].is_dynamic ? pose(k).position : s_.island.nodes[k].pose.position;
        });
}

}  // namespace impuls::impulse
