// Shock propagation (Erleben 2005, section 6.4): what a few sweeps cannot carry through a stack is solved
// layer by layer from the ground up, lower bodies held fast. A body held fast keeps the velocity just found
// for it (the text does not say; read as zero, stacks on moving ground and see-saws would be wrong). Each
// body is the upper one of exactly one layer, which gives it the rest of its kick. The solve of a layer goes
// on from that layer's impulses in the last substep: small and hardly changing, it converges while a stack
// stands.
// Impulses of the layers carry one layer's weight each: they are no forces to be read out.
#include <numeric>

#include "world/island.h"
#include "world/state.h"

namespace impuls {

// Edges are pairs with present points, and joints.
void IslandWork::list_edges() {
    StackWork& s = stack_;
    s.edges.clear(), s.items.clear();
    s.point_start.assign(pairs_.size() + 1, 0);
    for (std::size_t k = 0; k < points_.size(); ++k) ++s.point_start[point_pair_[k] + 1];
    for (std::size_t p = 0; p < pairs_.size(); ++p) s.point_start[p + 1] += s.point_start[p];
    for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
        bool is_any = false;
        for (auto k = s.point_start[p]; k < s.point_start[p + 1]; ++k) is_any |= points_[k].is_present;
        if (is_any) s.edges.emplace_back(pairs_[p].a, pairs_[p].b), s.items.push_back(p);
    }
    s.pair_edges = s.edges.size();
    for (std::uint32_t j = 0; j < joints_.size(); ++j)
        s.edges.emplace_back(joints_[j].a, joints_[j].b), s.items.push_back(j);
    s.all.resize(s.edges.size());
    std::iota(s.all.begin(), s.all.end(), 0u);
}

void IslandWork::find_layers() {
    stack_.is_support.assign(nodes_.size(), 0);
    for (std::size_t k = 0; k < nodes_.size(); ++k) stack_.is_support[k] = !nodes_[k].is_dynamic;
    stack_.layers.build(stack_.is_support, stack_.edges);
}

namespace {

std::span<const std::uint32_t> part(const std::vector<std::uint32_t>& items,
                                    const std::vector<std::uint32_t>& start, std::size_t i) {
    return {items.data() + start[i], items.data() + start[i + 1]};
}

}  // namespace

void IslandWork::hold_lower(std::size_t layer) {
    auto& n = problem_.nodes;
    stack_.held.clear();
    for (const auto k : part(stack_.layers.lower, stack_.layers.lower_start, layer)) {
        stack_.held.push_back({k, n.inv_mass[k], n.inv_inertia[k]});
        n.inv_mass[k] = 0, n.inv_inertia[k] = diagonal({});
    }
}

void IslandWork::release() {
    for (const auto& [k, inv_mass, inv_inertia] : stack_.held)
        problem_.nodes.inv_mass[k] = inv_mass, problem_.nodes.inv_inertia[k] = inv_inertia;
}

// Touching points of a layer that bear its upper bodies against their kick: visit(point, body, push) with the
// part of the kick's velocity that the point takes.
template <class Visit>
void IslandWork::for_bearing_points(std::size_t layer, Visit&& visit) {
    const auto& height = stack_.layers.height;
    for (const auto e : part(stack_.layers.edges, stack_.layers.edge_start, layer)) {
        if (e >= stack_.pair_edges) continue;
        const PairWork& pair = pairs_[stack_.items[e]];
        if (height[pair.a] == height[pair.b]) continue;
        const bool is_b = height[pair.b] > height[pair.a];
        const auto body = is_b ? pair.b : pair.a;
        const Vec3& kick = stack_.rest_v[body];
        for (auto k = stack_.point_start[stack_.items[e]]; k < stack_.point_start[stack_.items[e] + 1]; ++k) {
            SubstepPoint& point = points_[k];
            if (!point.is_present || point.separation > kSlop * pair.law.size) continue;
            const double push = is_b ? -dot(point.normal, kick) : dot(point.normal, kick);
            if (2 * push > length(kick)) visit(point, body, push);
        }
    }
}

// A body that has come to stand begins with its weight divided equally among the points that bear it. From
// nothing, ten sweeps leave a small turn, and each layer hands it on enlarged to the next.
void IslandWork::estimate_loads(std::size_t layer) {
    constexpr std::uint32_t kKnown = 0x80000000u;
    auto& bearing = stack_.bearing;
    for_bearing_points(layer, [&](const SubstepPoint& point, std::uint32_t body, double) {
        ++bearing[body];
        if (point.previous_n > 0) bearing[body] |= kKnown;
    });
    for_bearing_points(layer, [&](SubstepPoint& point, std::uint32_t body, double push) {
        if ((bearing[body] & kKnown) == 0)
            point.previous_n = world_->bodies.mass[nodes_[body].body] * push / bearing[body];
    });
}

void IslandWork::solve_step(double h) {
    const Method& method = world_->method;
    auto& n = problem_.nodes;
    measure_approaches(h);
    list_edges();
    joint_carried_.assign(joint_previous_.size(), 0);
    if (method.shock == Switch::Off) {
        solve_edges(stack_.all, h, {1, method.warm_start, true});
    } else {
        find_layers();
        stack_.bearing.assign(nodes_.size(), 0);
        for (std::size_t k = 0; k < dynamic_count_; ++k) {
            if (nodes_[k].lead > 0) stack_.rest_v[k] = stack_.rest_w[k] = {};
            n.v[k] -= stack_.rest_v[k], n.w[k] -= stack_.rest_w[k];
        }
        solve_edges(stack_.all, h, {method.weight, 0, false});
        for (std::size_t i = 0; i < stack_.layers.size(); ++i) {
            for (const auto k : part(stack_.layers.upper, stack_.layers.upper_start, i))
                n.v[k] += stack_.rest_v[k], n.w[k] += stack_.rest_w[k];
            estimate_loads(i);
            hold_lower(i);
            solve_edges(part(stack_.layers.edges, stack_.layers.edge_start, i), h,
                        {1 - method.weight, 1, true});
            release();
        }
    }
    find_hits();
    check_finite("forces of contacts and joints");
}

// Errors are corrected layer by layer, too. Lower bodies have been displaced by then: a layer's depths are
// those that they leave, so nothing is pushed up by a depth that is no longer there (rippling, 6.4.5), and
// one substep corrects all layers (the text's simulator needed one for each).
void IslandWork::correct(double h) {
    const Method& method = world_->method;
    if (method.correction != Correction::Projection || !is_off()) return;
    auto& n = problem_.nodes;
    std::swap(n.v, stack_.saved_v), std::swap(n.w, stack_.saved_w);
    n.v.assign(nodes_.size(), {}), n.w.assign(nodes_.size(), {});
    list_edges();
    if (method.shock == Switch::Off) {
        project(stack_.all);
        for (std::uint32_t k = 0; k < dynamic_count_; ++k) displace(k);
    } else {
        find_layers();
        for (std::size_t i = 0; i < stack_.layers.size(); ++i) {
            hold_lower(i);
            project(part(stack_.layers.edges, stack_.layers.edge_start, i));
            release();
            for (const auto k : part(stack_.layers.upper, stack_.layers.upper_start, i)) displace(k);
        }
    }
    std::swap(n.v, stack_.saved_v), std::swap(n.w, stack_.saved_w);
    update_inertia();
    find_contacts(h);
    check_finite("the correction of positions");
}

}  // namespace impuls
