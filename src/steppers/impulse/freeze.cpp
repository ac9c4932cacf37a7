// Stack freezing (freeze.h).
#include "steppers/impulse/freeze.h"

#include <algorithm>

#include "steppers/substep/contacts.h"
#include "steppers/substep/layers.h"
#include "steppers/substep/links.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

constexpr std::uint32_t kNoRow = ~0u;

// The rows of the problem that belong to a layer's edges.
void take_layer(Impulse& s, std::size_t layer) {
    const LayerWork& w = s.layers;
    FreezeWork& f = s.freeze;
    f.part.contacts.clear();
    f.part.rows.clear();
    f.part.contacts.friction_set = s.problem.contacts.friction_set;
    f.part_contacts.clear();
    f.part_blocks.clear();
    const auto& first_block = s.joints.first_block;
    for (const auto edge : w.edges_of(layer)) {
        const auto item = w.items[edge];
        if (edge < w.pair_edges) {
            for (auto point = w.point_start[item]; point < w.point_start[item + 1]; ++point)
                if (f.row_of_point[point] != kNoRow) f.part_contacts.push_back(f.row_of_point[point]);
        } else {
            const std::size_t end =
                item + 1 < first_block.size() ? first_block[item + 1] : s.joints.end_block;
            for (std::uint32_t b = first_block[item]; b < end; ++b) f.part_blocks.push_back(b);
        }
    }
    for (const auto r : f.part_contacts) f.part.contacts.add(s.problem.contacts, r);
    for (const auto b : f.part_blocks) f.part.rows.add(s.problem.rows, b);
}

void give_layer(Impulse& s) {
    FreezeWork& f = s.freeze;
    const ContactRows& from = f.part.contacts;
    ContactRows& to = s.problem.contacts;
    for (std::size_t k = 0; k < from.size(); ++k) {
        const auto r = f.part_contacts[k];
        s.contacts.points[s.contacts.row_point[r]].frozen +=
            to.n[r] * (from.impulse_n[k] - to.impulse_n[r]) +
            to.t1[r] * (from.impulse_1[k] - to.impulse_1[r]) +
            to.t2[r] * (from.impulse_2[k] - to.impulse_2[r]);
        to.impulse_n[r] = from.impulse_n[k];
        to.impulse_1[r] = from.impulse_1[k];
        to.impulse_2[r] = from.impulse_2[k];
        to.torque_impulse[r] = from.torque_impulse[k];
    }
    const Row* row = f.part.rows.rows.data();
    for (const auto b : f.part_blocks)
        for (Row& own : s.problem.rows.rows_of(s.problem.rows.blocks[b])) {
            f.frozen_rows[static_cast<std::size_t>(&own - s.problem.rows.rows.data())] +=
                row->impulse - own.impulse;
            own.impulse = (row++)->impulse;
        }
}

// Pairs that leave with a part of the speed they came with: what that is worth is known only where both were
// pushed.
bool has_rebounds(const Impulse& s, double h) {
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r) {
        const std::size_t k = s.contacts.row_point[r];
        const IslandPair& pair = pair_of(s, k);
        if (s.problem.contacts.impulse_n[r] > 0 && pair.law->restitution > 0 &&
            s.contacts.points[k].approach > rest_speed(s, pair, h))
            return true;
    }
    return false;
}

}  // namespace

void forget_frozen(Impulse& s) {
    if (s.view.method.rattle().shock == Switch::Off || has_links(s)) return;
    for (SubstepPoint& point : s.contacts.points) {
        const double n = dot(point.frozen, point.normal);
        point.previous_n = std::max(0.0, point.previous_n - n / s.stretch);
        point.previous_t -= (point.frozen - point.normal * n) / s.stretch;
    }
    for (std::size_t r = 0; r < s.freeze.frozen_rows.size(); ++r)
        if (s.joints.approach[r] == 0) s.island.memory.impulses[r] -= s.freeze.frozen_rows[r] / s.stretch;
}

void freeze_stacks(Impulse& s, double h, Phase phase) {
    if (s.view.method.rattle().shock == Switch::Off || has_links(s)) return;
    FreezeWork& f = s.freeze;
    if (phase == Phase::Displacement) f.frozen_rows.assign(s.problem.rows.rows.size(), 0);
    if (phase == Phase::Displacement && has_rebounds(s, h)) return;
    list_edges(s);
    find_layers(s);
    if (s.layers.layers.size() < 2) return;
    f.row_of_point.assign(s.contacts.points.size(), kNoRow);
    for (std::uint32_t r = 0; r < s.contacts.row_point.size(); ++r)
        f.row_of_point[s.contacts.row_point[r]] = r;
    SolveSettings settings = solve_settings(s, h);
    for (std::size_t layer = 0; layer < s.layers.layers.size(); ++layer) {
        take_layer(s, layer);
        settings.iterations = sweeps_for(s, f.part.contacts.size() + f.part.rows.blocks.size());
        hold_lower(s, layer);
        std::swap(f.part.nodes, s.problem.nodes);
        s.solve(f.part, settings);
        std::swap(f.part.nodes, s.problem.nodes);
        release_lower(s);
        give_layer(s);
    }
}

}  // namespace impuls::impulse
