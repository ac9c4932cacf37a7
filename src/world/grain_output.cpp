// What frames tell of grains, and whether grains that were read are sound (grain_state.h).
#include <algorithm>
#include <cmath>

#include "world/state.h"

namespace impuls {
namespace {

using namespace granular;

// By grain: contacts, and the deepest overlap over the smaller one's diameter.
struct Touches {
    std::vector<double> count{}, deepest{};
};
Touches touches_of(const System& s) {
    Touches out;
    out.count.assign(s.grains.count(), 0), out.deepest.assign(s.grains.count(), 0);
    const auto radius = [&](std::size_t k) {
        return s.kinds[s.grains.kind[k]].shape.radius * s.grains.size[k];
    };
    for (std::size_t k = 0; k + 1 < s.pairs.first.size(); ++k)
        for (std::uint32_t p = s.pairs.first[k]; p < s.pairs.first[k + 1]; ++p) {
            const NearPair& pair = s.pairs.near[p];
            if (pair.patch == granular::kNoPatch) continue;
            const bool is_wall = (pair.b & kObstacle) != 0;
            const double r = is_wall ? radius(k) : std::min(radius(k), radius(pair.b));
            const double depth = static_cast<double>(s.pairs.patches[pair.patch].depth) / (2 * r);
            out.count[k] += 1, out.deepest[k] = std::max(out.deepest[k], depth);
            if (!is_wall) out.count[pair.b] += 1, out.deepest[pair.b] = std::max(out.deepest[pair.b], depth);
        }
    return out;
}

}  // namespace

GrainState::GrainState() = default;
GrainState::GrainState(const GrainState&) = default;
GrainState::GrainState(GrainState&&) noexcept = default;
GrainState& GrainState::operator=(const GrainState&) = default;
GrainState& GrainState::operator=(GrainState&&) noexcept = default;
GrainState::~GrainState() = default;

void fill_grains(const WorldState& s, ColumnGroup& group) {
    const System& system = s.grains.system;
    const Grains& g = system.grains;
    group.resize(g.count());
    const Touches touches = touches_of(system);
    const auto x = group.column(std::size_t{0}), q = group.column(1), v = group.column(2),
               w = group.column(3), size = group.column(4), kind = group.column(5), set = group.column(6),
               contacts = group.column(7), overlap = group.column(8), energy = group.column(9);
    for (std::size_t k = 0; k < g.count(); ++k) {
        for (int i = 0; i < 3; ++i) {
            const std::size_t at = 3 * k + static_cast<std::size_t>(i);
            x[at] = g.x[k][i], v[at] = g.v[k][i], w[at] = g.w[k][i];
        }
        q[4 * k] = g.q[k].w, q[4 * k + 1] = g.q[k].x, q[4 * k + 2] = g.q[k].y, q[4 * k + 3] = g.q[k].z;
        size[k] = g.size[k], kind[k] = g.kind[k], set[k] = g.group[k];
        contacts[k] = k < touches.count.size() ? touches.count[k] : 0, overlap[k] = touches.deepest[k];
        energy[k] = mass_of(system.kinds[g.kind[k]], g.size[k]) * dot(g.v[k], g.v[k]) / 2 +
                    dot(g.w[k], g.spin[k]) / 2;
    }
}

void fill_walls(const WorldState& s, ColumnGroup& group) {
    group.resize(s.grains.uids.size());
    for (std::size_t b = 0; b < s.grains.uids.size(); ++b) {
        const auto at = std::lower_bound(s.bodies.uid.begin(), s.bodies.uid.end(), s.grains.uids[b]);
        group.set("body", b, static_cast<double>(at - s.bodies.uid.begin()));
        group.set("force", b, s.grains.system.bodies[b].force);
        group.set("torque", b, s.grains.system.bodies[b].torque);
    }
}

// Springs of contacts count as potential energy.
void add_grain_totals(const WorldState& s, FrameTotals& totals) {
    const System& system = s.grains.system;
    const Grains& g = system.grains;
    for (std::size_t k = 0; k < g.count(); ++k) {
        const double m = mass_of(system.kinds[g.kind[k]], g.size[k]);
        totals.energy.kinetic += m * dot(g.v[k], g.v[k]) / 2 + dot(g.w[k], g.spin[k]) / 2;
        totals.energy.potential -= m * dot(s.gravity, g.x[k]);
        totals.linear_momentum += g.v[k] * m;
        totals.angular_momentum += cross(g.x[k], g.v[k] * m) + g.spin[k];
    }
    totals.energy.potential += system.notes.energy;
    totals.energy.total = totals.energy.kinetic + totals.energy.potential;
}

std::string damage_of(const GrainState& state) {
    const System& s = state.system;
    const Grains& g = s.grains;
    const std::size_t n = g.count();
    for (const std::size_t count :
         {g.v.size(), g.q.size(), g.spin.size(), g.w.size(), g.force.size(), g.torque.size(), g.listed.size(),
          g.size.size(), g.kind.size(), g.group.size()})
        if (count != n) return "columns of grains";
    for (std::size_t k = 0; k < n; ++k)
        if (g.kind[k] >= s.kinds.size() || g.group[k] >= state.made.size() || !is_finite(g.x[k]) ||
            !is_finite(g.v[k]) || !is_finite(g.q[k]) || !(g.size[k] > 0) || !(g.size[k] < 1e100))
            return "a grain";
    if (s.gear.size() > n) return "values of the integrator";
    const Pairs& p = s.pairs;
    if (p.first.size() != n + 1 && (p.is_current || !p.first.empty() || !p.near.empty())) {
        if (p.is_current || p.first.size() > n + 1 || p.first.empty()) return "neighbours of grains";
    }
    for (std::size_t k = 0; k < p.first.size(); ++k)
        if (p.first[k] > p.near.size() || (k > 0 && p.first[k] < p.first[k - 1]))
            return "neighbours of grains";
    if (p.first.empty() ? !p.near.empty() : p.first.back() != p.near.size() || p.first.front() != 0)
        return "neighbours of grains";
    std::vector<std::uint8_t> is_used(p.patches.size(), 0);
    for (std::size_t a = 0; a + 1 < p.first.size(); ++a)
        for (std::uint32_t k = p.first[a]; k < p.first[a + 1]; ++k) {
            const NearPair& pair = p.near[k];
            const bool is_wall = (pair.b & kObstacle) != 0;
            if (is_wall ? (pair.b & ~kObstacle) >= s.obstacles.size() : pair.b >= n || pair.b <= a)
                return "a pair";
            const GrainShape& shape_a = s.kinds[g.kind[a]].shape;
            const GrainShape& shape_b =
                is_wall ? s.obstacles[pair.b & ~kObstacle].shape : s.kinds[g.kind[pair.b]].shape;
            if (pair.axis.support_a > 0 && pair.axis.support_a >= shape_a.view.vertices.size())
                return "a pair";
            if (pair.axis.support_b > 0 && pair.axis.support_b >= shape_b.view.vertices.size())
                return "a pair";
            if (pair.patch == granular::kNoPatch) continue;
            if (pair.patch >= p.patches.size() || is_used[pair.patch]++) return "a patch";
        }
    for (const std::uint32_t patch : p.unused)
        if (patch >= p.patches.size() || is_used[patch]++) return "a patch";
    return state.substep > 0 && std::isfinite(state.substep) ? "" : "substep of grains";
}

}  // namespace impuls
