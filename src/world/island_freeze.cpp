// Stack freezing (Bender 2014, 3.1.2.1 and 3.6.1, after Guendelman, Bridson, Fedkiw 2003), with `shock` under
// the impulse stepper: after the sweeps over all of an island, its layers are solved once more from the
// ground up, each with the bodies below it frozen: no inverse mass, the velocity just found for them. A layer
// goes on from the impulses that the sweeps gave, so what they have solved stays as it is; what they could
// not carry down a stack is given by the frozen bodies instead. Friction, limits and the clamp to pushing see
// the sum. Both phases of a substep do it (step_impulse.cpp), so stacks keep their height; what is above is
// not felt below but by the sweeps.
#include <algorithm>

#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {
constexpr std::uint32_t kNoRow = ~0u;
}  // namespace

// The rows of the problem that belong to a layer's edges.
void IslandWork::take_layer(std::size_t layer) {
    StackWork& s = stack_;
    s.part.contacts.clear(), s.part.rows.clear();
    s.part.contacts.friction_set = problem_.contacts.friction_set;
    s.part_contacts.clear(), s.part_blocks.clear();
    for (auto k = s.layers.edge_start[layer]; k < s.layers.edge_start[layer + 1]; ++k) {
        const auto edge = s.layers.edges[k];
        const auto item = s.items[edge];
        if (edge < s.pair_edges) {
            for (auto point = s.point_start[item]; point < s.point_start[item + 1]; ++point)
                if (s.row_of_point[point] != kNoRow) s.part_contacts.push_back(s.row_of_point[point]);
        } else {
            const std::size_t end =
                item + 1 < joints_.size() ? joints_[item + 1].first_block : problem_.rows.blocks.size();
            for (std::uint32_t b = joints_[item].first_block; b < end; ++b) s.part_blocks.push_back(b);
        }
    }
    for (const auto r : s.part_contacts) s.part.contacts.add(problem_.contacts, r);
    for (const auto b : s.part_blocks) s.part.rows.add(problem_.rows, b);
}

void IslandWork::give_layer() {
    const ContactRows& from = stack_.part.contacts;
    ContactRows& to = problem_.contacts;
    for (std::size_t k = 0; k < from.size(); ++k) {
        const auto r = stack_.part_contacts[k];
        points_[row_point_[r]].frozen += to.n[r] * (from.impulse_n[k] - to.impulse_n[r]) +
                                         to.t1[r] * (from.impulse_1[k] - to.impulse_1[r]) +
                                         to.t2[r] * (from.impulse_2[k] - to.impulse_2[r]);
        to.impulse_n[r] = from.impulse_n[k];
        to.impulse_1[r] = from.impulse_1[k], to.impulse_2[r] = from.impulse_2[k];
        to.torque_impulse[r] = from.torque_impulse[k];
    }
    const Row* row = stack_.part.rows.rows.data();
    for (const auto b : stack_.part_blocks)
        for (Row& own : problem_.rows.rows_of(problem_.rows.blocks[b])) {
            stack_.frozen_rows[static_cast<std::size_t>(&own - problem_.rows.rows.data())] +=
                row->impulse - own.impulse;
            own.impulse = (row++)->impulse;
        }
}

// The next substep's sweeps begin from what sweeps found alone: bodies below would feel the rest a substep
// too late, and a delay between push and push back makes stacks sway more and more.
void IslandWork::forget_frozen() {
    if (world_->method.shock == Switch::Off) return;
    for (SubstepPoint& point : points_) {
        if (point.is_hit) continue;
        const double n = dot(point.frozen, point.normal);
        point.previous_n = std::max(0.0, point.previous_n - n / stretch_);
        point.previous_t -= (point.frozen - point.normal * n) / stretch_;
    }
    for (std::size_t r = 0; r < stack_.frozen_rows.size(); ++r)
        if (joint_approach_[r] == 0) joint_previous_[r] -= stack_.frozen_rows[r] / stretch_;
}

// Pairs that leave with a part of the speed they came with: what that is worth is known only where both were
// pushed.
bool IslandWork::has_rebounds(double h) const {
    for (std::size_t r = 0; r < problem_.contacts.size(); ++r) {
        const SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        if (problem_.contacts.impulse_n[r] > 0 && pair.law.restitution > 0 &&
            point.approach > threshold(pair, h))
            return true;
    }
    return false;
}

void IslandWork::freeze_stacks(double h, Phase phase) {
    if (world_->method.shock == Switch::Off) return;
    StackWork& s = stack_;
    if (phase == Phase::Displacement) s.frozen_rows.assign(problem_.rows.rows.size(), 0);
    if (phase == Phase::Displacement && has_rebounds(h)) return;
    list_edges();
    find_layers();
    if (s.layers.size() < 2) return;
    s.row_of_point.assign(points_.size(), kNoRow);
    for (std::uint32_t r = 0; r < row_point_.size(); ++r) s.row_of_point[row_point_[r]] = r;
    SolveSettings settings = solve_settings(h);
    for (std::size_t layer = 0; layer < s.layers.size(); ++layer) {
        take_layer(layer);
        settings.iterations = sweeps(s.part.contacts.size() + s.part.rows.blocks.size());
        hold_lower(layer);
        std::swap(s.part.nodes, problem_.nodes);
        solver_->solve(s.part, settings);
        std::swap(s.part.nodes, problem_.nodes);
        release();
        give_layer();
    }
}

}  // namespace impuls
