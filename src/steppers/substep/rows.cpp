// Rows of a substep's solves (rows.h).
#include "steppers/substep/rows.h"

#include <algorithm>
#include <cmath>

#include "steppers/substep/contacts.h"
#include "steppers/substep/faces.h"
#include "steppers/substep/tuning.h"

namespace impuls::substep {
namespace {

// Several points resist spinning by their friction; a single one stands for a small patch.
bool is_single(const ContactWork& c, std::size_t k) {
    return (k == 0 || c.point_pair[k - 1] != c.point_pair[k]) &&
           (k + 1 == c.points.size() || c.point_pair[k + 1] != c.point_pair[k] ||
            !c.points[k + 1].is_present);
}

// Whether the velocity phase solves for a point: it touches, or pushed in the displacement phase.
bool is_touching(const Substep& s, std::size_t k) {
    const SubstepPoint& point = s.contacts.points[k];
    if (point.impulse_n != 0) return true;
    const IslandPair& pair = pair_of(s, k);
    return !(pair.law->compliance > 0 || point.separation > kTouching * pair.size);
}

// What of a vector is along t1, t2 and n of a row.
Vec3 along_row(const ContactRows& rows, std::size_t r, const Vec3& v) {
    return {dot(v, rows.t1[r]), dot(v, rows.t2[r]), dot(v, rows.n[r])};
}

// The vector with these components along t1, t2 and n of a row.
Vec3 from_row(const ContactRows& rows, std::size_t r, const Vec3& v) {
    return rows.t1[r] * v.x + rows.t2[r] * v.y + rows.n[r] * v.z;
}

}  // namespace

void add_contact_row(Substep& s, std::size_t k) {
    const SubstepPoint& point = s.contacts.points[k];
    const IslandPair& pair = pair_of(s, k);
    ContactRows& rows = s.problem.contacts;
    const auto lever = [&](std::uint32_t node) {  // where the touch is to be, as seen from the body then
        return point.position - s.island.nodes[node].pose.position - s.problem.nodes.v[node] * point.lead;
    };
    const auto r = add_row(s, pair, point, lever(pair.a), lever(pair.b));
    rows.friction[r] = point.grip * (point.is_sliding ? pair.law->friction : pair.law->static_friction);
    rows.shift[r] = point.shift;
    if (s.island.nodes[pair.a].has_surface || s.island.nodes[pair.b].has_surface) {
        const Vec3 surface = surface_velocity(s, pair.b) - surface_velocity(s, pair.a);
        rows.bias_1[r] = dot(surface, rows.t1[r]);
        rows.bias_2[r] = dot(surface, rows.t2[r]);
    }
    if (s.island.nodes[pair.a].is_particle() || s.island.nodes[pair.b].is_particle()) {
        s.contacts.row_point.push_back(static_cast<std::uint32_t>(k));
        return;  // a particle bears no torque
    }
    rows.rolling[r] = pair.law->rolling;
    if (is_single(s.contacts, k)) rows.torsion[r] = pair.law->torsion;
    s.contacts.row_point.push_back(static_cast<std::uint32_t>(k));
}

void make_contact_rows(Substep& s, Points which, bool is_backward) {
    ContactRows& rows = s.problem.contacts;
    rows.clear();
    s.contacts.row_point.clear();
    const double warm =
        0.5 * s.stretch * s.view.method.rows().warm_start;  // each of the two phases gives half
    const std::size_t count = s.contacts.points.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = is_backward ? count - 1 - i : i;
        const SubstepPoint& point = s.contacts.points[k];
        if (!point.is_present || s.contacts.is_late[k]) continue;
        if (which == Points::Touching && !is_touching(s, k)) continue;
        add_contact_row(s, k);
        const std::size_t r = rows.size() - 1;
        rows.is_given[r] = which == Points::Touching && pair_of(s, k).law->compliance > 0;
        rows.impulse_n[r] = point.impulse_n;
        rows.least[r] = point.least_n;
        rows.impulse_1[r] = dot(point.impulse_t, rows.t1[r]);
        rows.impulse_2[r] = dot(point.impulse_t, rows.t2[r]);
        rows.guess_n[r] = warm * point.previous_n;
        rows.guess_1[r] = warm * dot(point.previous_t, rows.t1[r]);
        rows.guess_2[r] = warm * dot(point.previous_t, rows.t2[r]);
        if (rows.is_given[r]) rows.guess_n[r] = point.impulse_n;  // as much again
        if (!rows.resists_turning(r)) continue;
        rows.torque_impulse[r] = along_row(rows, r, point.torque_impulse);
        rows.torque_guess[r] = along_row(rows, r, point.previous_torque) * warm;
    }
}

