// Equations of what carries and sticks (active_set.h).
#include "solvers/active_set.h"

#include <algorithm>

#include "base/assert.h"
#include "constraints/contact_side.h"
#include "solvers/tuning.h"

namespace impuls {
namespace {

bool is_sticking(const ContactRows& c, std::size_t k) {
    constexpr double kInside = 1 - 1e-6;
    const double limit = c.friction[k] * c.impulse_n[k];
    return limit > 0 && c.friction_set.contains(kInside * limit, c.impulse_1[k], c.impulse_2[k]);
}

}  // namespace

double& ActiveSet::impulse_of(Problem& problem, const Source& source) {
    auto& c = problem.contacts;
    switch (source.kind) {
        case Kind::Normal:
            return c.impulse_n[source.number];
        case Kind::First:
            return c.impulse_1[source.number];
        case Kind::Second:
            return c.impulse_2[source.number];
        case Kind::Row:
            break;
    }
    return problem.rows.rows[source.number].impulse;
}

bool ActiveSet::suits(const Problem& problem, double speed) {
    using tuning::kStrain;
    const ContactRows& c = problem.contacts;
    if (c.size() + problem.rows.blocks.size() > tuning::kMostPivoted || !(speed > 0)) return false;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const auto [heavy, light] =
            std::minmax({inv_mass_of(problem.nodes, c, c.a[k]), inv_mass_of(problem.nodes, c, c.b[k])});
        if (c.impulse_n[k] * light > kStrain * speed ||
            (c.impulse_n[k] > 0 && heavy > 0 && light > kStrain * heavy))
            return true;
    }
    return false;
}

void ActiveSet::add_contact_row(const Problem& problem, std::uint32_t k, Kind kind, const Vec3& d) {
    using tuning::kActiveRidge;
    const ContactRows& c = problem.contacts;
    const Nodes& nodes = problem.nodes;
    active_.rows.add();
    double diagonal = 0;
    const Vec3 shift = kind == Kind::Normal ? Vec3{} : c.shift[k];
    for_each_part(c, k, [&](std::uint32_t node, double weight, const Vec3& arm) {
        const RowPart part{node, d * weight, cross(arm + shift, d) * weight};
        active_.rows.add_part(part.node, part.linear, part.angular);
        diagonal += coupling_of(nodes, part, part);
    });
    active_.rows.rows.back().compliance =
        kActiveRidge * diagonal + (kind == Kind::Normal ? c.compliance[k] : 0);
    sources_.push_back({kind, k});
}

void ActiveSet::collect(const Problem& problem) {
    active_.nodes = problem.nodes;
    active_.rows.clear();
    sources_.clear();
    for (const Block& block : problem.rows.blocks) {
        active_.rows.begin_block();
        for (std::uint32_t r = block.first_row; r < block.first_row + block.row_count; ++r) {
            const Row& row = problem.rows.rows[r];
            if (row.is_bounded() && (row.impulse <= row.lower || row.impulse >= row.upper)) continue;
            Row& active = active_.rows.add();
            active.compliance = row.compliance;
            active.length = row.length;
            for (const RowPart& part : problem.rows.parts_of(row))
                active_.rows.add_part(part.node, part.linear, part.angular);
            sources_.push_back({Kind::Row, r});
        }
    }
    const ContactRows& c = problem.contacts;
    for (std::uint32_t k = 0; k < c.size(); ++k) {
        const bool is_pushing = !c.is_given[k] && c.impulse_n[k] > c.least[k], sticks = is_sticking(c, k);
        if (!is_pushing && !sticks) continue;
        active_.rows.begin_block();
        if (is_pushing) add_contact_row(problem, k, Kind::Normal, c.n[k]);
        if (!sticks) continue;
        add_contact_row(problem, k, Kind::First, c.t1[k]);
        add_contact_row(problem, k, Kind::Second, c.t2[k]);
    }
}

bool ActiveSet::holds(const Problem& problem) const {
    const ContactRows& c = problem.contacts;
    for (const Source& source : sources_) {
        const auto k = source.number;
        if (source.kind == Kind::Row) {
            const Row& row = problem.rows.rows[k];
            if (row.impulse < row.lower || row.impulse > row.upper) return false;
        } else if (source.kind == Kind::Normal) {
            if (c.impulse_n[k] < c.least[k]) return false;
        } else if (!c.friction_set.contains(c.friction[k] * c.impulse_n[k], c.impulse_1[k], c.impulse_2[k])) {
            return false;
        }
    }
    return true;
}

bool ActiveSet::refine(Problem& problem, double speed) {
    using tuning::kActiveEnough;
    using tuning::kActiveGain;
    using tuning::kActiveNoise;
    using tuning::kActiveRounds;
    collect(problem);
    IMPULS_ASSERT(sources_.size() == active_.rows.rows.size());
    taken_.assign(active_.rows.rows.size(), 0);
    equations_->prepare(active_, taken_);
    double first = 0, lack = 0;
    for (int round = 0; round < kActiveRounds; ++round) {
        set_biases(problem);
        const double before = lack;
        lack = equations_->solve(active_);
        for (std::size_t r = 0; r < sources_.size(); ++r)
            impulse_of(problem, sources_[r]) += active_.rows.rows[r].impulse;
        if (round == 0) first = lack;
        if (round > 0 && (lack <= kActiveEnough * first || lack > 0.5 * before)) break;
    }
    problem.nodes.v = active_.nodes.v, problem.nodes.w = active_.nodes.w;
    // A row may be contradicted by others (a body between two that push): then it does not get
    // less. Four points on a face contradict each other by rounding.
    return lack <= std::max(kActiveGain * first, kActiveNoise * speed) && holds(problem);
}

// Of the rows as they are now, with nothing given yet.
void ActiveSet::set_biases(const Problem& problem) {
    const ContactRows& c = problem.contacts;
    for (std::size_t r = 0; r < sources_.size(); ++r) {
        const auto& [kind, k] = sources_[r];
        Row& row = active_.rows.rows[r];
        row.impulse = 0;
        if (kind == Kind::Row)
            row.bias =
                problem.rows.rows[k].bias + problem.rows.rows[k].compliance * problem.rows.rows[k].impulse;
        else if (kind == Kind::Normal)
            row.bias = c.bias[k] + c.compliance[k] * c.impulse_n[k];
        else
            row.bias = kind == Kind::First ? c.bias_1[k] : c.bias_2[k];
    }
}

}  // namespace impuls
