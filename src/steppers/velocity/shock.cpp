// Shock propagation (shock.h).
#include "steppers/velocity/shock.h"

#include "steppers/substep/layers.h"
#include "steppers/substep/motion.h"
#include "steppers/velocity/solve.h"

namespace impuls::velocity {
namespace {

// Touching points of a layer that bear its upper bodies against their kick: visit(point, body, push) with the
// part of the kick's velocity that the point takes.
template <class Visit>
void for_bearing_points(Velocity& s, std::size_t layer, Visit&& visit) {
    const auto& height = s.layers.layers.height;
    for (const auto e : s.layers.edges_of(layer)) {
        if (e >= s.layers.pair_edges) continue;
        const auto p = s.layers.items[e];
        const IslandPair& pair = s.island.pairs[p];
        if (height[pair.a] == height[pair.b]) continue;
        const bool is_b = height[pair.b] > height[pair.a];
        const auto body = is_b ? pair.b : pair.a;
        const Vec3& kick = s.shock.late_v[body];
        for (auto k = s.layers.point_start[p]; k < s.layers.point_start[p + 1]; ++k) {
            SubstepPoint& point = s.contacts.points[k];
            if (!point.is_present || point.separation > kSlop * pair.size) continue;
            const double push = is_b ? -dot(point.normal, kick) : dot(point.normal, kick);
            if (2 * push > length(kick)) visit(point, body, push);
        }
    }
}

// A body that has come to stand begins with its weight divided equally among the points that bear it. From
// nothing, ten sweeps leave a small rotation, and each layer hands it on enlarged to the next.
void estimate_loads(Velocity& s, std::size_t layer) {
    constexpr std::uint32_t kKnown = 0x80000000u;
    auto& bearing = s.shock.bearing;
    for_bearing_points(s, layer, [&](const SubstepPoint& point, std::uint32_t body, double) {
        ++bearing[body];
        if (point.previous_n > 0) bearing[body] |= kKnown;
    });
    for_bearing_points(s, layer, [&](SubstepPoint& point, std::uint32_t body, double push) {
        if ((bearing[body] & kKnown) == 0)
            point.previous_n = s.view.bodies.mass[s.island.nodes[body].body] * push / bearing[body];
    });
}

// Equation (6.76) for all together with the share f of the forces, then with the rest layer by layer
// (figures 6.56 and 6.60).
void solve_layers(Velocity& s, double h) {
    Nodes& n = s.problem.nodes;
    const double f = s.view.method.velocity().weight;
    find_layers(s);
    s.shock.bearing.assign(s.nodes.size(), 0);
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        if (s.nodes[k].lead > 0) s.shock.late_v[k] = s.shock.late_w[k] = {};
        n.v[k] -= s.shock.late_v[k];
        n.w[k] -= s.shock.late_w[k];
    }
    solve_edges(s, s.layers.all, h, {f, 0, false, true});
    for (std::size_t i = 0; i < s.layers.layers.size(); ++i) {
        for (const auto k : s.layers.upper_of(i)) {
            n.v[k] += s.shock.late_v[k];
            n.w[k] += s.shock.late_w[k];
        }
        estimate_loads(s, i);
        hold_lower(s, i);
        solve_edges(s, s.layers.edges_of(i), h, {1 - f, 1, true, false});
        release_lower(s);
    }
}

}  // namespace

void solve_step(Velocity& s, double h) {
    measure_approaches(s, h);
    list_edges(s);
    s.joints.carried.assign(s.island.memory.impulses.size(), 0);
    if (s.view.method.velocity().shock == Switch::Off)
        solve_edges(s, s.layers.all, h, {1, s.view.method.rows().warm_start, true, true});
    else
        solve_layers(s, h);
    find_hits(s);
    check_finite(s, "forces of contacts and joints");
}

}  // namespace impuls::velocity
