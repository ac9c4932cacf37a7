// Grains taken over from another world, or read from a checkpoint (state.h).
#include <cmath>

#include "granular/coupling/state.h"
#include "impuls/errors.h"

namespace impuls::granular {

GrainState::GrainState() = default;
GrainState::GrainState(const GrainState&) = default;
GrainState::GrainState(GrainState&&) noexcept = default;
GrainState& GrainState::operator=(const GrainState&) = default;
GrainState& GrainState::operator=(GrainState&&) noexcept = default;
GrainState::~GrainState() = default;

void carry_grains(const GrainState& from, GrainState& to) {
    if (from.is_any() != to.is_any() || from.made.size() != to.made.size() ||
        from.system.kinds.size() != to.system.kinds.size() ||
        from.system.obstacles.size() != to.system.obstacles.size())
        throw InputError("a branch goes on with the grains and the walls that there are");
    to.made = from.made;
    to.system.grains = from.system.grains;
    to.system.pairs = from.system.pairs;
    to.system.has_forces = from.system.has_forces;
    to.system.bodies = from.system.bodies;
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
            if (pair.patch == kNoPatch) continue;
            if (pair.patch >= p.patches.size() || is_used[pair.patch]++) return "a patch";
        }
    for (const std::uint32_t patch : p.unused)
        if (patch >= p.patches.size() || is_used[patch]++) return "a patch";
    return state.substep > 0 && std::isfinite(state.substep) ? "" : "substep of grains";
}

}  // namespace impuls::granular
