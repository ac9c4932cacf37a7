// A substep of self-collision, in reading order (self_collision.h).
#include "deformable/self/self_collision.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "impuls/errors.h"

namespace impuls::deformable {
namespace {

constexpr double kLeastBudget = 0.25;  // of the thickness
constexpr double kAhead = 8;           // substeps that budgets are made for, at the present rate
constexpr double kCertified = 0.1;     // of the thickness: least gap that a certificate asks for
constexpr int kRounds = 30;            // of zones, before the whole body takes one displacement

}  // namespace

SelfCollision::SelfCollision(const Surface& surface, std::size_t nodes, const SelfSettings& settings)
    : surface_(&surface),
      settings_(settings),
      pairs_(surface),
      reference_(nodes),
      budget_(nodes),
      parent_(nodes),
      zone_move_(nodes),
      zone_mass_(nodes) {
    if (!(settings.thickness > 0)) throw InputError("self-collision needs a positive thickness");
}

Vec3 SelfCollision::mean_motion(const Columns& from, const Columns& to) const {
    Vec3 sum{};
    for (const std::uint32_t i : surface_->nodes) sum += to.at(i) - from.at(i);
    return sum * (1 / static_cast<double>(surface_->nodes.size()));
}

void SelfCollision::detect_where_needed(const Substep& s) {
    if (is_found_) {
        const Vec3 mean = mean_motion(reference_, s.p);
        if (std::none_of(surface_->nodes.begin(), surface_->nodes.end(), [&](std::uint32_t i) {
                return length_squared(s.p.at(i) - reference_.at(i) - mean) > budget_[i] * budget_[i];
            }))
            return;
    }
    const Vec3 mean = mean_motion(s.x, s.p);
    for (const std::uint32_t i : surface_->nodes)
        budget_[i] = kLeastBudget * settings_.thickness + 1.3 * kAhead * length(s.p.at(i) - s.x.at(i) - mean);
    pairs_.find(s.x, budget_, settings_.thickness);
    reference_ = s.x;
    is_found_ = true;
    ++detections_;
}

void SelfCollision::solve_rows(const Substep& s) {
    const auto list = pairs_.list();
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Separation& at = at_start_[k];
        if (!(at.d > 0)) continue;
        const auto& node = list[k].node;
        const double thickness = settings_.thickness * (list[k].is_edges ? 0.5 : 1.0);
        const double target =
            at.d >= thickness ? thickness : std::min(thickness, at.d + settings_.recovery * s.h);
        Vec3 now{}, before{};
        double mass = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            now += s.p.at(node[i]) * at.weight[i];
            before += s.x.at(node[i]) * at.weight[i];
            mass += at.weight[i] * at.weight[i] * s.k[node[i]];
        }
        const double gap = dot(at.n, now);
        if (!(gap < target) || !(mass > 0)) continue;
        const double lambda = (target - gap) / mass;
        Vec3 push = at.n * lambda;
        const Vec3 slip = now + push * mass - before, t = slip - at.n * dot(at.n, slip);
        const double size = length(t);
        if (size > 0) push -= t * (std::min(settings_.friction * lambda, size / mass) / size);
        for (std::size_t i = 0; i < 4; ++i) s.p.add(node[i], push * (s.k[node[i]] * at.weight[i]));
    }
}

bool SelfCollision::is_certified(const Substep& s, std::size_t k) const {
    const SelfPair& pair = pairs_.list()[k];
    const Separation& at = at_start_[k];
    const double least = std::min(kCertified * settings_.thickness, 0.5 * at.d);
    if (!(at.d > 0)) return false;
    if (gap_along(s.p, pair, at.n) >= least) return true;
    const Separation end = separation_of(s.p, pair);
    if (!(end.d > 0)) return false;
    const auto separates = [&](const Vec3& n) {
        return gap_along(s.x, pair, n) > 0 && gap_along(s.p, pair, n) >= least;
    };
    return separates(end.n) || separates(normalized(at.n + end.n));
}

std::uint32_t SelfCollision::root_of(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
}

// Unites the nodes of pairs that fail; true when there were some.
bool SelfCollision::close_zones(const Substep& s) {
    bool has_failed = false;
    for (std::size_t k = 0; k < pairs_.list().size(); ++k) {
        if (is_certified(s, k)) continue;
        has_failed = true;
        const auto& node = pairs_.list()[k].node;
        for (const std::uint32_t i : node) zone_nodes_.push_back(i);
        for (std::size_t i = 1; i < 4; ++i) {
            const std::uint32_t a = root_of(node[0]), b = root_of(node[i]);
            parent_[std::max(a, b)] = std::min(a, b);
        }
    }
    return has_failed;
}

// Each zone moves by one displacement, the mean by mass; what does not move by forces decides.
void SelfCollision::move_zones(const Substep& s) {
    std::sort(zone_nodes_.begin(), zone_nodes_.end());
    zone_nodes_.erase(std::unique(zone_nodes_.begin(), zone_nodes_.end()), zone_nodes_.end());
    for (const std::uint32_t i : zone_nodes_) zone_move_[i] = {}, zone_mass_[i] = 0;
    for (const bool is_fixed : {true, false})
        for (const std::uint32_t i : zone_nodes_) {
            if ((s.k[i] > 0) == is_fixed) continue;
            const std::uint32_t root = root_of(i);
            if (!is_fixed && zone_mass_[root] < 0) continue;
            const double mass = is_fixed ? -1 : 1 / s.k[i];  // negative: decided
            zone_move_[root] += (s.p.at(i) - s.x.at(i)) * std::fabs(mass);
            zone_mass_[root] += mass;
        }
    for (const std::uint32_t i : zone_nodes_) {
        const std::uint32_t root = root_of(i);
        if (s.k[i] > 0) s.p.set(i, s.x.at(i) + zone_move_[root] * (1 / std::fabs(zone_mass_[root])));
    }
}

void SelfCollision::solve(const Substep& s) {
    detect_where_needed(s);
    const auto list = pairs_.list();
    at_start_.resize(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) at_start_[k] = separation_of(s.x, list[k]);
    for (int sweep = 0; sweep < settings_.sweeps; ++sweep) solve_rows(s);
    // Rows may have brought nodes out of their budgets: what is listed must cover what may meet.
    detect_where_needed(s);
    if (at_start_.size() != pairs_.list().size() || list.data() != pairs_.list().data()) {
        at_start_.resize(pairs_.list().size());
        for (std::size_t k = 0; k < pairs_.list().size(); ++k)
            at_start_[k] = separation_of(s.x, pairs_.list()[k]);
    }
    std::iota(parent_.begin(), parent_.end(), 0u);
    zone_nodes_.clear();
    int rounds = 0;
    for (; rounds < kRounds && close_zones(s); ++rounds) move_zones(s);
    zone_substeps_ += rounds > 0;
    if (rounds < kRounds) return;
    const Vec3 mean = mean_motion(s.x, s.p);
    for (const std::uint32_t i : surface_->nodes)
        if (s.k[i] > 0) s.p.set(i, s.x.at(i) + mean);
}

}  // namespace impuls::deformable
