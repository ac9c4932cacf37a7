// What frames tell of grains and of bodies as their walls (state.h).
#include <algorithm>
#include <cmath>

#include "granular/coupling/state.h"

namespace impuls::granular {
namespace {

// By grain: contacts, and the deepest overlap over the smaller one's diameter.
struct Touches {
    std::vector<double> count{}, deepest{};
};
Touches touches_of(const System& s) {
    Touches out;
    out.count.assign(s.grains.count(), 0);
    out.deepest.assign(s.grains.count(), 0);
    const auto radius = [&](std::size_t k) {
        return s.kinds[s.grains.kind[k]].shape.radius * s.grains.size[k];
    };
    for (std::size_t k = 0; k + 1 < s.pairs.first.size(); ++k)
        for (std::uint32_t p = s.pairs.first[k]; p < s.pairs.first[k + 1]; ++p) {
            const NearPair& pair = s.pairs.near[p];
            if (pair.patch == kNoPatch) continue;
            const bool is_wall = (pair.b & kObstacle) != 0;
            const double r = is_wall ? radius(k) : std::min(radius(k), radius(pair.b));
            const double depth = static_cast<double>(s.pairs.patches[pair.patch].depth) / (2 * r);
            const auto add = [&](std::size_t grain) {
                out.count[grain] += 1;
                out.deepest[grain] = std::max(out.deepest[grain], depth);
            };
            add(k);
            if (!is_wall) add(pair.b);
        }
    return out;
}

}  // namespace

void fill_grains(const GrainState& state, ColumnGroup& group) {
    const System& system = state.system;
    const Grains& g = system.grains;
    group.resize(g.count());
    const Touches touches = touches_of(system);
    const auto x = group.column(std::size_t{0}), q = group.column(1), v = group.column(2),
               w = group.column(3), size = group.column(4), kind = group.column(5), set = group.column(6),
               contacts = group.column(7), overlap = group.column(8), energy = group.column(9);
    for (std::size_t k = 0; k < g.count(); ++k) {
        for (int i = 0; i < 3; ++i) {
            const std::size_t at = 3 * k + static_cast<std::size_t>(i);
            x[at] = g.x[k][i];
            v[at] = g.v[k][i];
            w[at] = g.w[k][i];
        }
        q[4 * k] = g.q[k].w;
        q[4 * k + 1] = g.q[k].x;
        q[4 * k + 2] = g.q[k].y;
        q[4 * k + 3] = g.q[k].z;
        size[k] = g.size[k];
        kind[k] = g.kind[k];
        set[k] = g.group[k];
        contacts[k] = touches.count[k];
        overlap[k] = touches.deepest[k];
        energy[k] = mass_of(system.kinds[g.kind[k]], g.size[k]) * dot(g.v[k], g.v[k]) / 2 +
                    dot(g.w[k], g.spin[k]) / 2;
    }
}

void fill_walls(const GrainState& state, const BodySet& bodies, ColumnGroup& group) {
    group.resize(state.uids.size());
    for (std::size_t b = 0; b < state.uids.size(); ++b) {
        const auto at = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), state.uids[b]);
        group.set("body", b, static_cast<double>(at - bodies.uid.begin()));
        group.set("force", b, state.system.bodies[b].force);
        group.set("torque", b, state.system.bodies[b].torque);
    }
}

// Springs of contacts count as potential energy.
void add_grain_totals(const GrainState& state, const Vec3& gravity, FrameTotals& totals) {
    const System& system = state.system;
    const Grains& g = system.grains;
    for (std::size_t k = 0; k < g.count(); ++k) {
        const double m = mass_of(system.kinds[g.kind[k]], g.size[k]);
        totals.energy.kinetic += m * dot(g.v[k], g.v[k]) / 2 + dot(g.w[k], g.spin[k]) / 2;
        totals.energy.potential -= m * dot(gravity, g.x[k]);
        totals.linear_momentum += g.v[k] * m;
        totals.angular_momentum += cross(g.x[k], g.v[k] * m) + g.spin[k];
    }
    totals.energy.potential += system.notes.energy;
    totals.energy.total = totals.energy.kinetic + totals.energy.potential;
}

}  // namespace impuls::granular
