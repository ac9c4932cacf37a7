// Impacts that leave bodies deep in each other, taken again with shorter substeps.
//
// Contacts are allowed at the end of a substep as far as they are linear in it. A body that is struck off its
// centre at the speed u turns by about u h / r in the rest of the substep, which puts its points off by
// (u h)^2 / r, and again in each substep while it tumbles over the other. Halving h quarters that. Nothing is
// pushed apart, so momenta are as exact as ever. Called by step_impulse.cpp.
// Pairs of a distance field do not count: their depths jump with the samples that touch.
#include <algorithm>

#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kDeeper = 0.002;  // of a pair's size, in one substep: twice the slop
constexpr double kFastWay = 0.01;  // of a body's radius, in one substep: below, no impact gets that deep

}  // namespace

void IslandWork::measure_depths(std::vector<double>& out) const {
    out.assign(pairs_.size(), 0);
    for (std::size_t k = 0; k < points_.size(); ++k)
        if (points_[k].is_present) {
            double& depth = out[point_pair_[k]];
            depth = std::max(depth, -points_[k].separation);
        }
}

bool IslandWork::remember(double h) {
    bool is_fast = false;
    for (std::size_t k = 0; k < dynamic_count_ && !is_fast; ++k) {
        const double radius = world_->bodies.radius[nodes_[k].body];
        is_fast =
            h * (length(problem_.nodes.v[k]) + radius * length(problem_.nodes.w[k])) > kFastWay * radius;
    }
    if (!is_fast) return false;
    measure_depths(memory_.depths);
    remember_bodies();
    return true;
}

void IslandWork::remember_bodies() {
    Memory& m = memory_;
    m.nodes = nodes_, m.v = problem_.nodes.v, m.w = problem_.nodes.w;
    m.points = points_, m.point_pair = point_pair_;
    m.margins.clear();
    for (const PairWork& pair : pairs_) m.margins.push_back(pair.margin);
}

bool IslandWork::got_deep() {
    measure_depths(depths_);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const PairWork& pair = pairs_[p];
        const double before = memory_.depths[p];
        if (pair.collider_a->field || pair.collider_b->field || before > kOverlap * pair.law.size) continue;
        if (depths_[p] - before > kDeeper * pair.law.size) return true;
    }
    return false;
}

void IslandWork::recall() {
    const Memory& m = memory_;
    nodes_ = m.nodes, problem_.nodes.v = m.v, problem_.nodes.w = m.w;
    points_ = m.points, point_pair_ = m.point_pair;
    for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].margin = m.margins[p];
    update_inertia();
}

}  // namespace impuls