void take_contact_impulses(Substep& s) {
    const ContactRows& rows = s.problem.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        const double carried_1 = dot(point.impulse_t, rows.t1[r]),
                     carried_2 = dot(point.impulse_t, rows.t2[r]);
        point.sum += rows.n[r] * (rows.impulse_n[r] - point.impulse_n) +
                     rows.t1[r] * (rows.impulse_1[r] - carried_1) +
                     rows.t2[r] * (rows.impulse_2[r] - carried_2);
        point.impulse_n = rows.impulse_n[r];
        point.impulse_t = rows.t1[r] * rows.impulse_1[r] + rows.t2[r] * rows.impulse_2[r];
        point.torque_impulse = from_row(rows, r, rows.torque_impulse[r]);
        if (!(point.impulse_n > 0)) continue;
        for (const std::uint32_t side : {rows.a[r], rows.b[r]}) {
            if (side < kMixedSide) s.nodes[side].is_held = true;
            if (side >= kMixedSide)
                for (const SidePart& part : rows.parts_of(side)) s.nodes[part.node].is_held = true;
        }
    }
}

void clear_guesses(Problem& problem) {
    ContactRows& c = problem.contacts;
    for (auto* guess : {&c.guess_n, &c.guess_1, &c.guess_2}) std::fill(guess->begin(), guess->end(), 0.0);
    std::fill(c.torque_guess.begin(), c.torque_guess.end(), Vec3{});
    for (Row& row : problem.rows.rows) row.guess = 0;
}

JointRows rows_for(Substep& s, const IslandJoint& joint, Rows& rows, double h, Phase phase) {
    JointRows out{rows, joint.a, joint.b, joint.c, phase, h};
    const std::size_t angles = s.view.joints.angle.of(joint.joint).size();
    out.angles = std::span(s.island.memory.angles).subspan(joint.first_angle, angles);
    out.nodes = &s.problem.nodes;
    out.size = joint.size;
    const double ahead = std::min(h, s.view.dt);  // projections work with a time of 1
    out.when.middle = s.view.time + s.elapsed + 0.5 * ahead;
    out.when.end = s.view.time + s.elapsed + ahead;
    return out;
}

void note_node_starts(Substep& s) {
    s.joints.node_starts.clear();
    for (std::size_t k = 0; k < s.nodes.size(); ++k) {
        const IslandNode& node = s.island.nodes[k];
        s.joints.node_starts.push_back({s.nodes[k].start_v, s.nodes[k].start_w, node.acceleration,
                                        s.problem.nodes.inv_inertia[k] * node.torque});
    }
}

void take_joint_impulses(Substep& s) {
    const Rows& rows = s.problem.rows;
    for (std::size_t k = 0; k < s.island.joints.size(); ++k) {
        const IslandJoint& joint = s.island.joints[k];
        const auto g = geometry_of(s.view.joints, joint.joint, s.island.joint_poses(joint));
        for (std::size_t r = joint.first_row; r < s.island.row_end(k); ++r) {
            const double impulse = rows.rows[r].impulse - s.joints.carried[r];
            add_reaction(rows, rows.rows[r], impulse, joint.b, g.rb, s.island.memory.reactions[k]);
            // Axes are numbered through the whole island.
            const auto axis = s.joints.axis_log.row_axis[r];
            if (axis != 0)
                s.island.memory.axis_impulses[static_cast<std::size_t>(std::abs(axis)) - 1] +=
                    axis > 0 ? impulse : -impulse;
        }
    }
}

void hold_nodes(Substep& s, const IslandJoint& joint) {
    for (const std::uint32_t node : {joint.a, joint.b, joint.c}) s.nodes[node].is_held = true;
}

// Small islands can afford to converge: sweeps are added as long as the work stays below kRowBudget rows.
int sweeps_for(const Substep& s, std::size_t items) {
    const std::size_t affordable =
        std::min<std::size_t>(kMostSweeps, kRowBudget / std::max<std::size_t>(1, 3 * items));
    return std::max(static_cast<int>(affordable), static_cast<int>(s.view.method.rows().iterations));
}

SolveSettings solve_settings(const Substep& s, double h) {
    double scale = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k)
        scale = std::max(scale, length(s.nodes[k].start_v) + h * s.island.nodes[k].pull);
    return {sweeps_for(s, s.problem.contacts.size() + s.island.joints.size()), kSweepTolerance * scale, scale,
            s.view.stop};
}

}  // namespace impuls::substep
