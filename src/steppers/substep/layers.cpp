// Layers of an island that stands (layers.h).
#include "steppers/substep/layers.h"

#include <numeric>

namespace impuls::substep {

void list_edges(Substep& s) {
    LayerWork& w = s.layers;
    const ContactWork& c = s.contacts;
    const std::size_t pairs = s.island.pairs.size();
    w.edges.clear();
    w.items.clear();
    w.point_start.assign(pairs + 1, 0);
    for (const std::uint32_t p : c.point_pair) ++w.point_start[p + 1];
    for (std::size_t p = 0; p < pairs; ++p) w.point_start[p + 1] += w.point_start[p];
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t item) {
        w.edges.emplace_back(a, b);
        w.items.push_back(item);
    };
    for (std::uint32_t p = 0; p < pairs; ++p) {
        bool is_any = false;
        for (auto k = w.point_start[p]; k < w.point_start[p + 1]; ++k) is_any |= c.points[k].is_present;
        if (is_any) add(s.island.pairs[p].a, s.island.pairs[p].b, p);
    }
    w.pair_edges = w.edges.size();
    for (std::uint32_t j = 0; j < s.island.joints.size(); ++j)
        add(s.island.joints[j].a, s.island.joints[j].b, j);
    w.all.resize(w.edges.size());
    std::iota(w.all.begin(), w.all.end(), 0u);
}

void find_layers(Substep& s) {
    LayerWork& w = s.layers;
    w.is_support.resize(s.nodes.size());
    for (std::size_t k = 0; k < s.nodes.size(); ++k) w.is_support[k] = !s.island.nodes[k].is_dynamic;
    // Stack freezing, under the impulse stepper, goes by single bodies: with one height a joint, a column of
    // forty boxes joined in twos moves by 1.3 mm in a second instead of less than 1 (K9_with_joints).
    const bool join = s.view.method.is<VelocityMethod>();
    w.layers.build(w.is_support, w.edges, join ? w.pair_edges : w.edges.size());
}

void hold_lower(Substep& s, std::size_t layer) {
    Nodes& n = s.problem.nodes;
    s.layers.held.clear();
    for (const auto k : s.layers.lower_of(layer)) {
        s.layers.held.push_back({k, n.inv_mass[k], n.inv_inertia[k]});
        n.inv_mass[k] = 0;
        n.inv_inertia[k] = diagonal({});
    }
}

void release_lower(Substep& s) {
    for (const auto& [k, inv_mass, inv_inertia] : s.layers.held) {
        s.problem.nodes.inv_mass[k] = inv_mass;
        s.problem.nodes.inv_inertia[k] = inv_inertia;
    }
}

}  // namespace impuls::substep
