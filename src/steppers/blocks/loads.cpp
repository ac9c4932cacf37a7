// Loads of contacts at rest (loads.h).
#include "steppers/blocks/loads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "steppers/blocks/context.h"
#include "steppers/blocks/tuning.h"

namespace impuls::blocks {
namespace {

// A group has the sum of its nodes' weights, at the mean of their heights.
void weigh_groups(Context& c) {
    LoadScratch& s = c.loads;
    const std::size_t count = c.island.nodes.size();
    s.weight.resize(count);
    s.height.resize(count);
    for_nodes(c, [&](std::size_t k) {
        const IslandNode& node = c.island.nodes[k];
        s.height[k] = dot(node.pose.position, c.up);
        s.weight[k] = node.is_dynamic
                          ? std::max(0.0, -dot(node.acceleration, c.up)) * c.view.bodies.mass[node.body]
                          : 0;
    });
    if (c.island.joints.empty()) return;
    s.member_count.assign(count, 0);
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t group = s.group[k];
        ++s.member_count[group];
        if (group == k) continue;
        s.height[group] += s.height[k];
        s.weight[group] += s.weight[k];
    }
    for (std::size_t k = 0; k < count; ++k)
        if (s.member_count[k] > 1) s.height[k] /= s.member_count[k];
}

// Groups from the highest to the lowest, equal heights in the order of numbers: a radix sort by bytes, the
// last one first. Depths below the highest are not negative, so their floats are ordered as their bits are.
void order_groups(Context& c) {
    LoadScratch& s = c.loads;
    const std::size_t count = c.island.dynamic_count;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < count; ++k) highest = std::max(highest, s.height[k]);
    s.order.clear();
    for (std::uint32_t k = 0; k < count; ++k)
        if (s.group[k] == k)
            s.order.push_back({std::bit_cast<std::uint32_t>(static_cast<float>(highest - s.height[k])), k});
    s.next_order.resize(s.order.size());
    for (int shift = 0; shift < 32; shift += 8) {
        const auto digit = [shift](const GroupDepth& d) { return d.bits >> shift & 255; };
        std::array<std::uint32_t, 256> at{};
        for (const GroupDepth& d : s.order) ++at[digit(d)];
        std::exclusive_scan(at.begin(), at.end(), at.begin(), 0u);
        for (const GroupDepth& d : s.order) s.next_order[at[digit(d)]++] = d;
        s.order.swap(s.next_order);
    }
}

// Which manifolds each group stands on (a counting sort by group).
void list_supports(Context& c) {
    LoadScratch& s = c.loads;
    const auto& manifolds = c.contacts.manifolds;
    const std::size_t count = c.island.nodes.size();
    const auto upper = [&](const BlockManifold& m) { return s.group[m.rise > 0 ? m.b : m.a]; };
    const auto lower = [&](const BlockManifold& m) { return s.group[m.rise > 0 ? m.a : m.b]; };
    const auto bears = [&](const BlockManifold& m) {
        return std::abs(m.rise) > kBearing && upper(m) < c.island.dynamic_count;
    };
    s.support_start.assign(count + 1, 0);
    for (const BlockManifold& m : manifolds)
        if (bears(m)) ++s.support_start[upper(m) + 1];
    for (std::size_t k = 0; k < count; ++k) s.support_start[k + 1] += s.support_start[k];
    s.supports.resize(s.support_start.back());
    s.cursor.assign(s.support_start.begin(), s.support_start.end() - 1);
    for (std::size_t i = 0; i < manifolds.size(); ++i) {
        const BlockManifold& m = manifolds[i];
        const double rise = std::abs(m.rise);
        if (bears(m))
            s.supports[s.cursor[upper(m)]++] = {static_cast<std::uint32_t>(i), lower(m), rise,
                                                m.impulse * rise};
    }
}

void pass_weights_down(LoadScratch& s) {
    for (const auto& [bits, k] : s.order) {
        const std::span<Support> own(s.supports.data() + s.support_start[k],
                                     s.support_start[k + 1] - s.support_start[k]);
        double total = 0;
        for (const Support& support : own) total += support.share;
        for (Support& support : own) {
            const double share = total > 0 ? support.share / total : 1.0 / static_cast<double>(own.size());
            support.share = s.weight[k] * share;
            s.weight[support.lower] += support.share;
        }
    }
}

}  // namespace

void group_nodes(Context& c) {
    auto& group = c.loads.group;
    const auto& nodes = c.island.nodes;
    group.resize(nodes.size());
    for (std::uint32_t k = 0; k < group.size(); ++k) group[k] = k;
    if (c.island.joints.empty()) return;
    const auto find = [&](std::uint32_t k) {
        while (group[k] != k) k = group[k] = group[group[k]];
        return k;
    };
    for (const IslandJoint& joint : c.island.joints) {
        if (!nodes[joint.a].is_dynamic || !nodes[joint.b].is_dynamic) continue;
        const std::uint32_t a = find(joint.a), b = find(joint.b);
        group[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t k = 0; k < group.size(); ++k) group[k] = find(k);
}

void estimate_loads(Context& c) {
    if (c.up == Vec3{}) return;
    weigh_groups(c);
    order_groups(c);
    list_supports(c);
    pass_weights_down(c.loads);
    const auto& supports = c.loads.supports;
    c.view.executor.parallel_for(supports.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            c.contacts.manifolds[supports[k].manifold].load = supports[k].share / supports[k].rise;
    });
}

}  // namespace impuls::blocks
